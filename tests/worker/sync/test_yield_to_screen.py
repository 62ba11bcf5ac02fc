"""The worker lets the screens go first between its steps, for a bounded time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from functools import partial
from threading import Event

import pytest

from paytui.api.paging import Page
from paytui.domain.models import Kind, Payment, PaymentId, Record
from paytui.platform.clock import ServiceTime
from paytui.platform.processes import run_in_daemon_thread
from paytui.store.store import Store
from paytui.tui.exit import ScreenLoop
from paytui.worker.sync.freshness import Part
from paytui.worker.sync.ingest import ListIngest
from paytui.worker.worker_thread import LONGEST_DELAY, WorkerLoop
from tests.support.clock import ManualClock

SLICE = 200

PATIENCE = 10
"""Seconds after which a wait counts as one for ever."""


def test_between_two_slices_of_a_read_the_screens_go_first(clock: ManualClock) -> None:
    store = Store()
    intake = ListIngest(Kind.PAYMENTS, store, ServiceTime(clock))
    held: set[int] = set()

    class Noted(Event):
        def wait(self, timeout: float | None = None) -> bool:  # noqa: ARG002  (the event's own)
            held.add(len(store.payments))
            return True

    with asyncio.Runner(loop_factory=partial(WorkerLoop, Noted())) as runner:
        runner.run(intake.take(Part(), two_slices()))
    assert held == {0, SLICE, 2 * SLICE}


def test_screens_that_hang_delay_the_worker_by_half_a_second_in_all() -> None:
    waits: list[float] = []

    class Screens(Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout or 0.0)
            return len(waits) in (1, 99)  # else they hang

    async def steps() -> None:
        for _ in range(100):
            await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=partial(WorkerLoop, Screens())) as runner:
        runner.run(steps())
    assert sum(waits[1:99]) == pytest.approx(0.5)
    assert waits[98] == 0
    assert waits[99] == LONGEST_DELAY


def test_screens_are_busy_except_while_they_wait() -> None:
    idle = Event()

    async def work() -> tuple[bool, bool, bool]:
        asyncio.get_running_loop().call_soon(int)  # then the loop only looks for events
        await asyncio.sleep(0)
        was_idle = idle.is_set()
        waited = await run_in_daemon_thread(partial(idle.wait, PATIENCE))
        return was_idle, waited, idle.is_set()

    with asyncio.Runner(loop_factory=partial(ScreenLoop, idle)) as runner:
        assert runner.run(work()) == (False, True, False)


async def two_slices() -> AsyncGenerator[Page[Record], None]:
    for at in (0, SLICE):
        rows = tuple(Payment(PaymentId(str(at + place))) for place in range(SLICE))
        yield Page(rows, last=at > 0)
