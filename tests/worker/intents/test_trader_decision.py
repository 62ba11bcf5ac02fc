"""The trader's decision on an intent in doubt: the evidence shown, and its consequences."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from paytui.api.dialect import load_dialect
from paytui.api.http.request_sender import NO_HOOKS
from paytui.domain.intent import Intent, Standing, Verdict
from paytui.domain.models import Kind, Payment, PaymentId
from tests.support.clock import ManualClock, WrongClock
from tests.support.intents import money_of
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path)


@pytest.fixture
def untagged_desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path, tagged=False)


async def paid_by_hand(desk: Dealing, intent: Intent) -> PaymentId:
    """Somebody pays the same elsewhere; the identifier of that payment."""
    request = replace(money_of(intent), reference="by hand")
    letters = desk.client.sender.prepare(intent.action, request, desk.payout().key)
    receipt = await desk.client.sender.send(letters[0], "create_payout", NO_HOOKS)
    assert isinstance(receipt.record, Payment)
    return receipt.record.payment_transaction_id


@pytest.mark.parametrize("hours", [-1 / 4, 11])
def test_what_another_clock_dated_is_shown_to_who_decides(
    desk: Dealing, run: Run, hours: float
) -> None:
    """The service keeps no references, and dates payments by local time or a slow clock."""
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        response = await carry(request)
        if not request.url.path.startswith("/v2/payments"):
            return response
        told = json.loads(await response.aread())
        for item in told.get("items", []):
            created_at = datetime.fromisoformat(item["createdAt"]) + timedelta(hours=hours)
            item["createdAt"] = created_at.isoformat()
            item.pop("reference", None)
        return httpx.Response(response.status_code, json=told)

    async def scenario() -> None:
        async with desk.open():
            desk.submit(before := desk.payout(amount="12.34"))
            await desk.stands(before, Standing.ACCEPTED)
            await desk.wait(20)
            await desk.leave_in_doubt(intent := desk.payout(amount="56.78"), "commit-then-cut")
            made = await desk.newest_payment()
            await desk.wait(60)
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert row.candidates == (made,)

    desk.network._carry = carried  # type: ignore[method-assign]  # such a service
    run(scenario())


@asynccontextmanager
async def slow_sign_in(first: Dealing, path: Path) -> AsyncIterator[Dealing]:
    """The next process on an outbox, which learns of the service's time to 15 s."""
    await first.worker.aclose()
    desk = Dealing(first.app, first.hands, path, tagged=False)
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/auth"):
            await asyncio.sleep(15)
        return await carry(request)

    desk.network._carry = carried  # type: ignore[method-assign]  # such a network
    async with desk.at_work():
        yield desk


def test_what_left_while_the_time_was_hardly_known_is_shown_to_who_decides(
    untagged_desk: Dealing, path: Path, run: Run
) -> None:
    async def scenario() -> None:
        async with untagged_desk.open():
            intent = untagged_desk.payout()
        async with slow_sign_in(untagged_desk, path) as desk:
            await desk.leave_in_doubt(intent, "commit-then-cut")
            made = await desk.newest_payment()
            await desk.wait(60)
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert row.candidates == (made,)

    run(scenario())


@pytest.mark.slow
def test_what_left_while_the_time_was_hardly_known_is_no_proof_of_another_clock(
    untagged_desk: Dealing, path: Path, run: Run
) -> None:
    """An older payment is not shown for what was sent after it."""

    async def scenario() -> None:
        async with untagged_desk.open():
            before, intent = untagged_desk.payout(), untagged_desk.payout(amount="56.78")
            await paid_by_hand(untagged_desk, intent)
        async with slow_sign_in(untagged_desk, path) as desk:
            desk.submit(before)
            await desk.stands(before, Standing.ACCEPTED)
            await desk.until(desk.all_ok)
            await desk.leave_in_doubt(intent)
            await desk.wait(60)
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert row.candidates == ()

    run(scenario())


@pytest.mark.slow
def test_one_object_that_an_answer_mistook_is_no_proof_of_another_clock(
    untagged_desk: Dealing, run: Run
) -> None:
    """The lists lag: an answer names a payment of a minute ago, which nobody here has seen yet."""
    desk, late, named = untagged_desk, set[PaymentId](), list[PaymentId]()
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        if named and request.url.path == "/v2/payments/payout":
            return httpx.Response(201, json={"item": {"paymentTransactionId": named.pop()}})
        response = await carry(request)
        if request.url.path != "/v2/payments":
            return response
        told = json.loads(await response.aread())
        items = told.get("items", [])
        told["items"] = [item for item in items if item["paymentTransactionId"] not in late]
        return httpx.Response(response.status_code, json={**told, "total": len(told["items"])})

    async def scenario() -> None:
        async with desk.open():
            for amount in ("1.00", "2.00"):
                desk.submit(before := desk.payout(amount=amount))
                await desk.stands(before, Standing.ACCEPTED)
            mistaken, intent = desk.payout(amount="12.34"), desk.payout(amount="56.78")
            await paid_by_hand(desk, intent)
            late.add(anothers := await paid_by_hand(desk, mistaken))
            await desk.wait(60)
            named.append(anothers)
            desk.submit(mistaken)
            await desk.stands(mistaken, Standing.ACCEPTED)
            late.clear()
            await desk.until(lambda: desk.store.payments.get(anothers) is not None)
            await desk.leave_in_doubt(intent)
            await desk.wait(60)
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert row.candidates == ()

    desk.network._carry = carried  # type: ignore[method-assign]  # such a service
    run(scenario())


def test_a_trader_settles_what_nothing_else_can(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await desk.leave_in_doubt(intent)
            await desk.arrives_no_more(intent)
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.stands(intent, Standing.NOT_DONE)
            desk.decide(intent, Verdict.REPEAT)
            await desk.wait(60)
            assert desk.posts(intent) == 1

    run(scenario())


def may_not_arrive(desk: Dealing, intent: Intent) -> bool:
    row = desk.row(intent)
    return row is not None and row.may_arrive_until is None


def test_it_is_not_settled_as_not_done_while_it_may_still_arrive(desk: Dealing, run: Run) -> None:
    """A request may be on its way for 30 s after it was given up: one paid anew would be two."""

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            row = await desk.leave_in_doubt(intent)
            until, given_up = row.may_arrive_until, desk.clock.now()
            assert until is not None
            assert timedelta(seconds=29) < until - given_up <= timedelta(seconds=30)
            await desk.wait(25)
            for verdict in (Verdict.NOT_DONE, Verdict.REPEAT):
                desk.decide(intent, verdict)
            await desk.until(lambda: (row := desk.row(intent)) is not None and row.alerts != (), 3)
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert {alert[:28] for alert in row.alerts} == {"It could not be settled yet:"}
            await desk.until(lambda: may_not_arrive(desk, intent), 30)
            assert desk.clock.now() >= until
            read_at = desk.store.feed(Kind.PAYMENTS).read_at or 0
            assert read_at >= desk.clock.boot() - 5, "it was looked for after that"
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.stands(intent, Standing.NOT_DONE)
            assert desk.posts(intent) == 1

    run(scenario())


def test_it_is_not_settled_as_not_done_before_it_was_looked_for_once_more(
    desk: Dealing, run: Run
) -> None:
    """Where no list can be read, a minute is enough: nothing is known of it then either way."""

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            row = await desk.leave_in_doubt(intent)
            until = row.may_arrive_until
            assert until is not None
            await desk.fault("list_payments", "500", times=100)
            await desk.until(lambda: desk.clock.now() >= until)
            await desk.wait(30)
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.wait(2)
            await desk.stands(intent, Standing.IN_DOUBT)
            await desk.until(lambda: may_not_arrive(desk, intent), 40)

    run(scenario())


def test_a_gateway_that_holds_requests_makes_it_longer(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    dialect = replace(load_dialect(), gateway_patience=timedelta(seconds=90))
    desk = Dealing(service, clock, path, dialect=dialect)

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            row = await desk.leave_in_doubt(intent)
            assert row.may_arrive_until is not None
            assert row.may_arrive_until > desk.clock.now() + timedelta(seconds=119)
            await desk.wait(115)
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.wait(2)
            await desk.stands(intent, Standing.IN_DOUBT)
            await desk.until(lambda: may_not_arrive(desk, intent), 30)

    run(scenario())


@pytest.mark.parametrize("hours", [-3, 3])
def test_a_restart_knows_until_when_it_may_arrive_whatever_the_hosts_clock_says(
    service: Starlette, clock: ManualClock, path: Path, run: Run, hours: int
) -> None:
    async def scenario() -> None:
        first = Dealing(service, clock, path)
        async with first.open():
            intent = first.payout()
            told = await first.leave_in_doubt(intent)
        await first.worker.aclose()
        host = WrongClock(clock)
        host.ahead = timedelta(hours=hours)
        second = Dealing(service, clock, path, host=host)
        async with second.at_work():
            row = await second.stands(intent, Standing.IN_DOUBT)
            assert row.may_arrive_until == told.may_arrive_until
            await second.wait(20)
            second.decide(intent, Verdict.NOT_DONE)
            await second.wait(2)
            await second.stands(intent, Standing.IN_DOUBT)
            await second.until(lambda: may_not_arrive(second, intent), 30)

    run(scenario())


def test_after_a_restart_much_later_it_is_settled_at_once(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    async def scenario() -> None:
        first = Dealing(service, clock, path)
        async with first.open():
            intent = first.payout()
            await first.leave_in_doubt(intent)
        await first.worker.aclose()
        clock.advance(3600)
        second = Dealing(service, clock, path)
        async with second.at_work():
            await second.stands(intent, Standing.IN_DOUBT)
            await second.until(lambda: may_not_arrive(second, intent), 15)

    run(scenario())


def test_what_a_crash_left_under_way_may_arrive_for_as_long_after_it_was_found(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    async def scenario() -> None:
        first = Dealing(service, clock, path)
        await first.worker.sync_once()
        intent = first.payout()
        async with first.at_work():
            await first.fault("create_payout", "delay", seconds=20)
            first.submit(intent)
            await first.stands(intent, Standing.SENDING)
        await first.worker.aclose()
        clock.advance(600)
        second = Dealing(service, clock, path)
        async with second.at_work():
            row = await second.stands(intent, Standing.IN_DOUBT)
            assert row.may_arrive_until is not None
            assert row.may_arrive_until >= clock.now() + timedelta(seconds=28)

    run(scenario())


def test_what_was_seen_before_it_was_settled_as_not_done_raises_an_alarm_too(
    desk: Dealing, run: Run
) -> None:
    """A match is held back until the whole list was read once more; a trader may be faster."""

    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "commit-then-cut")
            await desk.fault("list_payments", "500", times=12)
            intent = desk.payout()
            desk.submit(intent)
            await desk.stands(intent, Standing.IN_DOUBT)
            await desk.arrives_no_more(intent)
            await desk.until(lambda: (row := desk.row(intent)) is not None and row.candidates != ())
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.stands(intent, Standing.NOT_DONE)
            await desk.until(lambda: (row := desk.row(intent)) is not None and row.alerts != (), 9)

    run(scenario())


def test_a_repeat_by_a_traders_word_goes_out_under_the_same_key(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "commit-then-cut")
            await desk.fault("list_payments", "500", times=12)
            intent = desk.payout()
            desk.submit(intent)
            await desk.stands(intent, Standing.IN_DOUBT)
            await desk.arrives_no_more(intent)
            for _ in range(3):
                desk.decide(intent, Verdict.REPEAT)
            row = await desk.stands(intent, Standing.ACCEPTED)
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            assert desk.posts(intent) == 2
            assert [row.object_id] == await desk.in_ledger(intent)

    run(scenario())
