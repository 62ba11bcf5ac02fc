"""An object with an intent's identifier but other terms puts the intent in doubt."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest
from starlette.applications import Starlette

from paytui.api.dialect import load_dialect
from paytui.api.http.request_sender import SendHooks, SendResult
from paytui.domain.intent import Intent, IntentRow, Standing, Verdict
from paytui.domain.requests import PreparedRequest
from paytui.outbox.entry import EventKind
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.dealing import POSTS, Dealing

PAYOUT_PATH = "/v2/payments/payout"
Told: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""A change to the object in a response."""

OTHER = "The amount that was booked is 10.00; 11.00 was confirmed."


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path, replay_safe=True)


def confirmed(intent: Intent, name: str, value: str | Decimal) -> Intent:
    """Return the intent with another term, for a service that books other terms."""
    return replace(intent, terms=replace(intent.terms, **{name: value}))  # type: ignore[arg-type]


def eleven(desk: Dealing) -> Intent:
    """A payout of which the service books 10."""
    return confirmed(desk.payout(), "amount", Decimal("11.00"))


def answers(desk: Dealing, told: Told) -> None:
    """The service says this in answer to what moves money."""
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        response = await carry(request)
        if request.url.path not in POSTS or response.status_code != 201:
            return response
        item = json.loads(await response.aread())["item"]
        return httpx.Response(201, json={"item": told(item)})

    desk.network._carry = carried  # type: ignore[method-assign]  # such a service


def listed_later(desk: Dealing) -> asyncio.Event:
    """The list of payments cannot be read until this is set."""
    carry, is_listed = desk.network._carry, asyncio.Event()

    async def carried(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v2/payments" and not is_listed.is_set():
            return httpx.Response(500)
        return await carry(request)

    desk.network._carry = carried  # type: ignore[method-assign]  # such a service
    return is_listed


def in_brief(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name.endswith("TransactionId")}


def answers_after_the_list(desk: Dealing) -> None:
    """Each answer to a payout waits until the list was read, which shows what was booked."""
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        response = await carry(request)
        if request.url.path == PAYOUT_PATH:
            made = json.loads(await response.aread())["item"]["paymentTransactionId"]
            desk.inbox.refresh()
            await desk.until(lambda: desk.store.payments.get(made) is not None)
            await asyncio.sleep(5)  # the resolver has looked at it
        return response

    desk.network._carry = carried  # type: ignore[method-assign]  # such a service


def without_reference(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "reference"}


async def booked_otherwise(desk: Dealing, intent: Intent) -> IntentRow:
    """The intent, once its object is known to be another than was confirmed."""
    await desk.until(lambda: (row := desk.row(intent)) is not None and row.booked_otherwise, 120)
    row = desk.row(intent)
    assert row is not None
    assert [row.object_id] == await desk.in_ledger(intent)
    return row


async def stays(desk: Dealing, intent: Intent, row: IntentRow) -> None:
    """Neither look-ups nor repeats change anything."""
    await desk.wait(700)
    assert desk.row(intent) == row
    assert desk.posts(intent) == 1


WORDS = {
    "amount": "amount",
    "currency": "currency",
    "source_wallet_id": "source",
    "destination_wallet_id": "destination",
    "recipient_id": "recipient",
    "payment_address_id": "payment address",
    "buy_currency": "bought currency",
}
PAYOUT, TRANSFER, TRADE = Dealing.payout, Dealing.transfer, Dealing.trade


@pytest.mark.parametrize("told", [dict, in_brief])
@pytest.mark.parametrize(
    ("asks", "name", "ours"),
    [
        (PAYOUT, "amount", Decimal("11.00")),
        (PAYOUT, "currency", "XXX"),
        (PAYOUT, "source_wallet_id", "w0"),
        (PAYOUT, "recipient_id", "r0"),
        (PAYOUT, "payment_address_id", "a0"),
        (TRANSFER, "destination_wallet_id", "w0"),
        (TRADE, "buy_currency", "XXX"),
        (TRADE, "destination_wallet_id", "w0"),
    ],
)
def test_another_amount_side_payee_or_wallet_is_in_doubt_with_an_alert(
    desk: Dealing,
    run: Run,
    *,
    asks: Callable[[Dealing], Intent],
    name: str,
    ours: str | Decimal,
    told: Told,
) -> None:
    async def scenario() -> None:
        async with desk.open():
            answers(desk, told)
            desk.submit(intent := confirmed(asks(desk), name, ours))
            row = await booked_otherwise(desk, intent)
            [words] = row.alerts
            assert words.startswith(f"The {WORDS[name]} that was booked is ")
            assert words.endswith(f"; {ours} was confirmed.")
            assert (row.may_arrive_until, row.repeat_until, row.candidates) == (None, None, ())
            was_accepted = any(turn.what == Standing.ACCEPTED for turn in row.turns)
            assert was_accepted is (told is in_brief)

    run(scenario())


@pytest.mark.slow
@pytest.mark.parametrize("told", [dict, in_brief])
def test_nothing_but_a_trader_settles_it(desk: Dealing, run: Run, told: Told) -> None:
    async def scenario() -> None:
        async with desk.open():
            answers(desk, told)
            desk.submit(intent := eleven(desk))
            row = await booked_otherwise(desk, intent)
            await stays(desk, intent, row)
            assert row.alerts == (OTHER,)
            desk.decide(intent, Verdict.DONE, row.object_id)
            settled = await desk.stands(intent, Standing.DONE)
            assert (settled.object_id, settled.alerts) == (row.object_id, (OTHER,))
            rejected = {"kind": "payment", "id": row.object_id, "status": "rejected"}
            await desk.control("states", **rejected, force=True)  # it is read and compared anew
            await stays(desk, intent, settled)

    run(scenario())


@pytest.mark.parametrize(
    ("verdict", "object_id"),
    [(Verdict.NOT_DONE, None), (Verdict.REPEAT, None), (Verdict.DONE, "another")],
)
def test_it_is_neither_settled_as_not_done_nor_sent_again(
    desk: Dealing, run: Run, verdict: Verdict, object_id: str | None
) -> None:
    async def scenario() -> None:
        async with desk.open():
            desk.submit(intent := eleven(desk))
            booked = (await booked_otherwise(desk, intent)).object_id
            desk.decide(intent, verdict, object_id)
            await desk.wait(60)
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert row.object_id == booked
            assert row.alerts[-1].startswith("It can only be settled as done: the service holds ")
            assert desk.posts(intent) == 1

    run(scenario())


def test_the_next_process_knows_it_too(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    first = Dealing(service, clock, path)

    async def scenario() -> None:
        async with first.open():
            first.submit(intent := eleven(first))
            row = await booked_otherwise(first, intent)
            written = first.outbox.read()[-1].events[-1]
        await first.worker.aclose()
        assert (written.kind, written.words) == (EventKind.IN_DOUBT, OTHER), "in one event"
        second = Dealing(service, clock, path, replay_safe=True)
        async with second.open():
            assert await second.stands(intent, Standing.IN_DOUBT) == row
            second.decide(intent, Verdict.NOT_DONE)
            await second.wait(200)
            assert (await second.stands(intent, Standing.IN_DOUBT)).object_id == row.object_id
            assert second.posts(intent) == 0
            second.decide(intent, Verdict.DONE, row.object_id)
            await second.stands(intent, Standing.DONE)

    run(scenario())


@pytest.mark.slow
def test_a_trade_is_not_repeated_where_the_service_has_no_list_of_trades(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    dialect = load_dialect()
    unlisted = replace(dialect, paths={**dialect.paths, "list_trades": ()})
    desk = Dealing(service, clock, path, dialect=unlisted, replay_safe=True)

    async def scenario() -> None:
        async with desk.open():
            desk.submit(intent := confirmed(desk.trade(), "destination_wallet_id", "w0"))
            await stays(desk, intent, await booked_otherwise(desk, intent))

    run(scenario())


@pytest.mark.slow
def test_what_reads_as_confirmed_later_waits_for_a_trader_all_the_same(
    desk: Dealing, run: Run
) -> None:
    async def scenario() -> None:
        async with desk.open():
            answers(desk, lambda item: {**item, "amount": "9.00"})
            desk.submit(intent := desk.payout())
            row = await booked_otherwise(desk, intent)
            assert row.alerts == ("The amount that was booked is 9.00; 10.00 was confirmed.",)
            await stays(desk, intent, row)

    run(scenario())


def test_what_an_answer_names_without_its_reference_is_known_by_the_list(
    desk: Dealing, run: Run
) -> None:
    async def scenario() -> None:
        async with desk.open():
            await desk.fault("list_payments", "500", times=3)
            answers(desk, without_reference)
            desk.submit(intent := eleven(desk))
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert row.object_id is None, "it may be somebody else's"
            assert row.problem is not None
            assert ".." not in row.problem.happened
            row = await booked_otherwise(desk, intent)
            assert row.alerts[1:] == (OTHER,)
            assert desk.posts(intent) == 1

    run(scenario())


def test_what_the_list_told_before_the_answer_is_known_by_it(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            answers(desk, without_reference)
            answers_after_the_list(desk)
            desk.submit(intent := eleven(desk))
            row = await booked_otherwise(desk, intent)
            assert row.alerts[1:] == (OTHER,)
            await stays(desk, intent, row)

    run(scenario())


def test_what_the_list_told_while_it_was_sent_again_is_known_by_it(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            is_listed = listed_later(desk)
            answers(desk, without_reference)
            desk.submit(intent := eleven(desk))
            await desk.stands(intent, Standing.IN_DOUBT)
            await desk.arrives_no_more(intent)
            is_listed.set()
            answers_after_the_list(desk)
            desk.decide(intent, Verdict.REPEAT)
            await desk.stands(intent, Standing.SENDING)
            await booked_otherwise(desk, intent)

    run(scenario())


def test_an_end_that_it_contradicts_is_opened_again(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            await desk.fault("list_payments", "500", times=12)
            answers(desk, without_reference)
            desk.submit(intent := eleven(desk))
            await desk.stands(intent, Standing.IN_DOUBT)
            await desk.arrives_no_more(intent)
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.stands(intent, Standing.NOT_DONE)
            row = await booked_otherwise(desk, intent)
            contradiction = f"but {row.object_id} carries its reference."
            assert row.alerts[1:] == (f"Its status is settled as not done, {contradiction}", OTHER)
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.wait(60)
            await desk.stands(intent, Standing.IN_DOUBT)

    run(scenario())


@pytest.mark.parametrize("comes", [True, False])
def test_a_repeat_that_waits_for_its_token_is_withdrawn(
    desk: Dealing, run: Run, *, comes: bool
) -> None:
    sender, token = desk.client.sender, asyncio.Event()
    send = sender.send

    async def sent(prepared: PreparedRequest, operation: str, hooks: SendHooks) -> SendResult:
        if desk.network.posts.count(PAYOUT_PATH):
            await token.wait()
        return await send(prepared, operation, hooks)

    sender.send = sent  # type: ignore[method-assign]  # its token takes long

    async def scenario() -> None:
        async with desk.open():
            is_listed = listed_later(desk)
            answers(desk, without_reference)
            desk.submit(intent := eleven(desk))
            await desk.stands(intent, Standing.IN_DOUBT)
            await desk.arrives_no_more(intent)
            desk.decide(intent, Verdict.REPEAT)
            await desk.wait(1)
            is_listed.set()
            desk.inbox.refresh()
            row = await booked_otherwise(desk, intent)
            if comes:
                token.set()
            await stays(desk, intent, row)

    run(scenario())


def test_what_only_a_list_tells_of_stays_a_traders_to_judge(desk: Dealing, run: Run) -> None:
    """Somebody may have copied the reference into another payment."""

    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "commit-then-cut")
            desk.submit(intent := eleven(desk))
            await desk.until(lambda: (row := desk.row(intent)) is not None and row.candidates != ())
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert (row.object_id, list(row.candidates)) == (None, await desk.in_ledger(intent))

    run(scenario())
