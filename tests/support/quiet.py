"""Waiting until an app is idle."""

from __future__ import annotations

import asyncio
from math import inf
from time import thread_time
from typing import Any

from paytui.tui.store_bridge import FRAME


async def quiet(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Wait until an event loop has nothing to do, and nothing to come within a frame.

    In place of Textual's own, which looks at how busy the processor is: that takes 20 ms at least,
    and takes an app for idle that a busy machine gave no turn.

    Args:
        min_sleep: Seconds; Textual's, and not needed here.
        max_sleep: Seconds of work and pauses after which it is given up: something moves all the
            time. Those in which others had the processor do not count.
    """
    loop: Any = asyncio.get_running_loop()
    began, paused = thread_time(), 0.0
    while thread_time() - began + paused < max_sleep:
        await asyncio.sleep(0)
        if loop._ready:
            continue
        due = min((timer.when() for timer in loop._scheduled if not timer.cancelled()), default=inf)
        left = due - loop.time()
        if left > FRAME:
            return
        pause = max(left, 0)
        await asyncio.sleep(pause)
        paused += pause
