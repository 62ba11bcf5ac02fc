"""The list widget of long lists: it holds a window of rows that is read from the cache."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message

from paytui.domain.models import Record
from paytui.store.cache.file import CacheUnusable
from paytui.store.cache.list_query import Anchor, Interrupted, ListQuery, SortBy, Window
from paytui.store.filter import FilterError, TimeContext
from paytui.store.store import CacheFile
from paytui.store.sums import Group, GroupBy, Sums
from paytui.tui.store_bridge import WindowReader, all_rows
from paytui.tui.table.columns import Column, Sort
from paytui.tui.table.data_list import DataList, Positions
from paytui.tui.textual_bindings import MOTIONS, ON_ROW
from paytui.tui.textual_internals import HookedScreen

if TYPE_CHECKING:
    from paytui.store.cache.list_reader import ListReader

LONGEST_WAIT = 3.0  # Seconds for which a key waits for the row that it is meant for

SOON = 0.05  # Seconds for which what was asked for waits to be painted with its rows

REACH = 3  # View heights around the cursor that a window covers


@dataclass(frozen=True, slots=True)
class Lookup:
    """A query of a list, but for its order.

    `when` is the clock and the zone of the filter.
    """

    reader: WindowReader
    file: CacheFile
    query: ListQuery
    when: TimeContext


@dataclass(frozen=True, slots=True)
class AllRows:
    """All rows of a query, for another thread to read; their number is that on screen."""

    lookup: Lookup
    query: ListQuery
    total: int

    def __len__(self) -> int:
        return self.total

    def __iter__(self) -> Iterator[Record]:
        return all_rows(self.lookup.file, self.query, self.lookup.when)


@dataclass(frozen=True, slots=True)
class QueryState:
    """A query and what else its rows depend on: the file's version, and the time of its filter."""

    query: ListQuery
    version: int
    looked_up: int


class QueryList(DataList[str, Record]):
    """A list that shows a query of the cache, or rows in memory like any other.

    The window reaches a few screens beyond the cursor. A move within it needs no read; one beyond
    it waits for the next window.

    Attributes:
        order_fields: the sort columns of a query by the id of a column of the list.
        newest: returns a row as it is in memory, which is newer than the cache; None: not there.
    """

    order_fields: Mapping[str, tuple[str, ...]]
    newest: Callable[[str], Record | None]

    class Failed(Message):
        """Posted when a query cannot be read.

        Attributes:
            problem: what is wrong with the filter; empty if the cache cannot be read.
        """

        def __init__(self, problem: str) -> None:
            super().__init__()
            self.problem = problem

    _lookup: Lookup | None = None
    _looked_up = 0  # Number of calls of `look_up`: the time is another each time
    _window: Window | None = None
    _window_query: ListQuery | None = None
    _wanted: Anchor | None = None
    _sought: str | None = None  # The row that the cursor goes to once it is written
    _is_reading = False
    _may_read: asyncio.Event  # Set by a paint, and by what a paint waits for
    _has_read: asyncio.Event  # Set by each read, for keys that wait for their row
    _moves_later: tuple[Callable[[], int], ...] = ()

    @property
    def is_query(self) -> bool:
        return self._lookup is not None

    def look_up(self, lookup: Lookup) -> None:
        """Show the rows of a query; the cursor stays on its row, if that is among them."""
        if self._lookup is None:
            self._positions = Positions()
            self._rows.clear()
            self._sort_keys.clear()
        elif lookup.file != self._lookup.file:
            self._window_query = None  # what is held is of no use to read this one
        self._lookup = lookup
        self._looked_up += 1
        self._ask()

    def leave_query(self) -> None:
        """Show rows in memory again: those of the next changes."""
        self._lookup = self._window = self._window_query = self._wanted = None
        self._rows, self._order, self._positions = {}, [], None
        self._moves_later, self.is_partial = (), False
        self.settle()

    def refresh_rows(self, *, has_changed: bool) -> None:
        """Show the rows as they are in memory; read them again if the cache has changed."""
        self._rows.update((key, row) for key in self._rows if (row := self.newest(key)))
        if has_changed:
            self._read_again()

    # Reads

    def _ask(self) -> None:
        """Read other rows. What was asked for is painted with them, or soon if they take longer."""
        self._read_again(is_other=True)
        if isinstance(self.screen, HookedScreen):
            self.screen.hold_paint(SOON, self._show_asked)

    def _show_asked(self) -> None:
        self.show_headings()
        self.post_message(self.Filtered())

    @property
    def _query(self) -> ListQuery:
        assert self._lookup is not None, "only a query is read"
        order = tuple(
            SortBy(field, sort.descending)
            for sort in self.sorts
            for field in self.order_fields.get(sort.column.id, ())
        )
        return replace(self._lookup.query, order=order)

    def _read_again(self, *, is_other: bool = False) -> None:
        anchor = Anchor(self._sought or self._cursor, self._cursor_position)
        if self._sought is None and self._is_on_first:
            anchor = Anchor()
        self._read(anchor, is_other=is_other)

    def _read(self, anchor: Anchor, *, is_other: bool = False) -> None:
        """Read the rows around an anchor next; another query ends a read under way."""
        self._wanted = anchor
        if is_other and self._lookup is not None:
            self._lookup.reader.interrupt()
        if not self._is_reading:
            self._is_reading = True
            self._may_read, self._has_read = asyncio.Event(), asyncio.Event()
            self.run_worker(self._read_windows(), group="windows")
        if is_other or self._moves_later:
            self._may_read.set()  # the paint waits for it, or keys do

    def _next(self) -> Anchor | None:
        wanted, self._wanted = self._wanted, None
        return wanted

    async def _read_windows(self) -> None:
        try:
            while True:
                is_held = self._window is not None and self._window_query == self._query
                if is_held and not self._moves_later:
                    self.screen.call_after_refresh(self._may_read.set)
                    await self._may_read.wait()
                self._may_read.clear()
                if not ((anchor := self._next()) and (lookup := self._lookup)):
                    break
                query = self._query
                is_wanted = partial(self._is_current, lookup, query)
                held = self._window if query == self._window_query else None
                # At first what is on screen; the next read reaches further.
                reach = self._height if held is None else (REACH + 1) * self._height
                read: Callable[[ListReader], Window] = (
                    methodcaller("opening", query, lookup.when, reach)
                    if held is None and anchor == Anchor()
                    else methodcaller("window", query, lookup.when, anchor, reach, held)
                )
                try:
                    window = await lookup.reader.read(lookup.file, read, is_wanted=is_wanted)
                except Interrupted:  # perhaps by another list
                    self._wanted = self._wanted or anchor
                except (FilterError, CacheUnusable) as error:
                    self._moves_later = ()
                    problem = str(error) if isinstance(error, FilterError) else ""
                    self.post_message(self.Failed(problem))
                else:
                    if is_wanted():
                        self._take(query, window)
                        if not window.is_whole:
                            self._wanted = self._wanted or anchor
                self._has_read.set()
        finally:
            self._is_reading = False
            self._has_read.set()

    def _is_current(self, lookup: Lookup, query: ListQuery) -> bool:
        return lookup is self._lookup and query == self._query

    async def painted(self) -> None:
        """Wait until rows are on screen: reading more would slow down their painting."""
        painted = asyncio.Event()
        self.call_after_refresh(painted.set)
        await painted.wait()

    def _take(self, query: ListQuery, window: Window) -> None:
        keys = tuple(map(self._key, window.rows))
        if query == self._window_query:
            self._move_positions(keys, window.first)
        ordering = Positions(keys, window.first, window.total)
        if self._moves_later:
            if query != self._window_query:
                self._begin_moves(ordering)
            place = self._moves_later[0]()
            if window.is_placed and not ordering.reaches(place, self._height):
                self._read(Anchor(position=place))
                return
        elif not (
            self._is_on_first or self._cursor in keys or ordering.reaches(self._cursor_position, 0)
        ):
            self._read_again()  # the cursor was moved meanwhile
            return
        if query != self._window_query:
            self.forget_widths()
            self.show_headings()
        self._window_query, self.is_partial = query, not window.is_whole
        self._show(window)

    def _begin_moves(self, ordering: Positions[str]) -> None:
        """Find the position from which pending moves begin in another list."""
        at = 0 if self._is_on_first or self._cursor is None else ordering.of(self._cursor)
        if at is not None:
            self._cursor_position = at

    def _move_positions(self, keys: Sequence[str], first: int) -> None:
        """Correct all positions once those of the window are known: by a row of both windows."""
        held = self._window
        if held is None or held.is_placed:
            return
        for place, key in enumerate(keys, first):
            if (before := self._ordering.of(key)) is not None:
                by = place - before
                self._cursor_position += by
                self._top += by
                self._window = replace(held, first=held.first + by, is_placed=True)
                self._positions = Positions(tuple(self._rows), held.first + by, held.total)
                if self._wanted and self._wanted.key:
                    self._wanted = replace(self._wanted, position=self._wanted.position + by)
                return

    def _is_thumb(self, y: int) -> bool:
        is_placed = self._window is None or self._window.is_placed
        return is_placed and super()._is_thumb(y)

    def _show(self, window: Window) -> None:
        rows = {self._key(row): self.newest(self._key(row)) or row for row in window.rows}
        self._window, self._rows = window, rows
        self._positions = Positions(tuple(rows), window.first, window.total)
        if self._sought in rows:
            self._cursor, self._is_on_first, self._is_moved = self._sought, False, False
            self._sought = None
        if self._cursor is None or self._cursor in rows:
            self._find_cursor()  # from which moves that waited begin
        self._move_on()
        self.settle_cursor()
        self.post_message(self.Filtered())

    # Sums

    @property
    def state(self) -> QueryState | None:
        """Return the state of the query; None while its rows are being found."""
        if self._window is None or self.is_filtering:
            return None
        return QueryState(self.asked, self._window.version, self._looked_up)

    @property
    def asked(self) -> ListQuery:
        """Return the query without its order, on which its sums do not depend."""
        assert self._lookup is not None, "only a query is asked"
        return self._lookup.query

    async def read_sums(self) -> Sums:
        """Sum up all rows of the query; a window that is wanted meanwhile raises Interrupted."""
        assert self._lookup is not None, "only a query is read"
        sums = methodcaller("sums", self._query, self._lookup.when)
        return await self._lookup.reader.read(self._lookup.file, sums, gives_way=True)

    async def read_groups(self, by: GroupBy) -> list[Group]:
        assert self._lookup is not None, "only a query is read"
        groups = methodcaller("groups", self._query, self._lookup.when, by)
        return await self._lookup.reader.read(self._lookup.file, groups)

    async def read_marked(self) -> None:
        """Read the marked rows again, and unmark those that are gone."""
        assert self._lookup is not None, "only a query is read"
        asked = dict.fromkeys(self.marks)
        by_id = methodcaller("by_id", self._lookup.query.kind, tuple(asked))
        rows = await self._lookup.reader.read(self._lookup.file, by_id, gives_way=True)
        found = {self._key(row): row for row in rows}
        found |= {key: row for key, row in self.marks.items() if key not in asked}
        self.marks = {key: row for key in self.marks if (row := self.newest(key) or found.get(key))}

    # What works otherwise than in memory

    @property
    def sortable(self) -> tuple[Column[Record], ...]:
        """The columns to sort by; in a query those that the cache holds."""
        if self._lookup is None:
            return self._sortable
        return tuple(column for column in self._sortable if column.id in self.order_fields)

    @sortable.setter
    def sortable(self, columns: tuple[Column[Record], ...]) -> None:
        self._sortable = columns

    @property
    def is_filtering(self) -> bool:
        is_other = self.is_query and (self._window is None or self._window_query != self._query)
        return is_other or self.is_partial

    def rows(self) -> list[Record] | AllRows:  # type: ignore[override]
        if self._lookup is None:
            return super().rows()
        return AllRows(self._lookup, self._query, len(self))

    def every_row(self) -> list[Record]:
        """Return all rows in memory, matching or not; of a query none."""
        return [] if self.is_query else super().every_row()

    @property
    def selected(self) -> Record | None:
        """The row under the cursor; None while it is not known yet."""
        if self._lookup is None:
            return super().selected
        if self._cursor is None or self._is_on_the_way:
            return None
        return self._rows.get(self._cursor)

    async def on_key(self, event: events.Key) -> None:
        """Let an action wait for the row that the cursor goes to; `OrderedKeys` runs it next.

        An action on a row that is not read in time is not run.
        """
        if not self._is_on_the_way:
            return
        found = self.screen.active_bindings.get(event.key)
        if found is None or found.binding.id in MOTIONS:
            return
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                while self._is_reading and self._is_on_the_way:
                    self._has_read.clear()
                    await self._has_read.wait()
        except TimeoutError:
            if found.binding.id in ON_ROW and self._is_on_the_way:
                self.notify("The row under the cursor is still being read. Try again in a moment.")
                event.prevent_default().stop()

    @property
    def _is_on_the_way(self) -> bool:
        """Return True if the cursor goes to a row that is not read yet."""
        return bool(self._moves_later) or self._awaits_first

    @property
    def _awaits_first(self) -> bool:
        return self._is_on_first and self.is_filtering and not self.is_partial

    def sort_by(self, sorts: tuple[Sort[Record], ...]) -> None:  # type: ignore[override]
        if self._lookup is None:
            super().sort_by(sorts)
            return
        self.sorts, self._is_on_first = tuple(sorts), False
        self._ask()

    def _find_cursor(self) -> None:
        """Find the cursor in the window; the first row may be beyond it until the next read."""
        if self._lookup is None or not self._is_on_first or self._ordering.reaches(0, 0):
            super()._find_cursor()
        elif self._wanted is None:
            self._read(Anchor())

    def move_to(self, key: str) -> None:
        if self._lookup is None:
            super().move_to(key)
        else:
            self._sought = key
            self._read(Anchor(key, self._cursor_position))

    def visit(self) -> None:
        """Bring the cursor back to the first row, unless a move still waits for its row."""
        if not self._moves_later:
            super().visit()

    def _move(self, place: Callable[[], int]) -> None:
        if self._lookup is None:
            super()._move(place)
            return
        self._sought = None
        self._moves_later += (place,)
        if self._move_on():
            self.settle_cursor()

    def _move_on(self) -> bool:
        """Carry out pending moves as far as rows are read; read on before the last of them.

        Return True if the cursor moved.
        """
        waiting, has_moved, height = self._moves_later, False, self._height
        while waiting and not self.is_filtering and self._ordering.reaches(waiting[0](), height):
            self._put_cursor(waiting[0]())
            waiting, has_moved = waiting[1:], True
        self._moves_later = waiting
        place = waiting[0]() if waiting else self._cursor_position
        is_placed = self._window is None or self._window.is_placed
        is_near = is_placed and not waiting and self._ordering.reaches(place, 2 * height)
        if not (is_near or (self.is_filtering and self._is_reading)):
            self._read(self._anchor_at(place))
        return has_moved

    def _anchor_at(self, place: int) -> Anchor:
        """Return the held row that is nearest to a position, if it is near enough."""
        if self._window and self._window.rows:
            first, last = self._window.first, self._window.first + len(self._rows) - 1
            nearest = max(first, min(place, last))
            if abs(place - nearest) < REACH * self._height:
                return Anchor(self._ordering[nearest], nearest)
        return Anchor(position=place)

    def _fit(self) -> None:
        if self._lookup is None:
            super()._fit()
            return
        if not self._ordering.reaches(self._cursor_position, self._height):
            self._read_again()
        self.settle()
