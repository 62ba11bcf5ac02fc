"""The detail view: groups of fields with a cursor; it repaints only the lines that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.strip import Strip

from paytui.tui import textual_bindings
from paytui.tui.format.cells import Fact, Group, Tone
from paytui.tui.table.columns import fitted
from paytui.tui.table.viewport import CursorView, thumb_lines
from paytui.tui.widgets.ordered_keys import OrderedKeys


@dataclass(frozen=True, slots=True)
class Line:
    """The content of one line, compared with the previous one to repaint only changes."""

    pieces: tuple[Piece, ...] = ()
    cursor: int | None = None
    thumb: bool = False


class DetailView(CursorView, OrderedKeys, can_focus=True, inherit_bindings=False):
    """Groups of fields with a cursor, which stays on its field while others come and go."""

    BINDINGS = textual_bindings.groups("Facts")

    def __init__(self, opened: Callable[[Fact], object]) -> None:
        super().__init__()
        self._opened = opened
        self._groups: tuple[Group, ...] = ()
        self._facts: list[tuple[str, Fact]] = []
        self._layout = lay_out((), 0)
        self._cursor = 0
        self._top = 0
        self._page: list[Line] = []

    def show(self, groups: Sequence[Group]) -> None:
        if tuple(groups) != self._groups:
            before = self._facts[self._cursor] if self._facts else None
            self._groups = tuple(groups)
            self._facts = [(group.title, fact) for group in groups for fact in group.facts]
            # On the same field, or the nearest one if it is gone
            places = range(len(self._facts))
            same = [n for n in places if before and _is_same(before, self._facts[n])] or places
            self._cursor = min(same, key=lambda place: abs(place - self._cursor), default=0)
            self._arrange()

    @property
    def selected(self) -> Fact | None:
        return self._facts[self._cursor][1] if self._facts else None

    def move(self, place: int) -> None:
        """Move the cursor to a field by index, or the nearest that exists."""
        if self._facts:
            self._cursor = max(0, min(place, len(self._facts) - 1))
            self.settle()

    def action_move(self, steps: int) -> None:
        places = self._layout.places
        order = sorted(places, key=lambda fact: places[fact])
        if order:
            place = order.index(self._cursor) + steps
            self.move(order[max(0, min(place, len(order) - 1))])

    def action_page(self, pages: int) -> None:
        column, line, _ = self._place
        self._move_near(column, line + pages * max(1, self.size.height - 2))

    def action_cross(self) -> None:
        column, line, _ = self._place
        self._move_near((column + 1) % len(self._layout.columns), line)

    def action_first(self) -> None:
        self._move_near(0, 0)

    def action_last(self) -> None:
        self._move_near(len(self._layout.columns) - 1, self._layout.height)

    def action_open(self) -> None:
        if (fact := self.selected) is not None:
            self._opened(fact)

    @property
    def _place(self) -> tuple[int, int, int]:
        """Return column, first line and last line of the cursor's field."""
        return self._layout.places.get(self._cursor, (0, 0, 0))

    def _move_near(self, column: int, line: int) -> None:
        fact = self._layout.nearest(column, line)
        if fact is not None:
            self.move(fact)

    def on_click(self, event: events.Click) -> None:
        columns = self._layout.columns
        line = self._top + event.y
        column = min(event.x // max(1, self._layout.width), len(columns) - 1)
        fact = columns[column][line].fact if line < self._layout.height else None
        if fact is not None:
            self.point_at(fact, self._cursor)

    def on_resize(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        if self.size.width - 1 > LABEL:
            self._layout = lay_out(self._groups, self.size.width - 1)
            self.settle()

    def settle(self) -> None:
        """Update the screen after changes of fields, cursor or size."""
        height = max(1, self.size.height)
        column, first, last = self._place
        if first and self._layout.columns[column][first - 1].fact is None:
            first -= 1  # the title of the group
        in_view = min(max(last - height + 1, self._top), first)
        self._top = max(0, min(in_view, self._layout.height - height))
        before, self._page = self._page, [self._line(y) for y in range(self.size.height)]
        if len(before) != len(self._page):
            self.refresh()
            return
        self.refresh_lines(y for y, line in enumerate(self._page) if line != before[y])

    def _line(self, y: int) -> Line:
        at, height = self._top + y, self._layout.height
        thumb = y in thumb_lines(self._top, self.size.height, height)
        if at >= height:
            return Line(thumb=thumb)
        pieces = tuple(column[at] for column in self._layout.columns)
        held = self.has_focus and any(piece.fact == self._cursor for piece in pieces)
        return Line(pieces, self._cursor if held else None, thumb)

    def render_line(self, y: int) -> Strip:
        line = self._page[y] if y < len(self._page) else Line()
        segments = [segment for piece in line.pieces for segment in self._piece(piece, line.cursor)]
        return self.beside_thumb(Strip(segments), self.rich_style, thumb=line.thumb)

    def _piece(self, piece: Piece, cursor: int | None) -> Strip:
        selected = piece.fact is not None and piece.fact == cursor
        base = self.look("cursor") if selected else self.rich_style
        segments = [Segment("▌" if selected else " ", base)]
        for part in piece.parts:
            tone = self.look(part.tone, partial=True)
            segments.append(Segment(part.text, base + tone + Style(bold=part.bold)))
        width = self._layout.width
        strip = Strip(segments).adjust_cell_length(width - 1, base)
        return Strip([*strip, Segment(" ", self.rich_style)], width)


def _is_same(before: tuple[str, Fact], now: tuple[str, Fact]) -> bool:
    """Return True if two fields tell the same of the same object, with any values."""
    (title, fact), (title_now, fact_now) = before, now
    if (fact.label, fact.link) != (fact_now.label, fact_now.link):
        return False
    return fact.link is not None or title == title_now  # a title may hold a count


LABEL = 22
"""Cells for the margin and a label; beside it a column has room for the service's identifiers."""

WIDE = 108  # Cells from which groups stand in two columns
ROOMY = 60  # Width of a value from which a brief fact takes one line, not two

LINK = "› "

GAP = "  "


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    tone: Tone | Literal["rule"]
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """The content of one column in one line; `fact` is None for a title or a blank line."""

    parts: tuple[Part, ...] = ()
    fact: int | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns with an equal number of lines.

    `places` has the column, first line and last line of each fact.
    """

    columns: tuple[tuple[Piece, ...], ...]
    width: int
    places: Mapping[int, tuple[int, int, int]]

    @property
    def height(self) -> int:
        return len(self.columns[0])

    def nearest(self, column: int, line: int) -> int | None:
        """Return the fact of a column that is nearest to a line."""
        pieces = enumerate(self.columns[column])
        facts = [(abs(at - line), piece.fact) for at, piece in pieces if piece.fact is not None]
        return min(facts)[1] if facts else None


def lay_out(groups: Sequence[Group], width: int) -> Layout:
    """Return the layout; each group goes to the column that is shortest so far."""
    count = 2 if width >= WIDE else 1
    filled: list[list[Piece]] = [[] for _ in range(count)]
    first = 0
    for group in groups:
        column = min(filled, key=len)
        rule = f" {'─' * (width // count - 3 - cell_len(group.title))}"
        column.append(Piece((Part(group.title, Tone.INK, bold=True), Part(rule, "rule"))))
        for place, fact in enumerate(group.facts, start=first):
            column += (Piece(parts, place) for parts in _fact(fact, width // count - 1))
        column.append(Piece())
        first += len(group.facts)
    height = max(len(column) for column in filled)
    columns = tuple((*column, *[Piece()] * (height - len(column))) for column in filled)
    return Layout(columns, width // count, _places(columns))


def _places(columns: Sequence[Sequence[Piece]]) -> dict[int, tuple[int, int, int]]:
    found: dict[int, tuple[int, int, int]] = {}
    for column, pieces in enumerate(columns):
        for line, piece in enumerate(pieces):
            if piece.fact is not None:
                _, first, _ = found.get(piece.fact, (column, line, line))
                found[piece.fact] = column, first, line
    return found


def _fact(fact: Fact, width: int) -> Iterator[tuple[Part, ...]]:
    """Yield the lines of a fact: label and value side by side, each wrapped on its own."""
    room = LABEL - 1 - len(GAP)
    labels, values = _wrapped(fact.label, room), _value(fact, max(1, width - LABEL))
    labels += [""] * (len(values) - len(labels))
    values += [()] * (len(labels) - len(values))
    for line, (label, value) in enumerate(zip(labels, values, strict=True)):
        mark = LINK if fact.link and line == 0 else GAP
        padded = Part(label + " " * (room - cell_len(label)), Tone.MUTED)
        yield padded, Part(mark, Tone.ACCENT), *value


def _value(fact: Fact, width: int) -> list[tuple[Part, ...]]:
    """Return the value in lines, with the note after it if there is room, else under it."""
    tone = fact.value.tone
    is_narrow = width < ROOMY
    words = fact.value.text.rstrip() if is_narrow else fact.value.text
    wrapped = (
        [fitted(words, width, right=False).rstrip(" ")] if fact.brief else _wrapped(words, width)
    )
    lines: list[tuple[Part, ...]] = [(Part(text, tone),) for text in wrapped]
    note = Part(f"  {fact.note}", Tone.MUTED)
    room = width - sum(cell_len(part.text) for part in lines[-1])
    if fact.note and fact.brief and is_narrow:
        lines.append((Part(fitted(fact.note, width, right=False), Tone.MUTED),))
    elif fact.note and cell_len(note.text) <= room:
        lines[-1] = (*lines[-1], note)
    elif fact.note and fact.brief:
        lines[-1] = (*lines[-1], Part(fitted(note.text, room, right=False), Tone.MUTED))
    elif fact.note:
        lines += [(Part(x, Tone.MUTED),) for x in _wrapped(fact.note, width)]
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    return [line.plain for line in Content(text).wrap(width)] or [""]
