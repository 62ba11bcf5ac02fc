"""Late news is compared with the confirmation and with other intents."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from paytui.api.http.request_sender import NO_HOOKS
from paytui.domain.intent import Intent, Standing, Verdict
from paytui.domain.models import Payment
from tests.support.clock import ManualClock
from tests.support.intents import money_of
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing

PAYOUT = "/v2/payments/payout"


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path)


@pytest.fixture
def untagged_desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path, tagged=False)


def told_in_brief(desk: Dealing) -> None:
    """The service answers a payout with its identifier alone (service.md §4)."""
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        response = await carry(request)
        if request.url.path != PAYOUT:
            return response
        item = json.loads(await response.aread())["item"]
        brief = {"item": {"paymentTransactionId": item["paymentTransactionId"]}}
        return httpx.Response(response.status_code, json=brief)

    desk.network._carry = carried  # type: ignore[method-assign]  # a service of few words


def confirmed_otherwise(intent: Intent) -> Intent:
    """Return the intent with 11 instead of the 10 that the service books."""
    return replace(intent, terms=replace(intent.terms, amount=Decimal("11.00")))


async def paid_alike(desk: Dealing, intent: Intent, reference: str) -> str:
    """Somebody else pays the same."""
    request = replace(money_of(intent), reference=reference)
    letters = desk.client.sender.prepare(intent.action, request, desk.payout().key)
    receipt = await desk.client.sender.send(letters[0], "create_payout", NO_HOOKS)
    assert isinstance(receipt.record, Payment)
    return receipt.record.payment_transaction_id


async def candidates(desk: Dealing, intent: Intent) -> tuple[str, ...]:
    """Return the candidates shown to a trader after the next read of the lists."""
    await desk.wait(60)
    row = await desk.stands(intent, Standing.IN_DOUBT)
    return row.candidates


def test_figures_that_the_list_alone_tells_are_compared_too(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            told_in_brief(desk)
            # The list comes later than the answer.
            await desk.fault("list_payments", "500", times=5)
            desk.submit(intent := confirmed_otherwise(desk.payout()))
            await desk.stands(intent, Standing.ACCEPTED)
            await desk.until(lambda: (row := desk.row(intent)) is not None and row.alerts != ())
            row = desk.row(intent)
            assert row is not None
            assert row.alerts == ("The amount that was booked is 10.00; 11.00 was confirmed.",)

    run(scenario())


def test_what_a_trader_takes_for_it_is_compared_at_once(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "commit-then-cut")
            desk.submit(intent := confirmed_otherwise(desk.payout()))
            [booked] = await candidates(desk, intent)
            desk.decide(intent, Verdict.DONE, booked)
            await desk.until(lambda: (row := desk.row(intent)) is not None and row.alerts != ())
            await desk.stands(intent, Standing.DONE)

    run(scenario())


@pytest.mark.slow
def test_what_another_is_said_to_have_become_is_compared_with_both(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            desk.submit(first := desk.payout(amount="10.00"))
            booked = (await desk.stands(first, Standing.ACCEPTED)).object_id
            await desk.wait(600)  # nothing about it is new any more
            second = desk.payout(amount="11.00")
            await desk.leave_in_doubt(second)
            desk.decide(second, Verdict.DONE, booked)
            await desk.until(lambda: (row := desk.row(second)) is not None and row.alerts != ())
            row = await desk.stands(second, Standing.DONE)
            assert row.alerts == (
                f"{first.intent_id} has the result {booked} too.",
                "The amount that was booked is 10.00; 11.00 was confirmed.",
            )
            said = f"{second.intent_id} has the result {booked} too."
            assert (await desk.stands(first, Standing.ACCEPTED)).alerts == (said,)

    run(scenario())


def test_what_carries_the_identifier_of_another_is_not_offered(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "cut")
            desk.submit(intent := desk.payout())
            await desk.stands(intent, Standing.IN_DOUBT)
            await paid_alike(desk, intent, "INV 7 PT-00000000")
            assert await candidates(desk, intent) == ()
            alike = await paid_alike(desk, intent, "INV 7")
            assert await candidates(desk, intent) == (alike,)

    run(scenario())


def test_what_another_became_is_offered_no_longer(untagged_desk: Dealing, run: Run) -> None:
    desk = untagged_desk

    async def scenario() -> None:
        async with desk.open():
            twins = desk.payout(), desk.payout()
            for twin, fault in zip(twins, ("cut", "commit-then-cut"), strict=True):
                await desk.fault("create_payout", fault)
                desk.submit(twin)
                await desk.stands(twin, Standing.IN_DOUBT)
            [booked] = await candidates(desk, twins[0])
            assert await candidates(desk, twins[1]) == (booked,)
            desk.decide(twins[1], Verdict.DONE, booked)
            assert await candidates(desk, twins[0]) == ()

    run(scenario())
