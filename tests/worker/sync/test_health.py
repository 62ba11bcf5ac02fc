"""The worker's report on itself."""

from __future__ import annotations

import pytest

from paytui.api.http.transport import Exchange, RequestKind
from paytui.store.health import WorkerMetrics
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import Desk


def told(desk: Desk) -> WorkerMetrics:
    assert desk.store.vitals is not None
    return desk.store.vitals


def test_each_request_is_counted_with_its_bytes(desk: Desk, run: Run) -> None:
    async def scenario() -> None:
        async with desk.at_work():
            await desk.wait(60)
        vitals = desk.worker.vitals()
        assert vitals.requests == len(desk.network.requests)
        assert vitals.sign_ins == 1
        assert vitals.unanswered == vitals.too_many == vitals.back_offs == 0
        # 40 payments of some hundred bytes came, and each request has a token of 200 or more.
        assert vitals.received > 40 * 300
        assert vitals.sent > 200 * vitals.requests
        assert vitals.waiting == 0

    run(scenario())


def test_a_read_takes_as_long_as_the_way_there_and_back(desk: Desk, run: Run) -> None:
    desk.network.connecting = 2.0

    async def scenario() -> None:
        async with desk.at_work():
            await desk.wait(60)
        by_work = {latency.work: latency for latency in desk.worker.vitals().latencies}
        assert by_work["read"].p50 == by_work["read"].p95 == pytest.approx(2.01)
        assert by_work["sign in"].count == 1
        assert "send" not in by_work

    run(scenario())


def test_what_fails_and_what_is_too_many_is_told(desk: Desk, all_read: Run) -> None:
    async def scenario() -> None:
        await desk.fault("list_payments", "429", times=3)
        await desk.wait(30)
        assert desk.worker.vitals().too_many == 3
        assert desk.worker.vitals().back_offs == 3
        desk.network.app = None
        await desk.wait(60)
        assert desk.worker.vitals().unanswered > 3

    all_read(scenario())


def test_what_the_token_lists_is_told(desk: Desk, all_read: Run) -> None:
    async def watch() -> None:
        link = desk.store.link
        assert link.services == ("accounts", "wallets", "rates", "trades", "recipients", "payments")
        assert not link.missing_services

    all_read(watch())


def test_it_is_told_every_five_seconds_and_wakes_nobody(desk: Desk, run: Run) -> None:
    async def scenario() -> None:
        async with desk.at_work():
            await desk.until(desk.all_ok)
            await desk.wait(30)
            woken, seen = len(desk.wakes), {told(desk).at}
            for _ in range(40):
                await desk.wait(1)
                seen.add(told(desk).at)
        assert len(seen) == 9
        assert len(desk.wakes) == woken
        assert told(desk).wake_ups == woken

    run(scenario())


def test_reads_that_wait_for_their_turn_are_counted(desk: Desk, run: Run) -> None:
    """Five lists are asked for at first, and four of them at once."""
    desk.network.connecting = 2.0

    async def scenario() -> None:
        async with desk.at_work():
            await desk.wait(1.05)
            assert desk.worker.vitals().waiting == 1
            await desk.until(desk.all_ok)
            await desk.wait(3)
            assert desk.worker.vitals().waiting == 0

    run(scenario())


def test_half_and_nineteen_of_twenty_are_told(desk: Desk) -> None:
    """By hand: of 1, 2, … 20 s, 10 take 10 s at the most, and 19 take 19 s."""
    for seconds in range(20, 0, -1):
        note(desk, float(seconds))
    [latency] = desk.worker.vitals().latencies
    assert (latency.work, latency.count, latency.p50, latency.p95) == ("send", 20, 10.0, 19.0)


def test_what_is_longer_ago_than_five_minutes_counts_in_the_sums_alone(
    desk: Desk, clock: ManualClock
) -> None:
    note(desk, 1.0)
    clock.advance(301)
    note(desk, 2.0)
    vitals = desk.worker.vitals()
    assert vitals.requests == 2
    assert [latency.p95 for latency in vitals.latencies] == [2.0]
    # One of 300 bytes in the five minutes.
    assert (vitals.requests_a_minute, vitals.bytes_a_minute) == (0.2, 60.0)


def note(desk: Desk, seconds: float) -> None:
    """An exchange of 300 bytes took so long."""
    at = desk.clock.boot()
    desk.client.metrics.note(
        Exchange(RequestKind.SEND, at, seconds, sent=100, received=200, status=201)
    )
