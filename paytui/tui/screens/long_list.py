"""A screen with a list that may exceed memory; its rows are read from the cache then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from paytui.domain.models import Kind
from paytui.store.cache.file import CacheUnusable
from paytui.store.cache.list_query import Interrupted
from paytui.store.cache.list_tables import CURRENCY_OF, OWNER, PAYEE, list_tables
from paytui.store.fields import find_fields
from paytui.store.filter import FilterError
from paytui.store.names import Owner
from paytui.store.store import CacheState
from paytui.store.sums import NOTHING, Group, GroupBy
from paytui.tui.format.feeds import counted
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.store_bridge import TableReader
from paytui.tui.table.query_list import Lookup, QueryList, QueryState
from paytui.tui.ui_context import UiContext

SUMS_EVERY = 1.0  # Seconds between the sums of a query while rows are written


class LongListPage(ListPage[Any, Any]):
    """A list of payments, trades or pay-ins: of all, or of those of one object."""

    list_class = QueryList
    _list: QueryList

    def __init__(
        self, ui: UiContext, listing: ListSpec[Any, Any], kind: Kind, owner: Owner | None = None
    ) -> None:
        """`owner` is the object that the rows belong to, as `listing.only` says; None: any."""
        super().__init__(ui, listing)
        self._kind = kind
        self._owner = owner
        self._read_from: CacheState | None = None
        self._is_export_awaited = False
        self._is_summing = self._are_marks_old = False
        self._summed_at = 0.0
        columns = (*listing.columns, *listing.others)
        found = {column.id: self._order_fields(column.id) for column in columns}
        self._list.order_fields = {name: fields for name, fields in found.items() if fields}
        self._list.newest = listing.table.get

    def _order_fields(self, column: str) -> tuple[str, ...]:
        """Return what a query sorts by for a column; nothing if that is not cached."""
        table = list_tables()[self._kind]
        names = tuple(field.name for field in find_fields(column, self._fields))
        if column == "to":
            return (PAYEE,)
        if column == "account":
            return (OWNER,)
        names = (*(CURRENCY_OF[name] for name in names if name in CURRENCY_OF), *names)
        return names if all(table.column(n) or table.column(f"{n}_id") for n in names) else ()

    async def pull_rows(self) -> None:
        """Take in changes: of a query by reading it again, else of the table."""
        cache, before = self.ui.cache_of(self._kind), self._read_from
        self._read_from = cache
        if cache is None:
            if self._list.is_query:
                self._list.leave_query()
                self._reader = TableReader(self._listing.table, self._list.apply)
                self._refilter()
            await super().pull_rows()
        elif before is None or cache.file != before.file:
            self._refilter()
        else:
            self._are_marks_old |= cache != before and bool(self._list.marks)
            self._list.refresh_rows(has_changed=cache != before)

    def _refilter(self) -> None:
        cache, lists = self.ui.cache_of(self._kind), self.ui.lists
        if cache is None or lists is None:
            if not self._list.is_query:  # else the next pull leaves it
                super()._refilter()
            return
        self._filtered_at = self.ui.time.clock.boot()
        scope = None if self.ui.scope is None else (Kind.ACCOUNTS, self.ui.scope)
        self._list.look_up(
            Lookup(
                reader=lists,
                file=cache.file,
                kind=self._kind,
                filter=self._row_filter.text,
                owner=self._owner or scope,
                when=self._when,
            )
        )

    def on_query_list_failed(self, event: QueryList.Failed) -> None:
        """Name an invalid filter; show the rows in memory if the cache cannot be read."""
        if event.problem:
            self._filter_error = event.problem
            self._list.dim(yes=True)
            self._update_title()
        else:
            self.run_worker(self.pull())

    def _update_marks(self) -> None:
        if self._list.is_query:  # only some rows of it are in the table
            self._list.marks.update(self._listing.table.get)
        else:
            super()._update_marks()

    def _update_sums(self) -> None:
        super()._update_sums()
        if self._are_marks_old and self._list.is_query and not self._is_summing:
            self.run_worker(self._beside_windows(self._read_marks), group="sums")

    def _sum_all(self, kind: Kind) -> None:
        """Sum up a query after its window: again at most once a second while rows are written."""
        if not self._list.is_query:
            super()._sum_all(kind)
            return
        state, before = self._list.state, self._summed
        is_same = isinstance(before, QueryState) and before.query == self._list.asked
        is_due = not is_same or self.ui.time.clock.boot() - self._summed_at >= SUMS_EVERY
        if state not in (None, before) and is_due and not self._is_summing:
            self.run_worker(self._beside_windows(self._sum_query), group="sums")
        if is_same:
            self._show_sums()
        else:
            self._sum_line.say("", NOTHING)

    async def _read_marks(self) -> None:
        self._are_marks_old = False
        try:
            await self._list.read_marked()
        except BaseException:
            self._are_marks_old = True
            raise

    async def _sum_query(self) -> None:
        if (state := self._list.state) is not None:  # else it is summed up after the next window
            self._sums, self._summed = await self._list.read_sums(), state
            self._summed_at = self.ui.time.clock.boot()

    async def _groups(self, kind: Kind, by: GroupBy) -> list[Group] | None:
        if not self._list.is_query or self._list.marks:
            return await super()._groups(kind, by)
        while True:
            try:
                return await self._list.read_groups(by)
            except Interrupted:
                continue
            except (CacheUnusable, FilterError):
                return None

    async def _beside_windows(self, read: Callable[[], Awaitable[None]]) -> None:
        """Read something that gives way to windows, and is read again after them."""
        self._is_summing = True
        try:
            await self._list.painted()
            await read()
        except Interrupted:
            self.call_later(self._update_sums)
            return
        except (CacheUnusable, FilterError):
            return
        finally:
            self._is_summing = False
        self._list.settle_cursor()
        self._update_title()
        self._update_sums()

    def action_export(self) -> None:
        """Export the rows once their number is known."""
        self._is_export_awaited = self._list.is_query and self._list.is_filtering
        if not self._is_export_awaited:
            super().action_export()

    def on_data_list_filtered(self) -> None:
        if self._is_export_awaited:
            self.action_export()

    def _counted_rows(self) -> str:
        """Return `34,000 of 34,120 payments` while rows are being written.

        Name what was left out if the cache cannot be used.
        """
        shown, total = len(self._list), self.ui.store.feed(self._kind).total or 0
        is_all = not self._row_filter.tests and self.ui.scope is None and self._owner is None
        if self._list.is_query and is_all and shown < total:
            return f"{shown:,} of {counted(total, self._row_spec.noun)}"
        if not self._list.is_query and self.ui.store.left_out(self._kind):
            return f"{super()._counted_rows()} in memory: the cache file failed"
        return super()._counted_rows()
