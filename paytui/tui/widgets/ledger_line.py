"""The lines of a list, and what stands above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rich.segment import Segment
from rich.style import Style
from textual.content import Content

from paytui.tui.theme.themes import Cell
from paytui.tui.widgets.columns import GAP, Column, Place, fitted
from paytui.tui.widgets.sorting import Sort, marked_title

R = TypeVar("R")

Cells = tuple[Cell, ...]
"""Of one row, a cell for each column."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one line shows: compared with what it showed before, to repaint only what differs."""

    cells: Cells = ()
    selected: bool = False
    thumb: bool = False


def line_of(words: str, number: int, width: int) -> str:
    """One of the lines that words are wrapped into; empty where they have no such line."""
    lines = Content(words).wrap(max(1, width))
    return lines[number].plain if 0 <= number < len(lines) else ""


def headings(
    columns: Sequence[Column[R]],
    places: Sequence[Place],
    sorts: Sequence[Sort[R]],
    plain: Style,
    marked: Style,
) -> Iterator[Segment]:
    """The titles of the columns; those that are sorted by are marked."""
    for spot in places:
        column = columns[spot.index]
        title = marked_title(column, sorts)
        text = fitted(title, spot.width, right=column.right)
        yield Segment(text, plain if title == column.title else marked)
        yield Segment(" " * GAP, plain)
