"""The reader of rows that belong to the object of a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import methodcaller

from paytui.domain.models import Kind
from paytui.store.cache.file import CacheUnusable
from paytui.store.cache.list_query import ListQuery, SortBy
from paytui.store.cache.list_reader import Anchor, Interrupted, Window
from paytui.store.filter import TimeContext
from paytui.store.related import Owner, Related, related_in_memory
from paytui.tui.ui_context import UiContext

_NEWEST_FIRST = (SortBy("created_at", descending=True),)


class RelatedReader:
    """A reader of the newest rows of some kinds that belong to an object.

    Long lists are read from the cache, others from memory, each if it has changed.

    Args:
        most: number of rows of each kind.
    """

    def __init__(self, ui: UiContext, owner: Owner, kinds: Sequence[Kind], most: int) -> None:
        self._ui = ui
        self._owner = owner
        self._kinds = kinds
        self._most = most
        self._read_at: dict[Kind, object] = {}
        self._found: dict[Kind, Related] = {}

    async def read(self) -> Mapping[Kind, Related]:
        """Return the rows of each kind, as they are in memory now if they are there."""
        for kind in self._kinds:
            table, cache = self._ui.store.table(kind), self._ui.cache_of(kind)
            version = table.version if cache is None else cache
            if self._read_at.get(kind) != version:
                self._read_at[kind] = version
                self._found[kind] = await self._read(kind)
            if cache is not None:
                found = self._found[kind]
                rows = tuple(table.get(table.key(row)) or row for row in found.newest)
                self._found[kind] = replace(found, newest=rows)
        return self._found

    async def _read(self, kind: Kind) -> Related:
        ui, query = self._ui, ListQuery(kind, _NEWEST_FIRST, owner=self._owner)
        when = TimeContext(ui.time.latest, ui.zone)
        window = methodcaller("window", query, when, Anchor(), self._most - 1)
        while ui.lists is not None and (cache := ui.cache_of(kind)) is not None:
            try:
                found: Window = await ui.lists.read(cache.file, window)
            except (Interrupted, CacheUnusable):  # by another screen; or it is in memory then
                continue
            return Related(found.rows, found.total, is_whole=True)
        return related_in_memory(ui.store, self._owner, kind, self._most)
