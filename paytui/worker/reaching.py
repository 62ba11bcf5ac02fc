"""Brings what is not in memory back for who looks for it: from the cache, and from the service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from paytui.api.errors import ApiError
from paytui.domain.models import Kind, Record
from paytui.domain.older_rows import Reach
from paytui.store.cache.file import Unusable
from paytui.store.cache.read import CacheReader
from paytui.worker.polling import Shared

MOST = 1_000
"""Rows that are brought back at the most, the newest of them."""

OpenReader = Callable[[], CacheReader]
"""Raises `Unusable`."""


class Reaching:
    """Only the newest wish counts: what an earlier one brought stays no longer than others.

    Args:
        open_reader: opens the cache; None: there is none.
    """

    def __init__(self, shared: Shared, open_reader: OpenReader | None) -> None:
        self._shared = shared
        self._open_reader = open_reader
        self._wanted: list[tuple[Kind, Reach]] = []
        self._wake = asyncio.Event()

    def ask(self, kind: Kind, reach: Reach) -> None:
        """Bring this back now, if not all of its kind is in memory."""
        self._wanted = [(kind, reach)]
        self._wake.set()

    async def run(self) -> None:
        """Bring back what is asked for, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._wanted:
                await self._reach(*self._wanted.pop())

    async def _reach(self, kind: Kind, reach: Reach) -> None:
        store = self._shared.store
        retention, table = store.retention(kind), store.table(kind)
        if retention is None or not retention.in_force:
            return
        rows = self._kept(kind, reach)
        retention.reached = frozenset({table.key(row) for row in rows} | {reach.identifier})
        table.recall(rows)
        store.notify()
        if reach.identifier:
            await self._read(kind, reach.identifier)

    def _kept(self, kind: Kind, reach: Reach) -> list[Record]:
        """What the cache holds of it."""
        if self._open_reader is None:
            return []
        try:
            reader = self._open_reader()
        except Unusable:
            return []
        try:
            return reader.reach(kind, reach, MOST)
        except Unusable:
            return []
        finally:
            reader.close()

    async def _read(self, kind: Kind, identifier: str) -> None:
        """What the service says of it now; that it says nothing is seen in the list."""
        shared = self._shared
        try:
            async with shared.slots:
                row = await shared.client.get(kind, identifier)
            shared.store.table(kind).put([row])
            shared.store.notify()
        except ApiError:
            return
        except Exception as error:  # noqa: BLE001 - a mistake of ours here must not stop the feeds
            shared.tell_mistake(kind, f"read {identifier}", error)
