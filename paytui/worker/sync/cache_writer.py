"""The cache: loaded at start, then written in small batches. Failures do not stop the worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from paytui.domain.models import Kind, Record
from paytui.platform.clock import Clock
from paytui.platform.interpreter import release_memory
from paytui.platform.processes import RunInThread, run_in_daemon_thread
from paytui.store.cache.file import CacheUnusable
from paytui.store.cache.read import CacheRestore
from paytui.store.cache.records import KEPT
from paytui.store.cache.write import CacheWriter, PrivateWriter
from paytui.store.payable import ARRIVED
from paytui.store.store import GROWING, CacheFile, CacheState, Store
from paytui.store.table import SLICE
from paytui.worker.sync.shared import next_turn, report_bug

if TYPE_CHECKING:
    from paytui.store.cache.list_reader import ListReader


EVERY = 5.0  # Seconds between two batches
EVERY_SHOWN = 0.5  # The same while screens read a list from the cache
COMPARED_EVERY = 60.0  # Seconds between comparisons of a long list with its total, until it fits
AGES_EVERY = 60.0  # Seconds between writes of the age of an unchanged list

PART = 100  # Rows written at once: for some milliseconds, in which a screen gets half as far
MOST_AT_THE_END = 100  # Maximum number of parts written at exit


_Part = tuple[Callable[[], None], Callable[[], None]]
"""Some rows of a kind: the call that writes them, and the one that notes that they are written. It
comes after the write has ended, as one that is cancelled may be undone."""


class CacheSync:
    """A task that loads the cache, then writes changes of the store to it.

    Surplus rows leave memory once they are written.

    Args:
        recall: loads the rest of the cache; None: no cache, only a private file.
        open_writer: opens the cache; True discards its content.
        open_private: opens a file for this process alone, if no cache can be used.
        in_thread: runs what takes long beside the loop.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        recall: CacheRestore | None,
        open_writer: Callable[[bool], CacheWriter],
        *,
        open_private: Callable[[], CacheWriter] = PrivateWriter,
        in_thread: RunInThread = run_in_daemon_thread,
    ) -> None:
        self.in_thread = in_thread
        self._store = store
        self._clock = clock
        self._recall = recall
        self._open_writer = open_writer
        self._open_private = open_private
        self._wake = asyncio.Event()
        self._writer: CacheWriter | None = None
        self._opened = self._writes = 0
        self._whole: frozenset[Kind] = frozenset()
        self._indexed: set[Kind] = set()
        self._compared: set[Kind] = set()
        self._fitted_at: dict[Kind, float | None] = {}
        self._beyond: dict[Kind, list[Record]] = {kind: [] for kind in KEPT}
        self._compare_at = dict.fromkeys(KEPT, 0.0)
        self._announced_at = 0.0
        self._paid_at: int | None = None
        self._is_private = False
        self._since = dict.fromkeys(KEPT, 0)
        self._ages_written: dict[Kind, float] = {}

    async def run(self) -> None:
        """Load the cache, then write changes, until cancelled."""
        if self._recall is None:
            self._open(anew=False)
        else:
            await self._restore(self._recall)
        retentions = [one for kind in GROWING if (one := self._store.retention(kind)) is not None]
        try:
            for retention in retentions:
                retention.when_full = self._wake.set
            while True:
                await self._pause()
                for kind in KEPT:
                    with self._guarded(kind):
                        await self._write_changes(kind)
                        await self._remove_surplus(kind)
                        await self._index_orders(kind)
                with self._guarded(Kind.PAYMENTS):
                    await self._note_paid()
        finally:
            for retention in retentions:
                retention.when_full = None

    async def _pause(self) -> None:
        """Wait for the next batch, or until rows wait that are to leave memory."""
        is_shown = any(map(self._store.is_long, KEPT))
        with suppress(TimeoutError):
            async with asyncio.timeout(EVERY_SHOWN if is_shown else EVERY):
                await self._wake.wait()
        self._wake.clear()

    def open_lists(self) -> ListReader:
        """Open the file to read; raise CacheUnusable if it cannot be read."""
        from paytui.store.cache.list_reader import ListReader

        if self._writer is None:
            raise CacheUnusable
        return ListReader(self._writer.path)

    def close(self) -> None:
        """Write the last changes, up to a limit, and close the file."""
        left = 0 if self._is_private else MOST_AT_THE_END
        if self._writer is not None:
            self._writer.interrupt()
        try:
            for kind in KEPT:
                self._take_beyond(kind)
                while left and (part := self._next_part(kind)):
                    write, note = part
                    write()
                    note()
                    self._count_write()
                    left -= 1
                if left:
                    self._write_age(kind, 0.0)
        except CacheUnusable:
            pass
        self._give_up()

    async def _restore(self, recall: CacheRestore) -> None:
        """Load the cache in slices. Loaded rows are not written again."""
        self._open(anew=False)
        for _ in recall.rest():
            await next_turn(self._store, self._clock, SLICE)
        if recall.failed:
            self._give_up()
            self._open(anew=True)
        elif self._writer is not None and not self._is_private:
            self._whole = frozenset(kind for kind in KEPT if self._store.feed(kind).cached)
            self._announce()

    def _open(self, *, anew: bool) -> None:
        """Open the cache, or a private file if another process writes it or it cannot be used."""
        if self._recall is not None:
            with suppress(CacheUnusable):
                self._writer, self._is_private = self._open_writer(anew), False
        if self._writer is None:
            with suppress(CacheUnusable):
                self._writer, self._is_private = self._open_private(), True
        self._indexed.clear()
        self._compared.clear()
        self._fitted_at.clear()
        self._opened, self._whole = self._opened + 1, frozenset()
        self._announce()

    async def _write_changes(self, kind: Kind) -> None:
        was_read = self._store.feed(kind).was_read
        self._take_beyond(kind)
        await self._write_parts(kind)
        self._write_age(kind, AGES_EVERY)  # nothing came since the last slice
        if self._writer is not None and was_read:
            self._whole |= {kind}
            await self._drop_others(self._writer, kind)
        self._announce()

    def _take_beyond(self, kind: Kind) -> None:
        """Take over the rows that memory did not take; without a file nobody does."""
        retention = self._store.retention(kind)
        rows = [] if retention is None else retention.beyond()
        if rows and self._writer is not None and kind not in self._indexed:
            self._writer.expect_long_list()
        self._beyond[kind] = [] if self._writer is None else [*self._beyond[kind], *rows]

    async def _drop_others(self, writer: CacheWriter, kind: Kind) -> None:
        """Delete rows of an earlier run that the service has no longer, once that is certain.

        Two complete reads must tell so: one may have missed a row, as others moved between pages.
        """
        feed, boot = self._store.feed(kind), self._clock.boot()
        read_at = feed.read_at if feed.whole_at is None else feed.whole_at
        is_told = feed.ok and not (feed.cut or feed.skipped) and self._store.is_long(kind)
        if feed.total is None or not is_told or kind in self._compared:
            return
        if boot >= self._compare_at[kind]:
            self._compare_at[kind] = boot + COMPARED_EVERY
            before, keys = self._fitted_at.get(kind), self._store.table(kind).keys()
            is_sure = before not in (None, read_at)
            drop = partial(writer.drop_others, kind, keys, feed.total, delete=is_sure)
            fits = await self.in_thread(drop)
            self._fitted_at[kind] = read_at if fits else None
            if fits and is_sure:
                self._compared.add(kind)
                self._count_write()

    async def _remove_surplus(self, kind: Kind) -> None:
        """Remove surplus rows from memory, after they were written."""
        retention, table = self._store.retention(kind), self._store.table(kind)
        surplus = iter([] if retention is None else retention.surplus())
        while chunk := list(islice(surplus, SLICE)):
            await self._write_parts(kind)
            unchanged = [table.key(row) for row in chunk if table.get(table.key(row)) is row]
            table.remove(unchanged)
            self._since[kind] = table.version  # the rows still exist at the service
            await next_turn(self._store, self._clock, SLICE)

    async def _index_orders(self, kind: Kind) -> None:
        """Index a long list once it was read, as all of its rows are in the file then."""
        is_there = self._store.is_long(kind) and self._store.feed(kind).was_read
        if self._writer is not None and is_there and kind not in self._indexed:
            self._indexed.add(kind)
            await self.in_thread(partial(self._writer.index_orders, kind))
            await self.in_thread(release_memory)

    async def _write_parts(self, kind: Kind) -> None:
        """Write what memory did not take, and the changes of the table, beside the loop."""
        while part := self._next_part(kind):
            write, note = part
            await self.in_thread(write)
            note()
            self._count_write()
            await next_turn(self._store, self._clock, PART)

    async def _note_paid(self) -> None:
        """Tell the guards which accounts were paid by payments that are not in memory."""
        is_there = Kind.PAYMENTS in self._whole and self._store.is_long(Kind.PAYMENTS)
        if self._writer is not None and is_there and self._paid_at != self._writes:
            self._paid_at = self._writes
            paid_addresses = partial(self._writer.paid_addresses, ARRIVED)
            self._store.paid = await self.in_thread(paid_addresses)

    def _next_part(self, kind: Kind) -> _Part | None:
        table, writer = self._store.table(kind), self._writer
        if writer is not None and (beyond := self._beyond[kind][:PART]):
            rest = self._beyond[kind][PART:]
            keep = partial(writer.keep, kind, beyond, [])
            return keep, partial(self._beyond.__setitem__, kind, rest)
        retention = self._store.retention(kind)
        while writer is not None and table.version != self._since[kind]:
            changes = table.changes(self._since[kind], PART)
            gone: Collection[str] = changes.removed
            if changes.there is not None and not (retention and retention.since):
                gone = changes.gone(writer.ids(kind))
            # What was recalled is in the cache, perhaps in a newer state.
            rows = list(changes.rows) if self._is_private else table.confirmed(changes.rows)
            if rows or gone:
                keep = partial(writer.keep, kind, rows, gone)
                return keep, partial(self._since.__setitem__, kind, changes.version)
            self._since[kind] = changes.version
        return None

    def _count_write(self) -> None:
        self._writes += 1
        if self._clock.boot() - self._announced_at >= EVERY_SHOWN:
            self._announce()

    def _announce(self) -> None:
        """Tell the screens the state of the file."""
        self._announced_at = self._clock.boot()
        state = None
        if self._writer is not None:
            file = CacheFile(self._writer.path, self._opened)
            state = CacheState(file, self._writes, self._whole)
        self._store.cache = state
        self._store.notify()

    def _write_age(self, kind: Kind, every: float) -> None:
        """Write the age of a list, after all of its rows."""
        feed = self._store.feed(kind)
        last = self._ages_written.get(kind)
        if self._writer is None or not feed.was_read or feed.read_at is None:
            return
        if last is not None and feed.read_at - last < every:
            return
        self._ages_written[kind] = feed.read_at
        age = timedelta(seconds=self._clock.boot() - feed.read_at)
        self._writer.note(feed, self._clock.now() - age)

    @contextmanager
    def _guarded(self, kind: Kind) -> Iterator[None]:
        """Go on without a cache if it fails. Report a bug, but do not stop the feeds."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it was
            self._give_up()  # for good: the file lacks rows that memory releases meanwhile
            self._announce()
            if not isinstance(error, CacheUnusable):  # shown until the list is read again
                attempted = f"keep {kind.value.replace('_', ' ')} for the next start"
                report_bug(self._store, kind, attempted, error, self._clock.now())

    def _give_up(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self._store.paid = frozenset()  # which nothing keeps up to date any more
