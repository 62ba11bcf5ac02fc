"""One coalesced wake-up from the worker's thread to the event loop of the screens."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class Wake:
    """Call it from any thread; `wait()` for it on the loop.

    However often it is called while the loop is busy or stuck behind a frozen terminal, the loop
    holds one handle: measured, an unguarded wake-up piles up 15,000 of them in 20 s (design.md).
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._pending = False
        self._event = asyncio.Event()

    def __call__(self) -> None:
        """Wake the loop, unless it is to wake anyway or is closed. Never waits; for any thread."""
        if self._pending:
            return
        self._pending = True
        with suppress(RuntimeError):  # the loop was closed: nobody is left to wake
            self._loop.call_soon_threadsafe(self._fire)

    def _fire(self) -> None:
        # Cleared before anybody reads: a change after this line schedules a wake-up of its own.
        self._pending = False
        self._event.set()

    async def wait(self) -> None:
        """Return once something changed since the last return."""
        await self._event.wait()
        self._event.clear()
