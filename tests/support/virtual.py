"""An event loop on which time passes only when there is nothing else to do."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from typing import TypeVar

from tests.support.clock import ManualClock

T = TypeVar("T")


class NothingLeft(AssertionError):
    """All tasks wait for something that nobody will ever do."""


class Skipping(selectors.SelectSelector):
    """Instead of waiting, moves the clock on."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self.happened()
        if ready or timeout == 0:
            return ready
        if timeout is None:
            raise NothingLeft
        self._clock.advance(timeout)
        return []

    def happened(self) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the events from outside the loop."""
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """Its time is the manual clock's; a wait of hours takes no longer than its work."""

    def __init__(self, clock: ManualClock, selector: type[Skipping] = Skipping) -> None:
        super().__init__(selector(clock))
        self._manual = clock

    def time(self) -> float:
        return self._manual.monotonic()


async def at_once(call: Callable[[], T]) -> T:
    """Run in the loop what otherwise runs in a thread: virtual time must not pass meanwhile."""
    return call()
