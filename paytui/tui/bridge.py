"""The bridge from store to screen: one task that pulls what changed, at most once a frame."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from paytui.store.store import Store
from paytui.store.table import Changes, Table, WakeUp

FRAME = 0.1
"""Seconds between two pulls: a thousand updates in between cost one repaint."""

FAR_FRAME = 0.25
"""The same on a link or in a window of tmux, where every repaint is paid for twice."""

LONGEST_FRAME = 3.2
"""The same over a link that cannot take it."""


class Bridge:
    """Wakes up with the store and has the visible screen pull; hidden screens cost nothing.

    Args:
        store: what is shown.
        pull: has the visible screen take in what changed.
        is_behind: whether the terminal has not taken yet what was painted before: frames become
            twice as long each time, until it has.
        frame: seconds between two pulls, while it has.
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
        """Pull whenever the store changed, until cancelled."""
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
        """Pull now, because another screen came into view."""
        async with self._one_at_a_time:
            await self._pull()


# Reads what changed in a table since it last looked, a slice at a time.

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
