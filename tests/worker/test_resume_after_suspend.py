"""After a suspend the first reads use live connections."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import datetime

import pytest

from paytui.api.client import Client, Credentials
from paytui.api.dialect import load_dialect
from paytui.api.resources import READS
from paytui.config.settings import Polling
from paytui.platform.clock import ServiceTime, SystemClock
from paytui.store.store import Store
from paytui.worker.sync.shared import PollSchedule
from paytui.worker.worker import Worker
from paytui.worker.worker_thread import Inbox
from tests.support.client import known_secret
from tests.support.deaf import DeafService
from tests.support.tcp import server


class SuspendedClock:
    """The clock of a host that was suspended."""

    def __init__(self) -> None:
        self._clock = SystemClock()
        self.suspended = 0.0

    def now(self) -> datetime:
        return self._clock.now()

    def monotonic(self) -> float:
        return self._clock.monotonic()

    def boot(self) -> float:
        return self._clock.boot() + self.suspended


async def woken(store: Store, condition: Callable[[], bool]) -> None:
    """Wait until the store says that something is so."""
    changed = asyncio.Event()
    store.subscribe(changed.set)
    while not condition():
        async with asyncio.timeout(40):
            await changed.wait()
        changed.clear()


@pytest.mark.slow
def test_no_read_goes_to_a_connection_of_before() -> None:
    async def scene() -> None:
        service, clock, store = DeafService(), SuspendedClock(), Store()
        async with server(service) as url:
            time, rng = ServiceTime(clock), random.Random(7)  # noqa: S311 - a test repeats itself
            client = Client(url, Credentials("demo", known_secret), load_dialect(), time, rng)
            worker = Worker(client, store, time, rng, PollSchedule(Polling().intervals))
            task = asyncio.create_task(worker.run(Inbox()))
            await woken(store, lambda: all(store.feed(kind).ok for kind in READS))
            service.let_die()
            before = list(service.requests)
            clock.suspended = 3600.0
            async with asyncio.timeout(40):
                await service.anew.wait()
            assert service.requests[: len(before)] == before
            task.cancel()
            await asyncio.wait([task])
            await worker.aclose()

    asyncio.run(scene())
