"""Groups of facts, in one or two columns, to scroll through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from paytui.tui import keys
from paytui.tui.details.facts import Fact, Group
from paytui.tui.tone import Tone, toned

LABEL = 21
"""Cells for labels."""

WIDE = 108
"""Cells from which on groups stand in two columns."""


class FactSheet(VerticalScroll, inherit_bindings=False):
    """Shows groups; long values go on in the next line, ids stay whole."""

    BINDINGS = keys.SHEET

    def __init__(self) -> None:
        super().__init__()
        self._groups: tuple[Group, ...] = ()
        self._text = Static(markup=False)

    def compose(self) -> ComposeResult:
        """The text."""
        yield self._text

    def show(self, groups: Sequence[Group]) -> None:
        """Show these, if they differ from what is shown."""
        if tuple(groups) != self._groups:
            self._groups = tuple(groups)
            self._paint()

    def on_resize(self) -> None:
        """Arrange anew."""
        self._paint()

    def _paint(self) -> None:
        width = self.size.width - 2
        if width <= LABEL:
            return
        columns = 2 if width >= WIDE else 1
        lines = _side_by_side(self._groups, width // columns, columns)
        self._text.update(Content("\n").join(lines))


def _side_by_side(groups: Sequence[Group], width: int, columns: int) -> list[Content]:
    """Fill the column that is shortest so far, group by group."""
    filled: list[list[Content]] = [[] for _ in range(columns)]
    for group in groups:
        min(filled, key=len).extend(_group_lines(group, width - 2))
    height = max(len(column) for column in filled)
    for column in filled:
        column.extend([Content()] * (height - len(column)))
    return [
        Content("").join(line.pad_right(width - line.cell_length) for line in row)
        for row in zip(*filled, strict=True)
    ]


def _group_lines(group: Group, width: int) -> Iterable[Content]:
    yield toned(f" {group.title}", Tone.ACCENT, bold=True)
    for fact in group.facts:
        yield from _fact_lines(fact, width)
    yield Content()


def _fact_lines(fact: Fact, width: int) -> Iterable[Content]:
    label = f" {fact.label}"
    for piece in toned(fact.value.text, fact.value.tone).wrap(max(1, width - LABEL)):
        padded = label + " " * max(1, LABEL - cell_len(label))
        yield toned(padded, Tone.MUTED) + piece
        label = ""
