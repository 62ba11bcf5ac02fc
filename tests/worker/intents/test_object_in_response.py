"""The object in a response is checked against the intent and the lists."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from paytui.domain.intent import Intent, IntentRow, Standing, Verdict
from paytui.domain.models import Payment
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing

PAYOUT = "/v2/payments/payout"


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path)


@pytest.fixture
def untagged_desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path, tagged=False)


def answers(desk: Dealing, item: dict[str, object]) -> None:
    """Something in between answers the next payout, which never arrives."""
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        if request.url.path == PAYOUT:
            return httpx.Response(201, json={"item": item})
        return await carry(request)

    desk.network._carry = carried  # type: ignore[method-assign]  # a cache on the way


def old_payout(desk: Dealing, *, just_made: bool = False) -> Payment:
    """Return a payment of another trader, made long ago, or some seconds ago."""
    payouts = [
        payment
        for payment in desk.store.payments.rows()
        if payment.recipient_id is not None and payment.reference
    ]
    payouts.sort(key=lambda payment: str(payment.created_at))
    return payouts[-1 if just_made else 0]


def as_told(payment: Payment) -> dict[str, object]:
    """A payment as service.md and service.md spell it."""
    assert payment.created_at is not None
    return {
        "paymentTransactionId": payment.payment_transaction_id,
        "createdAt": payment.created_at.isoformat(),
        "amount": str(payment.amount),
        "currency": payment.currency,
        "sourceWalletId": payment.source_wallet_id,
        "recipientId": payment.recipient_id,
        "paymentAddressId": payment.payment_address_id,
    }


def alike(desk: Dealing, payment: Payment) -> Intent:
    """A payout such as an old one was."""
    assert payment.amount is not None
    intent = desk.payout(amount=str(payment.amount))
    terms = replace(
        intent.terms,
        currency=payment.currency,
        source_wallet_id=payment.source_wallet_id,
        recipient_id=payment.recipient_id,
        payment_address_id=payment.payment_address_id,
    )
    return replace(intent, terms=terms)


async def in_doubt_with_an_alert(desk: Dealing, intent: Intent, within: float = 120) -> IntentRow:
    """An intent that has become nothing, and says so."""
    await desk.until(lambda: (row := desk.row(intent)) is not None and row.alerts != (), within)
    row = await desk.stands(intent, Standing.IN_DOUBT)
    assert row.object_id is None
    assert desk.posts(intent) == 1
    return row


def test_an_answer_without_the_reference_that_was_sent_is_in_doubt(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            old = old_payout(desk)
            answers(desk, {**as_told(old), "reference": old.reference})
            desk.submit(intent := alike(desk, old))
            row = await in_doubt_with_an_alert(desk, intent)
            [words] = row.alerts
            assert words.startswith(f"The service answers with {old.payment_transaction_id}")
            assert words.endswith(f"does not carry {intent.intent_id} in its reference.")

    run(scenario())


@pytest.mark.slow
@pytest.mark.parametrize("kept", ["Invoice 2026-4711", "INVOICE 2026 4711 PT", "TRX-99812"])
def test_a_service_that_keeps_another_reference_is_believed_by_time_and_figures(
    desk: Dealing, run: Run, kept: str
) -> None:
    """It cuts references, or gives each payment one of its own."""
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        response = await carry(request)
        if not request.url.path.startswith("/v2/payments"):
            return response
        text = re.sub(r'"[^"]* PT-\w{8}"', f'"{kept}"', (await response.aread()).decode())
        return httpx.Response(response.status_code, text=text)

    desk.network._carry = carried  # type: ignore[method-assign]  # such a service

    async def scenario() -> None:
        async with desk.open():
            desk.submit(intent := desk.payout(reference="Invoice 2026-4711"))
            await desk.wait(660)
            row = await desk.stands(intent, Standing.ACCEPTED)
            assert row.alerts == ()

    run(scenario())


@pytest.mark.parametrize("told", [True, False])
def test_an_answer_with_what_was_there_before_is_in_doubt(
    untagged_desk: Dealing, run: Run, *, told: bool
) -> None:
    desk = untagged_desk

    async def scenario() -> None:
        async with desk.open():
            old = old_payout(desk, just_made=True)
            whole = as_told(old)
            answers(desk, whole if told else {"paymentTransactionId": old.payment_transaction_id})
            desk.submit(intent := alike(desk, old))
            row = await in_doubt_with_an_alert(desk, intent, within=2)
            assert "before it was sent" in row.alerts[0]

    run(scenario())


@pytest.mark.slow
@pytest.mark.parametrize(("days", "believed"), [(2, False), (0.5, True)])
def test_an_answer_with_what_is_older_than_its_sending_is_in_doubt(
    untagged_desk: Dealing, run: Run, *, days: float, believed: bool
) -> None:
    """Half a day may be a service that dates its objects by local time."""
    desk = untagged_desk

    async def scenario() -> None:
        async with desk.open():
            created_at = (desk.hands.now() - timedelta(days=days)).isoformat()
            old = old_payout(desk)
            item = {"paymentTransactionId": "unlisted", "createdAt": created_at}
            answers(desk, {**as_told(old), **item})
            desk.submit(intent := alike(desk, old))
            if believed:
                await desk.stands(intent, Standing.ACCEPTED)
            else:
                row = await in_doubt_with_an_alert(desk, intent)
                assert "before it was sent" in row.alerts[0]

    run(scenario())


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("amount", "9.99"),
        ("currency", "XXX"),
        ("sourceWalletId", "w0"),
        ("recipientId", "r0"),
        ("paymentAddressId", "a0"),
    ],
)
def test_an_answer_of_other_figures_that_nothing_tells_to_be_ours_is_in_doubt(
    untagged_desk: Dealing, run: Run, name: str, other: str
) -> None:
    desk = untagged_desk

    async def scenario() -> None:
        async with desk.open():
            old = old_payout(desk)
            answers(desk, {**as_told(old), "createdAt": None, name: other})
            desk.submit(intent := alike(desk, old))
            row = await in_doubt_with_an_alert(desk, intent)
            assert "is not what was confirmed" in row.alerts[0]

    run(scenario())


@pytest.mark.parametrize("tagged", [True, False])
def test_what_the_answer_does_not_tell_is_judged_once_the_list_tells_it(
    service: Starlette, clock: ManualClock, path: Path, run: Run, *, tagged: bool
) -> None:
    desk = Dealing(service, clock, path, tagged=tagged)

    async def scenario() -> None:
        async with desk.open():
            old = old_payout(desk)
            hidden = old.payment_transaction_id
            desk.store.payments.remove([old.payment_transaction_id])  # it was not read yet
            answers(desk, {"paymentTransactionId": hidden})
            desk.submit(intent := alike(desk, old))
            row = await in_doubt_with_an_alert(desk, intent)
            assert row.alerts[0].startswith(f"Its result {hidden} ")

    run(scenario())


def test_what_a_false_answer_hid_may_still_arrive(desk: Dealing, run: Run) -> None:
    """Who answered for the service may pass the request on later: it is not settled before that."""

    async def scenario() -> None:
        async with desk.open():
            old = old_payout(desk)
            hidden = old.payment_transaction_id
            desk.store.payments.remove([hidden])  # it was not read yet
            answers(desk, {"paymentTransactionId": hidden})
            desk.submit(intent := alike(desk, old))
            row = await in_doubt_with_an_alert(desk, intent)
            assert row.alerts[0].startswith(f"Its result {hidden} ")
            assert row.may_arrive_until is not None
            left = row.may_arrive_until - desk.clock.now()
            assert timedelta(seconds=20) < left <= timedelta(seconds=30)
            for verdict in (Verdict.NOT_DONE, Verdict.REPEAT):
                desk.decide(intent, verdict)
            await desk.wait(5)
            await desk.stands(intent, Standing.IN_DOUBT)
            assert desk.posts(intent) == 1
            await desk.arrives_no_more(intent)
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.stands(intent, Standing.NOT_DONE)

    run(scenario())


@pytest.mark.slow
def test_an_object_that_no_list_holds_is_in_doubt_after_ten_minutes(
    desk: Dealing, run: Run
) -> None:
    async def scenario() -> None:
        async with desk.open():
            answers(desk, {"paymentTransactionId": "nowhere-1"})
            desk.submit(intent := desk.payout())
            await desk.stands(intent, Standing.ACCEPTED)
            await desk.wait(590)
            row = await desk.stands(intent, Standing.ACCEPTED)
            assert row.alerts == ()
            row = await in_doubt_with_an_alert(desk, intent)
            assert row.alerts == ("Its result nowhere-1 is in no list.",)

    run(scenario())


@pytest.mark.slow
def test_what_a_list_holds_stays_accepted(untagged_desk: Dealing, run: Run) -> None:
    desk = untagged_desk

    async def scenario() -> None:
        async with desk.open():
            desk.submit(intent := desk.payout())
            await desk.stands(intent, Standing.ACCEPTED)
            await desk.wait(660)
            row = await desk.stands(intent, Standing.ACCEPTED)
            assert row.alerts == ()

    run(scenario())


def test_what_was_taken_for_it_is_free_for_the_intent_that_became_it(
    desk: Dealing, run: Run
) -> None:
    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "commit-then-cut")
            await desk.fault("list_payments", "500", times=4)
            desk.submit(first := desk.payout())
            await desk.stands(first, Standing.IN_DOUBT)
            [made] = await desk.in_ledger(first)
            answers(desk, {"paymentTransactionId": made})
            desk.submit(second := desk.payout(amount="11.00"))
            row = await desk.stands(first, Standing.ACCEPTED)
            assert row.object_id == made
            await desk.stands(second, Standing.IN_DOUBT)

    run(scenario())


@pytest.mark.parametrize("standing", [Standing.NOT_DONE, Standing.REFUSED])
def test_what_contradicts_an_end_opens_it_again_and_it_is_found(
    desk: Dealing, run: Run, standing: Standing
) -> None:
    async def scenario() -> None:
        async with desk.open():
            if standing is Standing.REFUSED:
                lie = {"error": {"code": "insufficient_funds", "message": "too little"}}
                desk.network.instead[PAYOUT] = httpx.Response(422, json=lie)
            else:
                await desk.fault("create_payout", "commit-then-cut")
            settles = standing is Standing.NOT_DONE
            await desk.fault("list_payments", "500", times=12 if settles else 4)
            desk.submit(intent := desk.payout())
            if settles:
                await desk.stands(intent, Standing.IN_DOUBT)
                await desk.arrives_no_more(intent)
                desk.decide(intent, Verdict.NOT_DONE)
            await desk.stands(intent, standing)
            row = await desk.stands(intent, Standing.ACCEPTED)
            [made] = await desk.in_ledger(intent)
            assert row.object_id == made
            assert row.alerts == (f"Its status is {standing}, but {made} carries its reference.",)
            assert desk.posts(intent) == 1

    run(scenario())


def test_what_was_seen_before_an_answer_that_refuses_it_contradicts_that_too(
    desk: Dealing, run: Run
) -> None:
    lie = {"error": {"code": "insufficient_funds", "message": "too little"}}

    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "commit-then-delay", seconds=15)
            desk.network.instead[PAYOUT] = httpx.Response(422, json=lie)
            desk.submit(intent := desk.payout())
            await desk.wait(14)
            await desk.stands(intent, Standing.SENDING)
            row = await desk.stands(intent, Standing.ACCEPTED, within=20)
            assert [row.object_id] == await desk.in_ledger(intent)

    run(scenario())


def test_a_trader_who_settles_it_once_more_is_heard(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            desk.network.instead[PAYOUT] = httpx.Response(
                422, json={"error": {"code": "insufficient_funds", "message": "too little"}}
            )
            intent = desk.payout()
            other = replace(intent, terms=replace(intent.terms, amount=Decimal("11.00")))
            desk.submit(other)
            await desk.stands(intent, Standing.REFUSED)
            await desk.stands(intent, Standing.IN_DOUBT)
            await desk.arrives_no_more(intent)
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.stands(intent, Standing.NOT_DONE)
            await desk.wait(120)
            row = await desk.stands(intent, Standing.NOT_DONE)
            assert len(row.alerts) == 1

    run(scenario())
