"""Reads what changed in a table since it last looked, a slice at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from paytui.store.table import Changes, Table

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class TableReader(Generic[K, R]):
    """Carries changes of one table to one widget."""

    def __init__(self, table: Table[K, R], apply: Callable[[Changes[K, R]], None]) -> None:
        self._table = table
        self._apply = apply
        self._since = 0

    async def pull(self) -> bool:
        """Hand on what changed; between slices other tasks have their turn.

        Returns:
            Whether anything did.
        """
        changed = False
        more = self._table.version != self._since
        while more:
            changes = self._table.changes(self._since)
            self._apply(changes)
            self._since, more = changes.version, changes.more
            changed = True
            if more:
                await asyncio.sleep(0)
        return changed
