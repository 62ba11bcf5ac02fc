"""How much may be asked of the service in a minute: who comes when that is used up waits."""

from __future__ import annotations

import asyncio

from paytui.platform.clock import Clock

MINUTE = 60.0


class Budget:
    """A minute's worth may be used at once; then so much comes back in each moment.

    What moves money, and what asks for a token, does not pass here.

    Args:
        per_minute: requests; at least one.
        clock: whose monotonic time counts.

    Attributes:
        waited: seconds that askers waited here, all told.
    """

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._left = self._most
        self._looked = clock.monotonic()
        self._queue = asyncio.Lock()
        self.waited = 0.0

    async def take(self) -> None:
        """Use one; returns once there is one. Who came first is served first."""
        began = self._clock.monotonic()
        async with self._queue:
            if (missing := 1.0 - self._refilled()) > 0:
                await asyncio.sleep(missing * MINUTE / self._most)
                self._refilled()
            self._left -= 1.0
        self.waited += self._clock.monotonic() - began

    def _refilled(self) -> float:
        """What is left, with what came back since the last look."""
        now = self._clock.monotonic()
        came = (now - self._looked) * self._most / MINUTE
        self._looked, self._left = now, min(self._most, self._left + came)
        return self._left
