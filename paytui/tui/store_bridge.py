"""The bridge from store to screen: one task that pulls changes, at most once a frame."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from paytui.store.store import Store
from paytui.store.table import Changes, Table, WakeUp

FRAME = 0.1  # Seconds between two pulls: a thousand updates in between cost one repaint
FAR_FRAME = 0.25  # Seconds over SSH or in tmux, where a repaint is sent twice
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


class TableReader(Generic[K, R]):
    """Feeds the changes of one table to one widget."""

    def __init__(self, table: Table[K, R], apply: Callable[[Changes[K, R]], None]) -> None:
        self._table = table
        self._apply = apply
        self._since = 0

    async def pull(self) -> bool:
        """Apply the changes, with other tasks between slices; return True if there were any."""
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
