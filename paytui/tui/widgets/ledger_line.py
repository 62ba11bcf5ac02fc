"""One line of a list, before it is painted."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from paytui.tui.tone import Cell


@dataclass(frozen=True, slots=True)
class Line:
    """What one line shows: compared with what it showed before, to repaint only what differs."""

    cells: tuple[Cell, ...] = ()
    selected: bool = False
    thumb: bool = False


def line_of(words: str, number: int, width: int) -> str:
    """One of the lines that words are wrapped into; empty where they have no such line."""
    lines = Content(words).wrap(max(1, width))
    return lines[number].plain if 0 <= number < len(lines) else ""
