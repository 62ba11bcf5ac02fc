"""Misleading evidence for a match or a decision: wrong objects, full disks, late news."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from paytui.api.http.request_sender import NO_HOOKS
from paytui.domain.intent import IntentId, Standing, Verdict
from paytui.domain.models import Payment, Problem
from paytui.outbox.entry import Entry, Event, EventKind
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox
from tests.support.clock import ManualClock
from tests.support.intents import money_of
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path)


async def paid_by_hand(desk: Dealing, reference: str, amount: str) -> str:
    """Somebody else pays."""
    payout = desk.payout(amount=amount)
    request = replace(money_of(payout), reference=reference)
    letters = desk.client.sender.prepare(payout.action, request, payout.key)
    receipt = await desk.client.sender.send(letters[0], "create_payout", NO_HOOKS)
    assert isinstance(receipt.record, Payment)
    return receipt.record.payment_transaction_id


def full_disk(outbox: Outbox, refuses: Callable[[Event], bool]) -> None:
    """From now on some events cannot be written."""
    add = outbox.add

    def full(intent_id: IntentId, event: Event) -> None:
        if refuses(event):
            raise OutboxError(Problem("write", "the disk is full"))
        add(intent_id, event)

    outbox.add = full  # type: ignore[method-assign]  # a disk that is full for some rows alone


def remember_answers(desk: Dealing, path: str) -> None:
    """Something in between answers a path as it answered first."""
    carry, answers = desk.network._carry, list[bytes]()

    async def carried(request: httpx.Request) -> httpx.Response:
        if request.url.path == path and answers:
            return httpx.Response(201, content=answers[0])
        response = await carry(request)
        if request.url.path == path:
            answers.append(await response.aread())
        return response

    desk.network._carry = carried  # type: ignore[method-assign]  # a cache on the way


def test_a_trade_is_not_found_in_a_payment_that_repeats_its_reference(
    desk: Dealing, run: Run
) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.trade()
            await desk.leave_in_doubt(intent)
            await paid_by_hand(desk, f"for {intent.intent_id}", "77.00")
            await desk.wait(60)
            await desk.stands(intent, Standing.IN_DOUBT)

    run(scenario())


def test_a_payment_of_another_amount_is_for_a_trader_to_judge(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout(amount="10.00")
            await desk.leave_in_doubt(intent)
            other = await paid_by_hand(desk, f"refund of {intent.intent_id}", "77.00")
            await desk.until(lambda: (row := desk.row(intent)) is not None and row.candidates != ())
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert row.candidates == (other,)

    run(scenario())


def test_nothing_is_repeated_by_itself_where_something_looks_like_it(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    desk = Dealing(service, clock, path, replay_safe=True, tagged=False)

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await desk.leave_in_doubt(intent, "commit-then-cut")
            await desk.wait(120)
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert len(row.candidates) == 1
            assert desk.posts(intent) == 1

    run(scenario())


def test_two_intents_never_become_one_object(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            remember_answers(desk, "/v2/payments/payout")
            first = desk.payout()
            desk.submit(first)
            await desk.stands(first, Standing.ACCEPTED)
            second = desk.payout()
            desk.submit(second)
            row = await desk.stands(second, Standing.IN_DOUBT)
            assert row.alerts != ()

    run(scenario())


def test_what_cannot_be_written_is_not_decided(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await desk.leave_in_doubt(intent)
            full_disk(desk.outbox, lambda event: event.kind is EventKind.NOT_DONE)
            await desk.arrives_no_more(intent)
            await desk.wait(1)  # between two tries to write, which end the trouble
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.until(lambda: not desk.store.sending.allowed, within=10)
            await desk.stands(intent, Standing.IN_DOUBT)

    run(scenario())


def test_what_the_disk_took_although_it_failed_is_not_there_to_be_sent_later(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    first = Dealing(service, clock, path)
    record = first.outbox.record

    def failing(entry: Entry) -> None:
        record(entry)
        first.outbox.record = record  # type: ignore[method-assign]  # it fails once
        raise OutboxError(Problem("record", "the disk failed"))

    async def scenario() -> None:
        await first.worker.sync_once()
        first.outbox.record = failing  # type: ignore[method-assign]  # after the disk took it
        async with first.at_work():
            first.submit(intent := first.payout())
            row = await first.stands(intent, Standing.NOT_EXECUTED, within=5)
            assert row.problem is not None
            assert row.problem.what == "the disk failed while it was recorded"
            first.submit(anew := first.payout())
            await first.stands(anew, Standing.ACCEPTED)
        await first.worker.aclose()
        second = Dealing(service, clock, path)
        async with second.at_work():
            await second.stands(intent, Standing.NOT_EXECUTED)
            second.decide(intent, Verdict.SEND)
            await second.wait(10)
            assert second.posts(intent) == 0

    run(scenario())


def test_a_no_is_heard_while_a_repeat_waits_for_its_token(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await desk.leave_in_doubt(intent)
            await desk.arrives_no_more(intent)
            await desk.fault("auth", "delay", seconds=10)
            desk.hands.advance(400)  # the token is over
            desk.decide(intent, Verdict.REPEAT)
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.stands(intent, Standing.NOT_DONE)
            await desk.wait(120)
            assert desk.posts(intent) == 1
            assert await desk.in_ledger(intent) == []

    run(scenario())


def test_a_write_that_fails_after_a_401_leaves_nothing_on_its_way(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        await desk.worker.sync_once()
        await desk.control("clock", seconds=400)
        written: list[Event] = []

        def second_departure(event: Event) -> bool:
            written.append(event)
            sent = [known for known in written if known.kind is EventKind.SENDING]
            return event in sent[1:]

        full_disk(desk.outbox, second_departure)
        async with desk.at_work():
            intent = desk.payout()
            desk.submit(intent)
            row = await desk.stands(intent, Standing.NOT_EXECUTED)
            assert row.attempts == 1
            assert await desk.in_ledger(intent) == []

    run(scenario())


def test_an_older_outbox_does_not_send_what_the_service_has(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    first = Dealing(service, clock, path)

    async def scenario() -> None:
        await first.worker.sync_once()
        async with first.at_work():
            intent = first.payout()
            first.submit(intent)
            accepted = await first.stands(intent, Standing.ACCEPTED)
        await first.worker.aclose()
        second = Dealing(service, clock, path.with_name("copy.sqlite"))
        second.recorded_only(intent)
        await second.worker.sync_once()
        async with second.at_work():
            row = await second.stands(intent, Standing.ACCEPTED)
            assert row.object_id == accepted.object_id

    run(scenario())


def test_one_that_never_left_is_looked_for_once_another_program_has_sent_it(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    first, other = (Dealing(service, clock, each) for each in (path, path.with_name("copy.sqlite")))

    async def scenario() -> None:
        async with first.open():
            first.network.mistakes["/v2/payments/payout"] = httpx.ConnectError("refused")
            first.submit(intent := first.payout())
            row = await first.stands(intent, Standing.NOT_EXECUTED, within=25)
            assert row.attempts == 0
        await first.worker.aclose()
        async with other.open():
            other.submit(intent)
            sent = await other.stands(intent, Standing.ACCEPTED)
        await other.worker.aclose()
        again = Dealing(service, clock, path)
        async with again.open():
            row = await again.stands(intent, Standing.ACCEPTED)
            assert row.object_id == sent.object_id
            assert again.store.sending.allowed

    run(scenario())


@pytest.mark.slow
def test_a_sheet_without_the_pair_books_nothing(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            quote = await desk.quote()
            intent = desk.trade(replace(quote, rates=()))
            desk.submit(intent)
            row = await desk.stands(intent, Standing.NOT_EXECUTED)
            assert row.problem is not None
            assert "no rate" in row.problem.what
            assert desk.posts(intent) == 0

    run(scenario())


def test_a_letter_that_gets_no_token_in_time_is_not_executed_and_says_so(
    desk: Dealing, run: Run
) -> None:
    async def scenario() -> None:
        await desk.worker.sync_once()
        await desk.fault("auth", "delay", times=10, seconds=29)
        desk.hands.advance(400)  # the token is over
        async with desk.at_work():
            intent = desk.payout()
            desk.submit(intent)
            row = await desk.stands(intent, Standing.NOT_EXECUTED, within=25)
            assert row.problem is not None
            assert row.problem.what == "there was no token in time"
            await desk.wait(120)
            assert desk.posts(intent) == 0

    run(scenario())


def test_a_doubt_does_not_promise_that_it_is_tried_again(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await desk.leave_in_doubt(intent)
            row = desk.row(intent)
            assert row is not None
            assert row.problem is not None
            assert "resent automatically" not in str(row.problem)

    run(scenario())
