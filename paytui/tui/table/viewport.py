"""The visible part of a list: lines of cells with a cursor, the mouse and the scroll thumb."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Generic, Self, TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import BLACK, Color
from textual.content import Content
from textual.filter import LineFilter
from textual.geometry import Region
from textual.strip import Strip

from paytui.tui.format.cells import Cell, Tone
from paytui.tui.table.columns import (
    Column,
    ColumnSlot,
    Sort,
    cell_text,
    fitted,
    lay_out_columns,
    marked_title,
)
from paytui.tui.widgets.text import TonedWidget

R = TypeVar("R")

Cells = tuple[Cell, ...]  # The cells of one row, one for each column


@dataclass(frozen=True, slots=True)
class Line:
    """The content of one line, compared with the previous one to repaint only changes."""

    cells: Cells = ()
    selected: bool = False
    thumb: bool = False
    marked: bool = False


MARGIN = 2  # Cells before the first column: the cursor, and the mark of a row
HEADING = 1  # Lines above the first row

UNDERLINED = frozenset({Tone.DOUBT, Tone.EXPIRED})
"""The tones that a theme may underline: their blanks are painted without."""


class FilteredStyles(dict[Style | None, Style | None]):
    """Styles as line filters change them, each filtered once: a list has a few dozen."""

    def __init__(self, filters: Sequence[LineFilter], background: Color) -> None:
        super().__init__()
        self._filters = filters
        self._background = background

    def is_of(self, filters: Sequence[LineFilter], background: Color) -> bool:
        return (self._filters, self._background) == (filters, background)

    def __missing__(self, style: Style | None) -> Style | None:
        segments = [Segment("", style)]
        for each in self._filters:
            segments = each.apply(segments, self._background)
        self[style] = segments[0].style
        return self[style]


WHEEL = 3


class CursorView(TonedWidget):
    """Lines with a cursor, which also moves by the mouse; a click on the cursor opens."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"part--cursor", "part--thumb", "part--rule"}

    def move(self, place: int) -> None:
        raise NotImplementedError

    def settle(self) -> None:
        raise NotImplementedError

    def action_move(self, steps: int) -> None:
        raise NotImplementedError

    def action_open(self) -> None:
        raise NotImplementedError

    def point_at(self, place: int, cursor: int) -> None:
        """Handle a click at a position; `cursor` is the cursor's position before."""
        self.move(place)
        if place == cursor:
            self.action_open()

    def on_mouse_scroll_down(self) -> None:
        self.action_move(WHEEL)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-WHEEL)

    def watch_has_focus(self, has_focus: bool) -> None:
        # Not in on_focus, which runs before has_focus is set.
        super().watch_has_focus(has_focus)
        self.settle()

    def refresh_lines(self, lines: Iterable[int]) -> None:
        """Render some lines again, if any."""
        if regions := [Region(0, y, self.size.width, 1) for y in lines]:
            self.refresh(*regions)

    def beside_thumb(self, strip: Strip, base: Style, *, thumb: bool) -> Strip:
        """Return a line that is as wide as the widget; in its last cell is the scroll bar."""
        width = self.outer_size.width  # as `size`, which looks it up in the layout
        bar = Segment("▐" if thumb else " ", self.look("thumb"))
        return Strip([*strip.adjust_cell_length(width - 1, base), bar], width)


class ListViewport(CursorView, Generic[R]):
    """Headings and lines of a list, or a placeholder without rows."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "part--heading",
        "part--sorted",
        "part--line",  # As the widget itself, for which Textual would compute the style each time
    }

    def __init__(self, columns: Sequence[Column[R]]) -> None:
        super().__init__()
        self.columns = tuple(columns)
        self.sorts: tuple[Sort[R], ...] = ()
        self.forget_widths()
        self._places: tuple[ColumnSlot, ...] = ()
        self._page: list[Line] = []
        self._painted: dict[int, Strip] = {}
        self._filtered = FilteredStyles([], BLACK)
        self._placeholder = ""
        self._empty = True
        self._is_dimmed = False

    @property
    def _height(self) -> int:
        """The number of lines for rows, at least one."""
        return max(1, self.size.height - HEADING)

    def dim(self, *, yes: bool) -> None:
        """Dim the rows, which are not those that were asked for, or end it."""
        if yes != self._is_dimmed:
            self._is_dimmed = yes
            self.refresh()

    def forget_widths(self) -> None:
        """Measure widths again: a row that made a column wide may be gone."""
        self._needed = [0] * len(self.columns)
        self._measured: Sequence[Line] = ()

    def show_page(self, page: list[Line], *, is_empty: bool) -> None:
        if len(page) != len(self._page):  # of another height: earlier layouts leave no trace
            self.forget_widths()
        places = self._measure(page)
        before, self._page = self._page, page
        was_empty, self._empty = self._empty, is_empty
        if places != self._places or len(before) != len(page) or was_empty != self._empty:
            self._places = places
            self.refresh()
            return
        self.refresh_lines(y + HEADING for y, line in enumerate(page) if line != before[y])

    def show_headings(self) -> None:
        self.refresh_lines(range(HEADING))

    def placeholder(self, words: str) -> None:
        if words != self._placeholder:
            self._placeholder = words
            if self._empty:
                self.refresh()

    def _measure(self, page: Sequence[Line]) -> tuple[ColumnSlot, ...]:
        """Lay out the columns. They only grow until a row leaves, so scrolling is steady."""
        known = {id(line.cells) for line in self._measured}
        for line in page:
            for index, cell in enumerate(line.cells if id(line.cells) not in known else ()):
                self._needed[index] = max(self._needed[index], cell_len(cell.text))
        self._measured = page
        titles = [marked_title(column, self.sorts) for column in self.columns]
        return lay_out_columns(self.columns, titles, self._needed, self.size.width - MARGIN - 2)

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Render lines again; Textual calls this when the size changes, too."""
        if regions:
            for y in chain(*(region.line_range for region in regions)):
                self._painted.pop(y, None)
        else:
            self._painted.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render lines without those borders, paddings and tints that lists do not have.

        Textual's rendering, which looks for them in each line, takes a third more.
        """
        filters, background = self.get_line_filters(), self.background_colors[1]
        if not self._filtered.is_of(filters, background):
            self._filtered = FilteredStyles(filters, background)
        for y in crop.line_range:
            if y not in self._painted:
                strip = self.render_line(y)
                segments = [Segment(text, self._filtered[style]) for text, style, _ in strip]
                self._painted[y] = Strip(segments, strip.cell_length)
        start, end = crop.column_span
        return [self._painted[y].crop(start, end) for y in crop.line_range]

    def render_line(self, y: int) -> Strip:
        if y < HEADING:
            plain = self.look("heading")
            return Strip(self._headings(plain)).adjust_cell_length(self.size.width, plain)
        if self._empty:
            width = self.size.width
            # Below a blank line.
            lines = [Content(), *Content(self._placeholder).wrap(max(1, width - MARGIN))]
            words = lines[y - HEADING].plain if y - HEADING < len(lines) else ""
            said = Strip([Segment(" " * MARGIN + words, self.look(Tone.MUTED))])
            return said.adjust_cell_length(width, self.look("line"))
        line = self._page[y - HEADING] if y - HEADING < len(self._page) else Line()
        return self._paint(line)

    def _headings(self, plain: Style) -> Iterator[Segment]:
        yield Segment(" " * MARGIN, plain)
        for spot in self._places:
            column = self.columns[spot.index]
            title = marked_title(column, self.sorts)
            style = plain if title.strip() == column.title else self.look("sorted")
            yield Segment(fitted(title, spot.width, right=column.right), style)
            yield Segment(" " * column.gap, plain)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._painted.clear()

    def _paint(self, line: Line) -> Strip:
        base = self.look("cursor" if line.selected else "line")
        cursor = "▌" if line.selected else " "
        segments = [Segment(f"{cursor} ", base)]
        if line.marked:
            mark = base + self.look(Tone.ACCENT, partial=True)
            segments = [Segment(cursor, base), Segment("*", mark)]
        length = MARGIN
        for spot in self._places if line.cells else ():
            cell, column = line.cells[spot.index], self.columns[spot.index]
            tone = self.look(Tone.FAINT if self._is_dimmed else cell.tone, partial=True)
            text = cell_text(column, cell.text, spot.width)
            segments += [*_marked(cell, text, base, tone), Segment(" " * column.gap, base)]
            length += spot.width + column.gap
        return self.beside_thumb(Strip(segments, length), base, thumb=line.thumb)


_BOLD, _UNDERLINED = Style(bold=True), Style(underline=True)


def _marked(cell: Cell, text: str, base: Style, tone: Style) -> Iterator[Segment]:
    """Yield the text of a cell in its column; blanks beside its words are never underlined."""
    words = text.strip(" ")
    if not words or not (cell.chosen or cell.strong[1] or cell.tone in UNDERLINED):
        yield Segment(text, base + tone)
        return
    before, _, after = text.partition(words)
    start, end = cell.strong if words == cell.text else (0, 0)
    ink = base + tone + _UNDERLINED if cell.chosen else base + tone
    yield Segment(before, base)
    yield Segment(words[:start], ink)
    yield Segment(words[start:end], ink + _BOLD)
    yield Segment(words[end:], ink)
    yield Segment(after, base)


def thumb_lines(top: int, height: int, count: int) -> range:
    """Return the lines of a scroll bar's thumb, with item `top` on top; none if all fit."""
    if count <= height:
        return range(0)
    size = max(1, height * height // count)
    start = top * (height - size) // (count - height)
    return range(start, start + size)
