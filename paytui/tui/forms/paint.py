"""A page of a form as lines of text: labels in one column, what is wrong under its field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from paytui.tui.forms.declare import Choice
from paytui.tui.forms.view import FormView, Row
from paytui.tui.theme.themes import Cell, Tone, toned

LABEL = 24
"""Cells for the edge, a label, and the gap after it."""

MOST = 7
"""Choices on view at once."""

SIGNS = ("✗ ", "! ")
"""What stands before words of what is wrong, and of what may be."""

Painting = list[tuple[str, Content]]
"""Lines, each with the path of the field that it belongs to."""


class Painted(Static):
    """Fields that are not typed in; it knows which of them stands in which line."""

    class Pointed(Message):
        """A field is pointed at.

        Attributes:
            path: of the field.
        """

        def __init__(self, path: str) -> None:
            super().__init__()
            self.path = path

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._painting: Painting = []
        self.display = False

    def show(self, painting: Painting) -> None:
        """Show these, if they are not shown already."""
        words = Content("\n").join(line for _, line in painting)
        if not words.is_same(Content("\n").join(line for _, line in self._painting)):
            self.display = bool(painting)
            self.update(words)
        self._painting = painting

    def on_click(self, event: events.Click) -> None:
        """Tell which field is pointed at."""
        if 0 <= event.y < len(self._painting):
            path, _ = self._painting[event.y]
            self.post_message(self.Pointed(path))


def above(view: FormView, width: int) -> Painting:
    """The fields before the one that is typed in; all where there is none."""
    return _rows(view.rows[: view.at], width)


def below(view: FormView, width: int) -> Painting:
    """The fields after the one that is typed in."""
    return [] if view.at is None else _rows(view.rows[view.at + 1 :], width)


def label_of(view: FormView) -> Content:
    """The label of the field that is typed in, which no other looks like."""
    if view.at is None:
        return Content()
    return toned("▌ ", Tone.ACCENT) + toned(f"{view.rows[view.at].label:<{LABEL - 2}}", bold=True)


def under(view: FormView, width: int) -> Content:
    """What is wrong with the field that is typed in, and what it can be."""
    if view.at is None:
        return Content()
    row = view.rows[view.at]
    lines = [line for cell in row.words for line in _wrapped(cell, width)]
    if not view.choices and row.note and row.value:
        lines += _wrapped(Cell(row.note, Tone.MUTED), width)
    return Content("\n").join([*lines, *_choices(view, width)])


def words_of(view: FormView) -> Content:
    """What there is to say of the whole."""
    return Content("\n").join([toned(cell.text, cell.tone) for cell in view.words])


def _rows(rows: Iterable[Row], width: int) -> Painting:
    return [(row.path, line) for row in rows for line in _row(row, width)]


def _row(row: Row, width: int) -> Iterator[Content]:
    value = toned(row.value) if row.value else Content()
    gap = "  " if row.value and row.note else ""
    value += toned(f"{gap}{row.note}", Tone.MUTED if row.value else Tone.FAINT)
    label = toned(f"  {row.label:<{LABEL - 2}}", Tone.MUTED)
    for line in value.wrap(max(1, width - LABEL - 2)):
        yield label + line
        label = Content(" " * LABEL)
    for cell in row.words:
        yield from _wrapped(cell, width)


def _wrapped(cell: Cell, width: int) -> Iterator[Content]:
    """Words under a value; lines after the first begin under the first word."""
    sign, _, words = cell.text.partition(" ") if cell.text[:2] in SIGNS else ("", "", cell.text)
    start = f"{sign} " if sign else ""
    for line in toned(words, cell.tone).wrap(max(1, width - LABEL - len(start) - 2)):
        yield Content(" " * LABEL) + toned(start, cell.tone) + line
        start = " " * len(start)


def _choices(view: FormView, width: int) -> Iterator[Content]:
    """The choices round the one under the cursor; how many more there are is said."""
    keys = [one.key for one in view.choices]
    place = keys.index(view.mark) if view.mark in keys else 0
    first = max(0, min(place - MOST // 2, len(keys) - MOST))
    for choice in view.choices[first : first + MOST]:
        yield from _choice(choice, choice.key == view.mark, width)
    if len(keys) > MOST:
        more = f"{len(keys) - MOST} more: type to find, down goes on"
        yield Content(" " * (LABEL + 2)) + toned(more, Tone.FAINT)


def _choice(choice: Choice, marked: bool, width: int) -> Iterator[Content]:
    tone = Tone.FAINT if choice.why_not else Tone.ACCENT if marked else Tone.INK
    said = toned(choice.words, tone)
    if choice.about:
        said += toned(f"  {choice.about}", Tone.MUTED)
    if choice.why_not:
        said += toned(f"  {choice.why_not}", Tone.CLOSING)
    sign = toned("› " if marked else "  ", Tone.ACCENT)
    for line in said.wrap(max(1, width - LABEL - 4)):
        yield Content(" " * LABEL) + sign + line
        sign = Content("  ")
