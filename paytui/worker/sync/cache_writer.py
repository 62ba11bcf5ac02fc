"""What is known is kept for the next start, in small batches; nothing that fails here disturbs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from itertools import islice

from paytui.domain.models import Kind
from paytui.platform.clock import Clock
from paytui.store.cache.file import CacheUnusable
from paytui.store.cache.read import CacheRestore
from paytui.store.cache.records import KEPT
from paytui.store.cache.write import CacheWriter
from paytui.store.store import Store
from paytui.store.table import SLICE
from paytui.worker.sync.health import feed_after_bug, unexpected
from paytui.worker.sync.on_demand import OpenReader
from paytui.worker.tasks import next_turn

EVERY = 5.0
"""Seconds between two batches."""

AGES_EVERY = 60.0
"""Seconds after which it is written that a list, in which nothing changed, was read again."""

_OVER = object()

MOST_AT_THE_END = 20
"""Slices that the end of the process waits for at the most."""


class CacheSync:
    """Brings back what was known last time, then keeps what is known from now on.

    What is too much for the memory leaves it once it is written.

    Args:
        store: what is known.
        clock: the host's.
        recall: brings back the rest; None: nothing is kept, and only the memory is bounded.
        open_writer: told whether what is there is to be thrown away first.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        recall: CacheRestore | None,
        open_writer: Callable[[bool], CacheWriter],
    ) -> None:
        self._store = store
        self._clock = clock
        self._recall = recall
        self._open_writer = open_writer
        self._writer: CacheWriter | None = None
        self._since = self._versions()
        self._noted: dict[Kind, float] = {}

    async def run(self) -> None:
        """Bring back, then keep, until cancelled."""
        if self._recall is not None:
            await self._bring_back(self._recall)
        while True:
            await asyncio.sleep(EVERY)
            for kind in KEPT:
                with self._giving_up(kind):
                    await self._keep_all(kind)
                    await self._bound(kind)

    @property
    def open_reader(self) -> OpenReader | None:
        """What opens the cache, for whoever looks for what is not in memory."""
        return None if self._recall is None else self._recall.reader

    def close(self) -> None:
        """Keep what changed last, if it is not much, and let go of the file."""
        left = MOST_AT_THE_END
        try:
            for kind in KEPT:
                while self._writer is not None and left and self._keep(kind):
                    left -= 1
                if left:
                    self._note(kind, 0.0)
        except CacheUnusable:
            pass
        self._give_up()

    async def _bring_back(self, recall: CacheRestore) -> None:
        """Slice by slice; of what comes from the cache nothing is written again."""
        self._open(anew=False)
        slices, more = recall.rest(), True
        while more:
            self._catch_up()
            more = next(slices, _OVER) is not _OVER
            self._since = self._versions()
            await next_turn(self._store, self._clock, SLICE)
        if recall.failed:
            self._give_up()
            self._open(anew=True)
            self._since = dict.fromkeys(KEPT, 0)

    def _open(self, *, anew: bool) -> None:
        with suppress(CacheUnusable):
            self._writer = self._open_writer(anew)

    def _catch_up(self) -> None:
        for kind in KEPT:
            with self._giving_up(kind):
                while self._keep(kind):
                    pass

    def _versions(self) -> dict[Kind, int]:
        return {kind: self._store.table(kind).version for kind in KEPT}

    async def _keep_all(self, kind: Kind) -> None:
        retention = self._store.retention(kind)
        beyond = iter([] if retention is None else retention.beyond())
        while (chunk := list(islice(beyond, SLICE))) and self._writer is not None:
            self._writer.keep(kind, chunk, [])
            await next_turn(self._store, self._clock, SLICE)
        while self._keep(kind):
            await next_turn(self._store, self._clock, SLICE)
        self._note(kind, AGES_EVERY)  # nothing came since the last slice

    async def _bound(self, kind: Kind) -> None:
        """Let go of the rows that are too many, which are written by now, where they can be."""
        retention, table = self._store.retention(kind), self._store.table(kind)
        surplus = iter([] if retention is None else retention.surplus())
        while chunk := list(islice(surplus, SLICE)):
            while self._keep(kind):
                await next_turn(self._store, self._clock, SLICE)
            unchanged = [table.key(row) for row in chunk if table.get(table.key(row)) is row]
            table.remove(unchanged)
            self._since[kind] = table.version  # they are not gone at the service
            await next_turn(self._store, self._clock, SLICE)

    def _keep(self, kind: Kind) -> bool:
        """Write a slice of what changed; True while there is more."""
        if self._writer is None:
            return False
        table = self._store.table(kind)
        if table.version == self._since[kind]:
            return False
        changes, retention = table.changes(self._since[kind]), self._store.retention(kind)
        gone: Collection[str] = changes.removed
        if changes.there is not None and not (retention and retention.in_force):
            gone = changes.gone(self._writer.ids(kind))
        self._writer.keep(kind, changes.rows, gone)
        self._since[kind] = changes.version
        return changes.more

    def _note(self, kind: Kind, every: float) -> None:
        """Write how old a list is, now that all of it is written."""
        feed = self._store.feed(kind)
        last = self._noted.get(kind)
        if self._writer is None or not feed.was_read or feed.read_at is None:
            return
        if last is not None and feed.read_at - last < every:
            return
        self._noted[kind] = feed.read_at
        self._writer.note(feed, self._wall_time(feed.read_at))

    def _wall_time(self, boot: float) -> datetime:
        return self._clock.now() - timedelta(seconds=self._clock.boot() - boot)

    @contextmanager
    def _giving_up(self, kind: Kind) -> Iterator[None]:
        """Go on without a cache where it fails; a mistake of ours is said, and stops no feed."""
        try:
            yield
        except CacheUnusable:
            self._give_up()
        except Exception as error:  # noqa: BLE001 - whatever it was
            self._give_up()
            self._tell(kind, error)

    def _tell(self, kind: Kind, error: Exception) -> None:
        """Say that a mistake of ours was made, until the list is read again."""
        failure = unexpected(f"keep {kind.value.replace('_', ' ')} for the next start", error)
        feed = feed_after_bug(self._store.feed(kind), failure, self._clock.now())
        self._store.set_feed(feed)
        self._store.notify()

    def _give_up(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
