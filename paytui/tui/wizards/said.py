"""Lines of a wizard's step: labels in one column, words beside them; nothing is cut."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from paytui.tui.theme.themes import Tone, toned

if TYPE_CHECKING:
    from paytui.tui.wizards.step import Line

LABEL = 13
"""Cells for a label and the gap after it, at the least."""

GAP = 2
"""Cells between a label and what it is about, at the least."""


class Said(Static):
    """Takes the room that its words need, none without any; repaints only when they differ."""

    def __init__(self, *, classes: str = "said") -> None:
        super().__init__(markup=False, classes=classes)
        self._shown = Content()
        self.display = False

    def show(self, words: Content) -> None:
        """Say this, if it is not said already."""
        if not words.is_same(self._shown):
            self._shown = words
            self.display = bool(words)
            self.update(words)


def said(lines: Iterable[Line], width: int) -> Content:
    """Lines under each other; what does not fit into the width goes on where it began."""
    said = tuple(lines)
    room = max([LABEL, *(len(line.label) + GAP for line in said)])
    return Content("\n").join([_line(line, room, width) for line in said])


def _line(line: Line, room: int, width: int) -> Content:
    words = Content("  ").join([toned(cell.text, cell.tone) for cell in line.cells])
    first, *others = words.wrap(max(1, width - room)) or (words,)
    indented = [Content(" " * room) + other for other in others]
    return Content("\n").join([toned(f"{line.label:<{room}}", Tone.MUTED) + first, *indented])
