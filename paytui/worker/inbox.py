"""The worker's side of the port: what screens asked for and the worker has not yet taken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from paytui.money import Pair
from paytui.store.wake import Wake


class Inbox:
    """A `Port` that holds the newest wish of each sort, however often it is called.

    It can be called before a worker serves it, which then finds what was asked for, and after.
    """

    def __init__(self) -> None:
        self._refresh = False
        self._pairs: tuple[Pair, ...] | None = None
        self._ring: Callable[[], None] = _nobody

    def refresh(self) -> None:
        """See `Port`."""
        self._refresh = True
        self._ring()

    def watch_rates(self, pairs: tuple[Pair, ...]) -> None:
        """See `Port`."""
        self._pairs = pairs
        self._ring()

    async def serve(
        self, refresh: Callable[[], None], watch_rates: Callable[[tuple[Pair, ...]], None]
    ) -> None:
        """Pass on what is asked for, on this loop, until cancelled."""
        wake = Wake(asyncio.get_running_loop())
        self._ring = wake
        try:
            while True:
                if self._refresh:
                    self._refresh = False
                    refresh()
                pairs, self._pairs = self._pairs, None
                if pairs is not None:
                    watch_rates(pairs)
                await wake.wait()
        finally:
            self._ring = _nobody


def _nobody() -> None:
    """Nobody serves the inbox: what was asked for waits."""
