"""Between slices of a long read the screen goes first, for a bounded time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from functools import partial

import pytest

from paytui.api.paging import Page
from paytui.domain.models import Kind, Payment, PaymentId, Record
from paytui.platform.clock import ServiceTime
from paytui.platform.processes import run_in_daemon_thread
from paytui.store.store import Store
from paytui.store.table import UiPriority
from paytui.tui.exit import ScreenLoop
from paytui.worker.sync import shared
from paytui.worker.sync.freshness import Part
from paytui.worker.sync.ingest import ListIngest
from paytui.worker.sync.shared import next_turn
from tests.support.clock import ManualClock
from tests.support.deadline import eventually

SLICE = 200
"""Rows: enough to hold up a key."""

PATIENCE = 10
"""Seconds after which a wait counts as one for ever."""


def test_a_long_read_waits_while_something_is_about_to_be_painted(clock: ManualClock) -> None:
    store = Store()
    intake = ListIngest(Kind.PAYMENTS, store, ServiceTime(clock))

    async def read() -> tuple[int, int]:
        store.ui_priority.loading = True
        reading = asyncio.create_task(intake.take(Part(), two_slices()))
        await turns(5)
        before = len(store.payments)
        store.ui_priority.loading = False
        await reading
        return before, len(store.payments)

    assert asyncio.run(read()) == (0, 2 * SLICE)


def test_screens_that_hang_put_no_read_off(clock: ManualClock) -> None:
    store = Store()

    async def wait() -> tuple[bool, bool]:
        store.ui_priority.begin(clock.boot())
        waiting = asyncio.create_task(next_turn(store, clock, SLICE))
        await turns(5)
        before = waiting.done()
        clock.advance(1)
        store.ui_priority.begin(clock.boot())  # still the same work
        await waiting
        return before, waiting.done()

    assert asyncio.run(wait()) == (False, True)


def test_screens_that_are_not_painted_put_a_read_off_for_half_a_second(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "YIELD", 0)  # so that each turn of the loop is a check
    store = Store()
    store.ui_priority.loading = True

    async def wait() -> bool:
        waiting = asyncio.create_task(next_turn(store, clock, SLICE))
        await turns(5)
        clock.advance(0.4)
        await turns(5)
        before = waiting.done()
        clock.advance(0.2)
        await waiting
        return before

    assert not asyncio.run(asyncio.wait_for(wait(), PATIENCE))


def test_screens_have_priority_except_while_they_wait(clock: ManualClock) -> None:
    priority = UiPriority()

    def is_requested() -> bool:
        return priority.is_requested(clock.boot())

    async def work() -> bool:
        asyncio.get_running_loop().call_soon(int)  # then the loop only looks for events
        await asyncio.sleep(0)
        was_busy = is_requested()
        await run_in_daemon_thread(lambda: eventually(lambda: not is_requested()))
        return was_busy and is_requested()

    with asyncio.Runner(loop_factory=partial(ScreenLoop, priority, clock.boot)) as runner:
        assert runner.run(work())


def test_what_is_short_waits_for_nobody(clock: ManualClock) -> None:
    store = Store()
    store.ui_priority.loading = True

    async def wait() -> bool:
        waiting = asyncio.create_task(next_turn(store, clock, rows=5))
        await turns(5)
        return waiting.done()

    assert asyncio.run(wait())


async def turns(count: int) -> None:
    """Let others run so often."""
    for _ in range(count):
        await asyncio.sleep(0)


async def two_slices() -> AsyncGenerator[Page[Record], None]:
    for at in (0, SLICE):
        rows = tuple(Payment(PaymentId(str(at + place))) for place in range(SLICE))
        yield Page(rows, last=at > 0)
