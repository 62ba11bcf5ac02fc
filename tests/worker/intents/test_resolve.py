"""Intents in doubt are looked up, and repeated only where that is known to be safe."""

from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from paytui.domain.intent import Standing, Verdict
from paytui.domain.models import Kind
from paytui.platform.clock import ServiceTime
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path)


@pytest.fixture
def safe_desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path, replay_safe=True)


@pytest.mark.parametrize(
    ("what", "fault"),
    [
        ("payout", "commit-then-500"),
        ("payout", "malformed"),
        ("transfer", "commit-then-cut"),
        ("trade", "commit-then-cut"),
    ],
)
def test_what_was_done_is_found_by_its_identifier(
    desk: Dealing, run: Run, what: str, fault: str
) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = getattr(desk, what)()
            await desk.fault(intent.action.value, fault)
            desk.submit(intent)
            row = await desk.stands(intent, Standing.ACCEPTED, within=20)
            assert [row.object_id] == await desk.in_ledger(intent)
            assert desk.posts(intent) == 1

    run(scenario())


def test_it_is_looked_for_until_it_is_found_although_polling_is_paused(
    desk: Dealing, run: Run
) -> None:
    async def scenario() -> None:
        async with desk.open():
            desk.inbox.pause(paused=True)
            await desk.wait(1)
            intent = desk.payout()
            await desk.fault(intent.action.value, "commit-then-cut")
            await desk.fault("list_payments", "500", times=3)
            desk.submit(intent)
            await desk.stands(intent, Standing.ACCEPTED)
            await desk.wait(60)
            desk.network.requests.clear()
            await desk.wait(300)
            assert "/v2/payments" not in desk.network.requests

    run(scenario())


def test_how_often_it_was_looked_for_in_vain_is_told(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await desk.leave_in_doubt(intent)
            await desk.wait(30)
            first = desk.store.looked[intent.intent_id]
            assert first.times >= 1
            await desk.wait(30)
            later = desk.store.looked[intent.intent_id]
            assert later.times > first.times
            assert later.at > first.at

    run(scenario())


@pytest.mark.slow
def test_finding_nothing_proves_nothing(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await desk.leave_in_doubt(intent)
            await desk.wait(900)
            row = desk.row(intent)
            assert row is not None
            assert row.standing is Standing.IN_DOUBT
            assert desk.posts(intent) == 1

    run(scenario())


def test_a_service_that_answers_keys_is_asked_again_with_the_same_one(
    safe_desk: Dealing, run: Run
) -> None:
    desk = safe_desk

    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "cut")
            intent = desk.payout()
            desk.submit(intent)
            row = await desk.stands(intent, Standing.ACCEPTED, within=60)
            assert row.attempts == 2
            assert [row.object_id] == await desk.in_ledger(intent)

    run(scenario())


@pytest.mark.slow
def test_a_trade_at_a_real_time_rate_is_never_repeated_by_itself(
    safe_desk: Dealing, run: Run
) -> None:
    desk = safe_desk

    async def scenario() -> None:
        async with desk.open():
            intent = desk.trade()
            await desk.leave_in_doubt(intent)
            await desk.wait(700)
            assert desk.posts(intent) == 1

    run(scenario())


def test_nothing_is_repeated_by_itself_once_it_is_old(safe_desk: Dealing, run: Run) -> None:
    desk = safe_desk

    async def scenario() -> None:
        await desk.worker.sync_once()
        intent = desk.payout()
        intent = replace(intent, confirmed_at=intent.confirmed_at - timedelta(minutes=11))
        async with desk.at_work():
            await desk.leave_in_doubt(intent)
            await desk.wait(120)
            assert desk.posts(intent) == 1

    run(scenario())


def test_nothing_that_an_earlier_process_left_is_repeated_by_itself(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    first = Dealing(service, clock, path, replay_safe=True)

    async def scenario() -> None:
        await first.worker.sync_once()
        intent = first.payout()
        async with first.at_work():
            await first.fault("create_payout", "cut", times=9)
            first.submit(intent)
            row = await first.stands(intent, Standing.IN_DOUBT)
            assert row.repeat_until is not None
        await first.worker.aclose()
        second = Dealing(service, clock, path, replay_safe=True)
        async with second.at_work():
            row = await second.stands(intent, Standing.IN_DOUBT)
            await second.wait(120)
            assert second.posts(intent) == 0
            assert row.repeat_until is None
            second.decide(intent, Verdict.REPEAT)
            await second.until(lambda: second.posts(intent) == 1)

    run(scenario())


def test_an_answer_that_is_too_long_when_unpacked_is_settled_as_soon_as_a_lost_one(
    desk: Dealing, run: Run
) -> None:
    bomb = httpx.ByteStream(gzip.compress(b" " * 20_000_000, 1))

    async def scenario() -> None:
        async with desk.open():
            packed = httpx.Response(201, headers={"content-encoding": "gzip"}, stream=bomb)
            desk.network.instead["/v2/payments/payout"] = packed
            desk.submit(intent := desk.payout())
            await desk.stands(intent, Standing.IN_DOUBT)
            row = await desk.stands(intent, Standing.ACCEPTED, within=10)
            assert [row.object_id] == await desk.in_ledger(intent)

    run(scenario())


def dated_ahead(desk: Dealing, days: list[int]) -> None:
    """Have the service date its answers so many days ahead."""
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        response = await carry(request)
        if "date" in response.headers:
            told = parsedate_to_datetime(response.headers["date"]) + timedelta(days=days[0])
            response.headers["date"] = format_datetime(told, usegmt=True)
        return response

    desk.network._carry = carried  # type: ignore[method-assign]  # dates what it answers


def test_a_service_that_told_a_wrong_time_does_not_date_the_record_alone(
    desk: Dealing, run: Run
) -> None:
    dated_ahead(desk, [400])

    async def scenario() -> None:
        async with desk.open():
            begun = desk.clock.now()
            desk.submit(intent := desk.payout())
            row = await desk.stands(intent, Standing.ACCEPTED)
            [recorded] = desk.outbox.read()
            assert recorded.entry.confirmed_at > begun + timedelta(days=399)
            assert [each.kind for each in recorded.events] == ["sending", "accepted"]
            told = [recorded.entry.host_time, *(each.host_time for each in recorded.events)]
            assert all(each and begun <= each <= desk.clock.now() for each in told)
            assert [row.host_time, *(turn.host_time for turn in row.turns)] == told

    run(scenario())


def test_a_service_that_told_a_wrong_time_does_not_hide_what_carries_the_identifier(
    desk: Dealing, run: Run
) -> None:
    dated_ahead(desk, [400])

    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "commit-then-cut")
            desk.submit(intent := desk.payout())
            row = await desk.stands(intent, Standing.ACCEPTED, within=20)
            assert [row.object_id] == await desk.in_ledger(intent)

    run(scenario())


@pytest.mark.slow
@pytest.mark.parametrize("passes", ["time", "the clock on the wall"])
def test_a_service_with_a_wrong_clock_does_not_make_it_young(
    safe_desk: Dealing, run: Run, passes: str
) -> None:
    desk, days = safe_desk, [400]
    dated_ahead(desk, days)

    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "cut")
            # Until it can be looked for, nothing is repeated.
            desk.network.mistakes["/v2/payments"] = httpx.ReadError("connection reset")
            desk.submit(intent := desk.payout())
            await desk.stands(intent, Standing.IN_DOUBT)
            days[0] = 0
            if passes == "time":
                await desk.wait(601)
            else:
                desk.hands.set_wall(desk.hands.now() + timedelta(minutes=11))
            desk.network.mistakes.clear()
            await desk.wait(180)
            assert desk.store.feed(Kind.PAYMENTS).ok
            assert desk.posts(intent) == 1

    run(scenario())


@pytest.mark.parametrize("ahead", [timedelta(hours=36), timedelta(0)])
def test_a_host_clock_that_is_ahead_does_not_make_it_young(
    safe_desk: Dealing, run: Run, ahead: timedelta
) -> None:
    desk = safe_desk

    async def scenario() -> None:
        await desk.worker.sync_once()
        intent = desk.payout()
        now = intent.confirmed_at
        intent = replace(intent, confirmed_at=now + ahead)
        [letter] = desk.client.sender.prepare(intent.action, intent.request, intent.key)
        entry = desk.retry_rules.entry(intent, letter)
        assert entry.resend_until == now + timedelta(minutes=10)
        before_it_tells_its_time = replace(desk.retry_rules, time=ServiceTime(desk.hands))
        assert before_it_tells_its_time.entry(intent, letter).resend_until is None

    run(scenario())


def test_a_refusal_of_a_repeat_leaves_it_in_doubt_until_it_is_told_as_told_before(
    safe_desk: Dealing, run: Run
) -> None:
    desk = safe_desk

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            assert intent.terms.source_wallet_id is not None
            await desk.leave_in_doubt(intent)
            await desk.control(
                "states",
                kind="wallet",
                id=intent.terms.source_wallet_id,
                status="Suspended",
                force=True,
            )
            await desk.until(lambda: (row := desk.row(intent)) is not None and row.attempts == 2)
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert row.attempts == 2
            assert row.problem is not None
            assert row.problem.what == "HTTP 409"
            await desk.stands(intent, Standing.REFUSED)
            assert await desk.in_ledger(intent) == []

    run(scenario())


def test_what_a_process_that_ended_had_under_way_is_in_doubt_and_found(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    first = Dealing(service, clock, path)

    async def scenario() -> None:
        await first.worker.sync_once()
        intent = first.payout()
        async with first.at_work():
            await first.fault("create_payout", "commit-then-delay", seconds=20)
            first.submit(intent)
            await first.stands(intent, Standing.SENDING)
            await first.until(lambda: first.posts(intent) == 1)
            await first.wait(5)
        await first.worker.aclose()
        second = Dealing(service, clock, path)
        async with second.at_work():
            row = await second.stands(intent, Standing.ACCEPTED)
            assert [row.object_id] == await second.in_ledger(intent)
            assert second.posts(intent) == 0

    run(scenario())


def test_an_intent_for_another_service_is_not_sent_to_this_one(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    desk = Dealing(service, clock, path)

    async def scenario() -> None:
        await desk.worker.sync_once()
        intent = desk.payout()
        elsewhere = replace(desk.retry_rules, base_url="https://api.acme.example")
        letters = desk.client.sender.prepare(intent.action, intent.request, intent.key)
        desk.outbox.record(elsewhere.entry(intent, letters[0]))
        async with desk.at_work():
            await desk.stands(intent, Standing.RECORDED)
            desk.decide(intent, Verdict.SEND)
            await desk.until(lambda: (row := desk.row(intent)) is not None and row.alerts != ())
            assert desk.posts(intent) == 0
            assert await desk.in_ledger(intent) == []

    run(scenario())
