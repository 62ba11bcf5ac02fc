"""The bridge from store to screen: one task that pulls what changed, at most once a frame."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from paytui.store.store import Store
from paytui.store.wake import Wake

FRAME = 0.1
"""Seconds between two pulls: a thousand updates in between cost one repaint."""


class Bridge:
    """Wakes up with the store and has the visible screen pull; hidden screens cost nothing."""

    def __init__(self, store: Store, pull: Callable[[], Awaitable[None]]) -> None:
        self._store = store
        self._pull = pull
        self._one_at_a_time = asyncio.Lock()

    async def run(self) -> None:
        """Pull whenever the store changed, until cancelled."""
        wake = Wake(asyncio.get_running_loop())
        unsubscribe = self._store.subscribe(wake)
        try:
            while True:
                await wake.wait()
                await self.pull()
                await asyncio.sleep(FRAME)
        finally:
            unsubscribe()

    async def pull(self) -> None:
        """Pull now, because another screen came into view."""
        async with self._one_at_a_time:
            await self._pull()
