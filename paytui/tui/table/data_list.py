"""The list widget: rows of a table in declared columns, painted line by line.

It repaints only the lines that changed. Its cursor stays on its row by id; a list that is visited
again opens on its first row unless the cursor was moved. Rows in memory are sorted and filtered at
once: the lists that grow are queries (`query_list`) once they have thousands of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from textual import events
from textual.message import Message

from paytui.store.table import Changes
from paytui.tui import textual_bindings as keys
from paytui.tui.table.columns import Column, Sort, SortKeys, in_order, sort_keys, with_keys
from paytui.tui.table.viewport import HEADING, Cells, Line, ListViewport, thumb_lines
from paytui.tui.widgets.ordered_keys import OrderedKeys

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


ROWS_ON_SCREEN = 256  # Rows whose cells are kept while the cursor moves

RowFilter = Callable[[Sequence[R]], Sequence[R]]
"""Returns those of some rows that match, in their order."""


class Positions(Generic[K]):
    """The ids of a list by their position from the top: all of them, or those of a window."""

    def __init__(self, keys: Sequence[K] = (), first: int = 0, total: int | None = None) -> None:
        self._keys = keys
        self._first = first
        self._total = len(keys) if total is None else total
        self._position_of = {key: place for place, key in enumerate(keys, first)}

    def __len__(self) -> int:
        return self._total

    def __getitem__(self, position: int) -> K:
        """Return the id at a position; raise IndexError outside of the window."""
        if position < self._first:
            raise IndexError(position)
        return self._keys[position - self._first]

    def of(self, key: K) -> int | None:
        return self._position_of.get(key)

    def holds(self, position: int) -> bool:
        return self._first <= position < self._first + len(self._keys)

    def reaches(self, position: int, height: int) -> bool:
        """Return True if it covers `height` positions on both sides of a position."""
        nearest = max(0, min(position, self._total - 1))
        end = self._first + len(self._keys)
        is_there_above = self._first <= max(0, nearest - height)
        return is_there_above and min(nearest + height + 1, self._total) <= end


class DataList(
    ListViewport[R],
    OrderedKeys,
    Generic[K, R],
    can_focus=True,
    inherit_bindings=False,
):
    """A list of rows with a cursor. Rows come by `apply()`, usually from a `TableReader`.

    Attributes:
        marks: the marked rows by key, each as it was last read, whether it is shown or not.
    """

    BINDINGS = keys.DATA_LIST
    is_partial = False  # Only some of the matching rows are shown so far

    class Sorted(Message):
        """Posted when the sort columns have changed."""

    class Filtered(Message):
        """Posted when matching rows were found, in part or completely."""

    def __init__(
        self,
        columns: Sequence[Column[R]],
        key: Callable[[R], K],
        *,
        sort: str | None = None,
        descending: bool = False,
        unseen: Sequence[Column[R]] = (),
        keep: RowFilter[R] = list,
        opened: Callable[[R], object] = lambda _: None,
    ) -> None:
        """`sort` is the title of the first sort column; it may be an unseen column."""
        super().__init__(columns)
        self.sortable = with_keys(columns, unseen)
        self._key = key
        self._keep = keep
        self._opened = opened
        self._rows: dict[K, R] = {}
        self._cells: dict[K, tuple[R, Cells]] = {}  # With the rows that they are of
        self.marks: dict[K, R] = {}
        self.changes = 0  # of rows, and of which of them match
        self.sorts = tuple(Sort(c, descending) for c in self.sortable if c.title == sort)
        self._sort_keys: dict[K, SortKeys] = {}
        self._order: list[K] = []  # Of all rows; empty: to be sorted
        self._positions: Positions[K] | None = None  # None: to be filtered
        self._cursor: K | None = None
        self._cursor_position = 0
        self._top = 0
        self._thumb = range(0)
        self._is_moved = False
        self._is_on_first = False
        self._is_searching = False
        self._left_row: K | None = None

    # --- rows ---

    def __len__(self) -> int:
        return len(self._ordering)

    @property
    def _ordering(self) -> Positions[K]:
        if self._positions is None:
            shown = set(map(self._key, self._keep(list(self._rows.values()))))
            self._order = self._order or in_order(self._sort_keys, self.sorts)
            self._positions = Positions([key for key in self._order if key in shown])
        return self._positions

    def apply(self, changes: Changes[K, R]) -> None:
        """Take in changes of the table; `settle()` shows them."""
        for row in changes.rows:
            key = self._key(row)
            self._rows[key], self._sort_keys[key] = row, sort_keys(row, self.sorts)
        for key in (gone := set(changes.gone(self._rows))):
            self._rows.pop(key, None)
            self._sort_keys.pop(key, None)
        if gone:
            self.forget_widths()
        self._order, self._positions = [], None
        self.changes += 1

    def replace(self, rows: Iterable[R]) -> None:
        fresh = tuple(rows)
        gone = self._rows.keys() - set(map(self._key, fresh))
        self.apply(Changes(fresh, tuple(gone), version=0, more=False))
        self.settle()

    def keep(self, keep: RowFilter[R]) -> None:
        """Show only the rows that match."""
        self._keep = keep
        self._positions = None
        self.changes += 1
        self.forget_widths()
        self.settle()
        self.post_message(self.Filtered())

    @property
    def is_filtering(self) -> bool:
        """Return True if matching rows may be missing."""
        return False

    def settle(self) -> None:
        """Update the screen after changes of rows, cursor or size; only changed lines repaint."""
        self._cells.clear()
        self.settle_cursor()

    def settle_cursor(self) -> None:
        self._find_cursor()
        height = self._height
        self._thumb = thumb_lines(self._top, height, len(self._ordering))
        page = [self._compose_line(y) for y in range(height)]
        self.show_page(page, is_empty=not self._ordering)

    def rows(self) -> list[R]:
        return [self._rows[self._ordering[place]] for place in range(len(self._ordering))]

    @property
    def selected(self) -> R | None:
        return None if self._cursor is None else self._rows.get(self._cursor)

    def marked_rows(self) -> list[R]:
        """Return the marked rows in the order of the list, also those that do not match."""
        by_key = {self._key(row): row for row in self.marks.values()}
        keys = {key: sort_keys(row, self.sorts) for key, row in by_key.items()}
        return [by_key[key] for key in in_order(keys, self.sorts)]

    def sort_by(self, sorts: Sequence[Sort[R]]) -> None:
        """Sort again; the cursor stays on its row."""
        self._is_on_first = False
        self.sorts, self._order, self._positions = tuple(sorts), [], None
        self._sort_keys = {key: sort_keys(row, self.sorts) for key, row in self._rows.items()}
        self.settle()
        self.show_headings()
        self.post_message(self.Sorted())

    def show_columns(self, shown: Sequence[Column[R]], unseen: Sequence[Column[R]]) -> None:
        """Show other columns with the same ids; order and cursor stay."""
        self.columns = tuple(shown)
        self.sortable = with_keys(shown, unseen)
        by_id = {column.id: column for column in self.sortable}
        self.sorts = tuple(replace(sort, column=by_id[sort.column.id]) for sort in self.sorts)
        self.forget_widths()
        self._page = []
        self.settle()

    def every_row(self) -> list[R]:
        """Return all rows, matching or not, in order of arrival."""
        return list(self._rows.values())

    # --- the cursor ---

    def search(self) -> None:
        """Put the cursor on the first match, whichever it becomes, until `stay()` or a move."""
        if self._left_row is None:
            self._left_row = self._cursor
        self._is_on_first = self._is_searching = True

    def stay(self) -> None:
        """Keep the cursor on the row that matches first, even if others come before it."""
        self._is_searching = False
        self._is_on_first = self._is_on_first and self.is_filtering

    def return_from_search(self) -> None:
        """Bring the cursor back to the row that it was on, unless it was moved meanwhile."""
        if self._left_row is not None:
            self._cursor, self._left_row = self._left_row, None
        self._is_on_first = self._is_searching = False

    def visit(self) -> None:
        """Bring the cursor back to the first row, unless it was moved to another."""
        if not self._is_moved:
            self._is_on_first = True

    def _find_cursor(self) -> None:
        """Keep the cursor on the first row or on its own; if that is gone, at its position."""
        count = len(self._ordering)
        if self._is_on_first:
            self._cursor = self._ordering[0] if count else None
            self._cursor_position = self._top = 0
            self._is_on_first = self._is_searching or self.is_filtering
            return
        position = None if self._cursor is None else self._ordering.of(self._cursor)
        if position is None:
            position = max(0, min(self._cursor_position, count - 1))
            self._cursor = self._ordering[position] if count else None
        elif self._top:
            # The cursor keeps its line on screen while rows arrive above it.
            self._top += position - self._cursor_position
        self._cursor_position = position
        lowest = max(0, count - self._height)
        in_view = max(position - self._height + 1, min(self._top, position))
        self._top = max(0, min(in_view, lowest))

    def move(self, place: int) -> None:
        """Move the cursor to a position, or the nearest that exists."""
        self._move(lambda: place)

    def move_to(self, key: K) -> None:
        """Move the cursor to the row with this id, if it is here, until the next visit."""
        position = self._ordering.of(key)
        if position is not None:
            self.move(position)
            self._is_moved = False

    def action_move(self, steps: int) -> None:
        self._move(lambda: self._cursor_position + steps)

    def action_page(self, halves: int) -> None:
        self.action_move(halves * max(1, self._height // 2))

    def action_first(self) -> None:
        self.move(0)

    def action_last(self) -> None:
        self._move(lambda: len(self._ordering) - 1)

    def _move(self, place: Callable[[], int]) -> None:
        self._put_cursor(place())
        self.settle_cursor()

    def mark(self) -> None:
        """Mark the row under the cursor, or unmark it, and go to the next.

        A row that is not read yet stays unmarked, with the cursor on it.
        """
        if self._cursor is None or (row := self.selected) is None:
            return
        if self._cursor in self.marks:
            del self.marks[self._cursor]
        else:
            self.marks[self._cursor] = row
        self.action_move(1)

    def _put_cursor(self, place: int) -> None:
        self._is_on_first, self._left_row = False, None
        if count := len(self._ordering):
            self._cursor_position = max(0, min(place, count - 1))
            self._cursor = self._ordering[self._cursor_position]
            self._is_moved = self._cursor_position > 0

    def action_open(self) -> None:
        if self.selected is not None:
            self._opened(self.selected)

    def action_sort_next(self) -> None:
        """Sort by the next column on screen."""
        on_screen = [self.columns[slot.index] for slot in self._places]
        shown = [column for column in on_screen if column in self.sortable]
        if shown:
            first = self.sorts[0].column if self.sorts else None
            now = shown.index(first) if first in shown else -1
            self.sort_by([Sort(shown[(now + 1) % len(shown)])])

    def action_sort_turn(self) -> None:
        self.sort_by([sort.reversed() for sort in self.sorts])

    def on_click(self, event: events.Click) -> None:
        row = self._top + event.y - HEADING
        if event.y >= HEADING and row < len(self._ordering):
            self.point_at(row, self._cursor_position)

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """Show as many rows as there is room for now."""
        self.settle()

    def _compose_line(self, y: int) -> Line:
        position = self._top + y
        ordering = self._ordering
        if not ordering.holds(position):
            return Line()
        key = self._ordering[position]
        selected = self.has_focus and position == self._cursor_position
        return Line(self._cells_at(key), selected, self._is_thumb(y), marked=key in self.marks)

    def _cells_at(self, key: K) -> Cells:
        """Return the cells of a row, which are kept until it is another or `settle` is called."""
        row, kept = self._rows[key], self._cells.get(key)
        if kept is None or kept[0] is not row:
            if len(self._cells) >= ROWS_ON_SCREEN:
                self._cells.clear()
            kept = self._cells[key] = row, self._cells_of(row)
        return kept[1]

    def _cells_of(self, row: R) -> Cells:
        return tuple(column.cell(row) for column in self.columns)

    def _is_thumb(self, y: int) -> bool:
        return y in self._thumb
