"""The outcome of a confirmed payout or transfer, without a screen."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.domain.intent import FruitlessReads, SendPermission, Standing
from paytui.domain.models import FieldProblem, Kind, PaymentId, Problem
from paytui.store.health import Feed
from tests.support.clock import NOON
from tests.tui.ticket.paying import (
    Paying,
    confirm,
    said,
    typed_so_far,
)


@pytest.mark.covers("end-to-end-id")
def test_a_payout_is_followed_to_its_end_to_end_id() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    assert "Being recorded" in said(ticket)
    paying.stands(Standing.RECORDED)
    assert "Status ! not sent" in said(ticket)
    paying.stands(Standing.SENDING)
    assert "Status … sending" in said(ticket)
    paying.stands(Standing.ACCEPTED, object_id="pay-9")
    assert "Payment status not read yet" in said(ticket)
    assert ticket.view().became is None
    paying.becomes("compliance_review")
    assert ticket.view().became == paying.store.payments.get(PaymentId("pay-9"))
    assert "Payment status ! compliance review" in said(ticket)
    assert "Progress [compliance review] › processing › released › completed" in said(ticket)
    assert "assigned on release" in said(ticket)
    paying.becomes("released", end_to_end_id="E2E123")
    assert "End-to-end E2E123" in said(ticket)
    paying.becomes("completed", end_to_end_id="E2E123")
    assert "✓ completed" in said(ticket)
    assert not ticket.view().corrects


def test_a_refusal_is_shown_whole_and_put_right_at_its_question_as_a_new_intention() -> None:
    paying = Paying()
    ticket = paying.ready_payout("6000")
    confirm(ticket)
    problem = Problem(
        "create payout",
        "422",
        said="insufficient funds",
        trace_id="trace-1",
        fields=(FieldProblem("amount", "only 5,000.00 is available"),),
    )
    paying.stands(Standing.REFUSED, problem=problem)
    for words in ("refused", "insufficient funds", "trace-1", "only 5,000.00 is available"):
        assert words in said(ticket)
    assert ticket.view().corrects
    ticket.go_on()
    assert ticket.view().name == "amount"
    assert "only 5,000.00 is available" in said(ticket)
    assert typed_so_far(ticket) == "6000"
    ticket.typed("4000")
    assert "only 5,000.00" not in said(ticket)
    ticket.go_on()
    confirm(ticket)
    first, second = paying.port.submitted
    assert second.terms.amount == Decimal(4000)
    assert first.intent_id != second.intent_id
    assert first.key != second.key


@pytest.mark.parametrize("standing", [Standing.REFUSED, Standing.NOT_EXECUTED])
def test_an_end_that_an_alert_contradicts_is_not_called_certain_and_not_made_anew(
    standing: Standing,
) -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    paying.stands(standing)
    assert "no money moved" in said(ticket)
    paying.stands(standing, alerts=("Its status is refused, but pay-9 carries its reference.",))
    assert "no money moved" not in said(ticket)
    assert "enter: " not in said(ticket)
    assert "pay-9 carries its reference" in said(ticket)
    assert not ticket.view().corrects
    confirm(ticket)
    assert len(paying.port.submitted) == 1


def test_a_reference_that_is_refused_for_its_length_names_the_tag_and_what_to_do() -> None:
    paying = Paying()
    ticket = paying.ready_payout(reference="R" * 131)
    confirm(ticket)
    [intent] = paying.port.submitted
    fields = (FieldProblem("reference", "must not be longer than 140 characters"),)
    paying.stands(Standing.REFUSED, problem=Problem("create payout", "422", fields=fields))
    ticket.go_on()
    assert ticket.view().name == "reference"
    # 131, a blank, PT- and eight letters
    assert f"12 of its 143 characters are the tag {intent.intent_id}:" in said(ticket)
    assert "shorten the reference or set tag_reference = false" in said(ticket)


def test_a_refusal_of_an_account_that_had_no_choice_is_said_where_it_was_filled_in() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    problem = Problem(
        "create payout", "409", fields=(FieldProblem("payment_address_id", "is not Active"),)
    )
    paying.stands(Standing.REFUSED, problem=problem)
    ticket.go_on()
    assert ticket.view().name == "bank account"
    assert "payment address id: is not Active" in said(ticket)


def test_what_paytui_does_to_find_it_is_told_as_it_is() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    paying.stands(Standing.IN_DOUBT)
    assert "paytui searches the payments for it and resolves it" in said(ticket)
    intent_id = paying.port.submitted[0].intent_id
    paying.store.looked[intent_id] = FruitlessReads(3, NOON)
    shown = said(ticket)
    assert "paytui searched all payments 3 times, last at 12:00:00 UTC: not" in shown
    paying.store.set_feed(Feed(Kind.PAYMENTS, offered=False))
    assert "paytui cannot search for it: the service has no list of payments" in said(ticket)


def test_what_is_in_doubt_is_never_called_failed_and_cannot_be_made_anew_from_here() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    paying.stands(Standing.IN_DOUBT, problem=Problem("send it", "timed out"), repeat_until=NOON)
    shown = said(ticket)
    assert "It may have been executed" in shown
    assert "with its idempotency key, until 12:00:00 UTC" in shown
    assert "fail" not in shown.lower()
    assert not ticket.view().corrects
    confirm(ticket)
    assert len(paying.port.submitted) == 1


def test_what_was_booked_otherwise_was_executed_and_is_not_looked_for() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    paying.stands(
        Standing.IN_DOUBT, object_id="pay-1", alerts=("It is 9.00; 10.00 was confirmed.",)
    )
    shown = said(ticket)
    assert "The service executed it, but not as it was confirmed" in shown
    assert "It is 9.00; 10.00 was confirmed." in shown
    assert "searches" not in shown
    assert not ticket.view().corrects


@pytest.mark.parametrize("standing", [Standing.NOT_EXECUTED, Standing.NOT_RECORDED])
def test_what_came_to_nothing_may_be_tried_again_as_a_new_intention(standing: Standing) -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    paying.stands(standing, problem=Problem("send it", "connection refused"))
    assert "connection refused" in said(ticket)
    assert "enter: try again" in said(ticket)
    ticket.go_on()
    confirm(ticket)
    first, second = paying.port.submitted
    assert first.terms.amount == second.terms.amount
    assert first.key != second.key


OFFLINE = Problem(
    "create payout", "no connection", said="<refused>", remedy="Check the network.", trace_id="t-7"
)


@pytest.mark.parametrize("standing", [Standing.IN_DOUBT, Standing.REFUSED])
def test_why_it_stands_so_is_told_and_never_that_it_could_not_be_done(standing: Standing) -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    paying.stands(standing, problem=OFFLINE)
    assert "no connection (<refused>) [trace t-7]. Check the network." in said(ticket)
    assert "Could not" not in said(ticket)


@pytest.mark.parametrize(
    ("standing", "words", "others"),
    [
        (Standing.REFUSED, "Refused: <refused>", "Not executed:"),
        (Standing.NOT_EXECUTED, "Not executed: <refused>", "Refused"),
    ],
)
def test_only_what_a_service_refused_is_called_refused(
    standing: Standing, words: str, others: str
) -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    paying.stands(standing, problem=OFFLINE)
    ticket.go_on()
    assert words in said(ticket)
    assert others not in said(ticket)


def test_what_is_recorded_and_waits_says_what_for() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    paying.stands(Standing.RECORDED)
    assert "about to be sent" in said(ticket)
    paying.clock.advance(6)
    assert "waiting for a token" in said(ticket)
    paying.store.set_sending(SendPermission(allowed=False, why="The disk is full."))
    assert "Not sent: The disk is full." in said(ticket)


@pytest.mark.parametrize("standing", [Standing.ACCEPTED, Standing.NOT_DONE])
def test_what_is_settled_may_not_be_anything_else(standing: Standing) -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    confirm(ticket)
    paying.stands(Standing.IN_DOUBT)
    (row,) = paying.store.intents.rows()
    paying.store.intents.put([replace(row, candidates=("pay-1",))])
    assert "Candidate pay-1" in said(ticket)
    paying.store.intents.put([replace(row, candidates=("pay-1",), standing=standing)])
    assert "Candidate" not in said(ticket)
