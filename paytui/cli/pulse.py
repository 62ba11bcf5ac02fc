"""How a worker is doing, told each second until interrupted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from paytui.platform.clock import ServiceTime
from paytui.store.health import LinkState, Vitals
from paytui.store.store import Store
from paytui.worker.host import Inbox
from paytui.worker.worker import Worker

EVERY = 1.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """How it is doing at a time, by the service's clock."""

    at: datetime
    link: LinkState
    vitals: Vitals


async def take_pulse(
    worker: Worker, store: Store, time: ServiceTime, tell: Callable[[Pulse], None]
) -> None:
    """Run a worker, and tell how it is doing, until cancelled.

    Args:
        worker: runs meanwhile, and is closed in the end.
        store: what it fills.
        time: the service's clock.
        tell: called each second.

    Raises:
        OSError: it cannot be told any more.
    """
    running = asyncio.create_task(worker.run(Inbox()))
    try:
        while True:
            await asyncio.wait([running], timeout=EVERY)
            if running.done():
                return await running
            tell(Pulse(time.latest(), store.link.state, worker.vitals()))
    finally:
        running.cancel()
        await asyncio.wait([running])
        await worker.aclose()
