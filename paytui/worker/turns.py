"""Between two slices of what is long: others have their turn, and screens that paint go first."""

from __future__ import annotations

import asyncio

from paytui.platform.clock import Clock
from paytui.store.store import Store

MANY = 100
"""Rows from which on a slice is long enough to be in the way of a screen."""

LOOK = 0.005
"""Seconds between looks at whether the way is free."""

LOOKS = 20
"""So many at the most: a key that is held down puts no read off for long."""


async def next_turn(store: Store, clock: Clock, rows: int) -> None:
    """Tell what came, and let others run before the next slice.

    Args:
        store: what it came to; knows whether something is about to be painted.
        clock: the host's.
        rows: how many the slice had, and the next one may have.
    """
    store.notify()
    await asyncio.sleep(0)
    if rows < MANY:
        return
    for _ in range(LOOKS):
        if not store.right_of_way.is_claimed(clock.boot()):
            return
        await asyncio.sleep(LOOK)
