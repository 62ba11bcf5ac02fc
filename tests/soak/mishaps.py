"""Mishaps of a laptop and its service: one each hour, in a round of twelve."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import cycle

from tests.simulation.fates import Fate
from tests.soak.books import Books
from tests.soak.host import HostClock
from tests.soak.line import Line
from tests.support.clock import ManualClock

HOUR, MINUTE = 3600.0, 60.0
STORM = 0.4
"""The probability that a request fails in bad weather."""


class Mishaps:
    """Lets one of them happen after the other."""

    def __init__(
        self, clock: ManualClock, host: HostClock, line: Line, books: Books, rng: random.Random
    ) -> None:
        self._clock = clock
        self._host = host
        self._line = line
        self._books = books
        self._rng = rng
        self._round: tuple[Callable[[], Awaitable[None]], ...] = (
            self._storm,
            self._service_down,
            self._lid_closed,
            self._black_hole,
            self._clock_set_ahead,
            self._rivals,
            self._nothing,
            self._service_failing,
            self._clock_set_back,
            self._busy,
            self._night,
            self._nothing,
        )

    async def live(self) -> None:
        """Until cancelled."""
        for mishap in cycle(self._round):
            began = self._clock.monotonic()
            await mishap()
            await asyncio.sleep(began + HOUR - self._clock.monotonic())

    async def _nothing(self) -> None:
        """An hour in which all is well."""

    async def _storm(self) -> None:
        self._line.weather.drizzle = STORM
        await asyncio.sleep(30 * MINUTE)
        self._line.weather.drizzle = 0.0

    async def _service_down(self) -> None:
        await self._all_meet(Fate.UNREACHABLE, 15 * MINUTE)

    async def _black_hole(self) -> None:
        await self._all_meet(Fate.LOST, 10 * MINUTE)

    async def _service_failing(self) -> None:
        await self._all_meet(Fate.FAILED_BEFORE, 15 * MINUTE)

    async def _busy(self) -> None:
        await self._all_meet(Fate.BUSY, 10 * MINUTE)

    async def _all_meet(self, fate: Fate, seconds: float) -> None:
        self._line.only = fate
        await asyncio.sleep(seconds)
        self._line.only = None

    async def _lid_closed(self) -> None:
        """While a rate sheet lives, too."""
        for seconds in (20.0, 90.0, 25 * MINUTE):
            await asyncio.sleep(self._rng.uniform(60.0, 300.0))
            self._clock.suspend(seconds)

    async def _night(self) -> None:
        self._clock.suspend(5 * HOUR)

    async def _clock_set_ahead(self) -> None:
        await self._clock_wrong_by(timedelta(hours=3))

    async def _clock_set_back(self) -> None:
        await self._clock_wrong_by(timedelta(hours=-26))

    async def _clock_wrong_by(self, error: timedelta) -> None:
        self._host.ahead = error
        await asyncio.sleep(40 * MINUTE)
        self._host.ahead = timedelta(0)

    async def _rivals(self) -> None:
        for _ in range(4):
            await self._books.rival_signs_in()
            await asyncio.sleep(self._rng.uniform(30.0, 600.0))
