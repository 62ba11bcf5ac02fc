"""Noticing that the host was suspended: the loop's own clock stood still meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from paytui.platform.clock import Clock

LOOK = 2.0
"""Seconds between two looks, and so until a resume is noticed."""

SUSPENDED = 1.0
"""Seconds of a suspend that is worth it."""


async def watch_for_resume(clock: Clock, resumed: Callable[[], None]) -> None:
    """Call `resumed` soon after each resume, until cancelled.

    A pause of five minutes that a suspend of an hour falls into would else go on afterwards, beside
    data that is an hour old.
    """
    suspended = clock.boot() - clock.monotonic()
    while True:
        await asyncio.sleep(LOOK)
        before, suspended = suspended, clock.boot() - clock.monotonic()
        if suspended - before >= SUSPENDED:
            resumed()
