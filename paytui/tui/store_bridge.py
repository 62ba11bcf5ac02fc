"""The bridge from store to screen: one task that pulls changes, at most once a frame.

Windows of long lists are read from the cache, in threads beside the screens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from paytui.domain.models import Record
from paytui.platform.processes import start_daemon_thread
from paytui.store.cache.file import CacheUnusable
from paytui.store.store import CacheFile, Store
from paytui.store.table import Changes, Table, WakeUp

if TYPE_CHECKING:
    from paytui.store.cache.list_query import ListQuery
    from paytui.store.cache.list_reader import ListReader
    from paytui.store.filter import TimeContext

FRAME = 0.1  # Seconds between two pulls: a thousand updates in between cost one repaint
FAR_FRAME = 0.25  # Seconds over SSH or in tmux, where a repaint is sent twice
ENDED_SOON = 0.05  # Seconds after which a read is interrupted again
LONGEST_FRAME = 3.2  # Seconds over a link that is too slow for more


class Bridge:
    """Pulls changes of the store into the visible screen; hidden screens cost nothing.

    While `is_behind()`, as the terminal has not read all output yet, the frame doubles each time.
    """

    def __init__(
        self,
        store: Store,
        pull: Callable[[], Awaitable[None]],
        is_behind: Callable[[], bool],
        frame: float = FRAME,
    ) -> None:
        self._store = store
        self._frame = frame
        self._pull = pull
        self._is_behind = is_behind
        self._one_at_a_time = asyncio.Lock()

    async def run(self) -> None:
        """Pull after each change of the store, until cancelled."""
        wake, frame = WakeUp(asyncio.get_running_loop()), self._frame
        unsubscribe = self._store.subscribe(wake)
        try:
            while True:
                await wake.wait()
                await self.pull()
                await asyncio.sleep(frame)
                frame = min(2 * frame, LONGEST_FRAME) if self._is_behind() else self._frame
        finally:
            unsubscribe()

    async def pull(self) -> None:
        """Pull now, as another screen came into view."""
        async with self._one_at_a_time:
            await self._pull()


K = TypeVar("K", bound=Hashable)
R = TypeVar("R")
T = TypeVar("T")


class TableReader(Generic[K, R]):
    """Feeds the changes of one table to one widget."""

    def __init__(self, table: Table[K, R], apply: Callable[[Changes[K, R]], None]) -> None:
        self._table = table
        self._apply = apply
        self._since = 0

    async def pull(self) -> None:
        """Apply the changes, with other tasks between slices."""
        more = self._table.version != self._since
        while more:
            changes = self._table.changes(self._since)
            self._apply(changes)
            self._since, more = changes.version, changes.more
            if more:
                await asyncio.sleep(0)


class WindowReader:
    """A reader of lists in the cache for the screens: one read at a time.

    Args:
        open_reader: opens the reader of a file; None: as `ListReader`.

    Attributes:
        unreadable: the file that could not be read last; None before a failure.
    """

    def __init__(self, open_reader: Callable[[Path], ListReader] | None = None) -> None:
        self._open = open_reader
        self.unreadable: CacheFile | None = None
        self._reader: ListReader | None = None
        self._file: CacheFile | None = None
        self._one_at_a_time = asyncio.Lock()
        self._is_ended = False
        self._gives_way = False

    async def read(
        self,
        file: CacheFile,
        read: Callable[[ListReader], T],
        *,
        gives_way: bool = False,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> T:
        """Return what `read` returns, with its errors.

        With `gives_way` the next read ends this one, which raises Interrupted. So does one that is
        wanted no longer when its turn comes.
        """
        if self._gives_way:
            self.interrupt()
        async with self._one_at_a_time:
            self._is_ended, self._gives_way = not is_wanted(), gives_way
            # At once: a task would start it behind a paint.
            reading = asyncio.wrap_future(start_daemon_thread(partial(self._read, file, read)))
            try:
                return await asyncio.shield(reading)
            finally:
                # Its connection is for one thread: a read that nobody waits for ends first.
                while not reading.done():
                    self.interrupt()
                    with suppress(asyncio.CancelledError):
                        await asyncio.wait([reading], timeout=ENDED_SOON)
                if not reading.cancelled():
                    reading.exception()  # so that asyncio does not report it
                self._gives_way = False

    def _read(self, file: CacheFile, read: Callable[[ListReader], T]) -> T:
        from paytui.store.cache.list_query import Interrupted
        from paytui.store.cache.list_reader import ListReader  # for long lists alone

        if self._file != file:
            self._close()
        if self._is_ended:
            raise Interrupted
        try:
            if self._reader is None:
                self._reader, self._file = (self._open or ListReader)(file.path), file
            return read(self._reader)
        except CacheUnusable:
            self.unreadable = file
            self._close()
            raise

    def _close(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()

    def interrupt(self) -> None:
        """End a read under way; it raises Interrupted."""
        self._is_ended = True
        if (reader := self._reader) is not None:
            reader.interrupt()


def all_rows(file: CacheFile, query: ListQuery, when: TimeContext) -> Iterator[Record]:
    """Yield all rows of a query, by a reader of its own for the calling thread."""
    from paytui.store.cache.list_reader import ListReader

    with closing(ListReader(file.path)) as reader:
        yield from reader.rows(query, when)
