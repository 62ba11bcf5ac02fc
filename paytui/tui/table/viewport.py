"""The page of a list that is on view: lines of cells, of which those that changed are repainted."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from paytui.tui.table.columns import GAP, Column, ColumnSlot, cell_text, fitted, lay_out_columns
from paytui.tui.table.order import Sort, marked_title
from paytui.tui.theme.themes import Cell, Tone

# The lines of a list, and what stands above them.

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
    places: Sequence[ColumnSlot],
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


MARGIN = 2
"""Cells before the first column: the cursor's mark and a blank."""

HEADING = 1
"""Lines above the first row."""


class ListViewport(Widget, Generic[R]):
    """Headings, and below them what `show_page()` was given last; words where that is nothing."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "data-list--heading",
        "data-list--sorted",
        "data-list--cursor",
        "data-list--thumb",
        *(f"data-list--{tone}" for tone in Tone),
    }

    def __init__(self, columns: Sequence[Column[R]], *, id: str | None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._columns = tuple(columns)
        self._sorts: tuple[Sort[R], ...] = ()
        self.forget_widths()
        self._places: tuple[ColumnSlot, ...] = ()
        self._page: list[Line] = []
        self._looks: dict[str, tuple[Style, Style]] = {}
        self._placeholder = ""
        self._empty = True

    def forget_widths(self) -> None:
        """Measure anew what is shown next: what made a column wide may be gone."""
        self._needed = [0] * len(self._columns)
        self._measured: Sequence[Line] = ()

    def show_page(self, page: list[Line], *, is_empty: bool) -> None:
        """Show other lines; `is_empty`: there are none at all, and the placeholder is shown."""
        places = self._measure(page)
        before, self._page = self._page, page
        was_empty, self._empty = self._empty, is_empty
        if places != self._places or len(before) != len(page) or was_empty != self._empty:
            self._places = places
            self.refresh()
            return
        dirty = [y + HEADING for y, line in enumerate(page) if line != before[y]]
        if dirty:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in dirty))

    def show_headings(self) -> None:
        """Show what it is sorted by; no line below has changed by that."""
        self.refresh(Region(0, 0, self.size.width, HEADING))

    def placeholder(self, words: str) -> None:
        """Say what there is to say where there are no rows."""
        if words != self._placeholder:
            self._placeholder = words
            if self._empty:
                self.refresh()

    def _measure(self, page: Sequence[Line]) -> tuple[ColumnSlot, ...]:
        """Widths only grow while no row leaves, so that columns do not jump on scrolling."""
        known = {id(line.cells) for line in self._measured}
        for line in page:
            for index, cell in enumerate(line.cells if id(line.cells) not in known else ()):
                self._needed[index] = max(self._needed[index], cell_len(cell.text))
        self._measured = page
        titles = [marked_title(column, self._sorts) for column in self._columns]
        return lay_out_columns(self._columns, titles, self._needed, self.size.width - MARGIN - 2)

    def render_line(self, y: int) -> Strip:
        """Paint one line of the widget."""
        width = self.size.width
        if y < HEADING:
            plain, marked = self._style("heading"), self._style("sorted")
            titles = headings(self._columns, self._places, self._sorts, plain, marked)
            return Strip([Segment(" " * MARGIN, plain), *titles]).adjust_cell_length(width, plain)
        if self._empty:
            # Under a blank line.
            words = line_of(self._placeholder, y - HEADING - 1, width - MARGIN)
            said = Strip([Segment(" " * MARGIN + words, self._style(Tone.MUTED))])
            return said.adjust_cell_length(width, self._style())
        line = self._page[y - HEADING] if y - HEADING < len(self._page) else Line()
        return self._paint(line, width)

    def notify_style_update(self) -> None:
        """Forget what lines looked like: they are to look otherwise."""
        super().notify_style_update()
        self._looks.clear()

    def _style(self, name: str = "", *, partial: bool = False) -> Style:
        """How a part of it looks, or all that has no looks of its own; worked out once.

        Textual works it out anew after each line that is repainted.
        """
        if name not in self._looks:
            self._looks[name] = (
                self._looks_of(f"data-list--{name}") if name else (self.rich_style,) * 2
            )
        return self._looks[name][partial]

    def _looks_of(self, name: str) -> tuple[Style, Style]:
        partial = self.get_component_rich_style(name, partial=True)
        return self.get_component_rich_style(name), partial

    def _paint(self, line: Line, width: int) -> Strip:
        base = self._style("cursor" if line.selected else "")
        segments = [Segment("▌ " if line.selected else " " * MARGIN, base)]
        for spot in self._places if line.cells else ():
            cell, column = line.cells[spot.index], self._columns[spot.index]
            tone = self._style(cell.tone, partial=True)
            text = cell_text(column, cell.text, spot.width)
            segments += [Segment(text, base + tone), Segment(" " * GAP, base)]
        strip = Strip(segments).adjust_cell_length(width - 1, base)
        thumb = Segment("▐" if line.thumb else " ", self._style("thumb"))
        return Strip([*strip, thumb], width)


# The cells of the rows on view: made once for as long as nothing of those changes.

K = TypeVar("K", bound=Hashable)


class CellCache(Generic[K, R]):
    """Knows the cells of one view, and of the one before it."""

    def __init__(self) -> None:
        self._known: dict[K, Cells] = {}
        self._seen: dict[K, Cells] = {}

    def move(self) -> None:
        """What is asked for next is the next view."""
        self._known, self._seen = self._seen, {}

    def forget(self) -> None:
        """What any row shows may have changed."""
        self._seen = {}

    def of(self, key: K, row: R, columns: Sequence[Column[R]]) -> Cells:
        """A row's cells, one for each column."""
        cells = self._known.get(key)
        if cells is None:
            cells = tuple(column.cell(row) for column in columns)
        self._seen[key] = cells
        return cells


# What the widgets with a cursor on one of their places have in common: mouse and focus.

WHEEL = 3
"""Places that one turn of the mouse's wheel goes on by."""


class MouseCursorMixin(Widget):
    """The wheel moves the cursor; a click moves it, or opens the place where it is already."""

    def move(self, place: int) -> None:
        """Put the cursor on a place, or the nearest that there is."""
        raise NotImplementedError

    def settle(self) -> None:
        """Show what the cursor has become."""
        raise NotImplementedError

    def action_move(self, steps: int) -> None:
        raise NotImplementedError

    def action_open(self) -> None:
        raise NotImplementedError

    def point_at(self, place: int, cursor: int) -> None:
        """Act on a click at a place; the cursor is where it was before."""
        self.move(place)
        if place == cursor:
            self.action_open()

    def on_mouse_scroll_down(self) -> None:
        self.action_move(WHEEL)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-WHEEL)

    def watch_has_focus(self, has_focus: bool) -> None:
        # Not in on_focus: that runs before the widget knows that it has the focus.
        super().watch_has_focus(has_focus)
        self.settle()


# The mark at the right edge that says which part of something long is on view.


def is_thumb(y: int, top: int, height: int, count: int) -> bool:
    """Whether the mark is in this line.

    Args:
        y: the line on screen, from 0.
        top: the first of what is on view.
        height: lines on screen.
        count: how many there are in all.
    """
    if count <= height:
        return False
    size = max(1, height * height // count)
    start = top * (height - size) // (count - height)
    return start <= y < start + size
