"""A resend passes the same guards as a first confirmation."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from paytui.domain.intent import (
    Action,
    Decision,
    FruitlessReads,
    IntentRow,
    IntentTerms,
    SendPermission,
    Standing,
    Verdict,
)
from paytui.domain.models import Payment, PaymentId
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.engine import Ticket
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.tui.book import AUD, AUD_USD, USD
from tests.tui.ticket.paying import said
from tests.tui.ticket.trading import Trading

SENDS = [(Standing.RECORDED, Verdict.SEND), (Standing.IN_DOUBT, Verdict.REPEAT)]


def deciding(trading: Trading, row: IntentRow, verdict: Verdict) -> Ticket[Decision]:
    """At the review, all of it on view, if the verdict can be chosen."""
    trading.store.intents.put([row])
    ticket = Ticket(DecisionTask(trading.ui, row))
    ticket.chosen(verdict)
    return ticket


def confirm(ticket: Ticket[Decision]) -> None:
    ticket.confirm(ticket.view().confirms)


@pytest.mark.parametrize(("standing", "verdict"), SENDS)
def test_who_is_paid_where_and_by_which_service_is_shown_before_it_is_sent(
    standing: Standing, verdict: Verdict
) -> None:
    ticket = deciding(Trading(live=True), intent_row(1, standing), verdict)
    for words in ("Foundry Incorporated", "000123456789", "021000021", "First Bank", "LIVE"):
        assert words in said(ticket)


@pytest.mark.parametrize(("standing", "verdict"), SENDS)
def test_where_money_is_real_the_amount_is_typed(standing: Standing, verdict: Verdict) -> None:
    trading = Trading(live=True)
    ticket = deciding(trading, intent_row(1, standing), verdict)
    assert ticket.view().asked == "1200"
    confirm(ticket)
    ticket.typed("120")
    confirm(ticket)
    assert trading.port.decided == []
    ticket.typed("1200")
    confirm(ticket)
    assert [one.verdict for one in trading.port.decided] == [verdict]


def test_whether_it_was_looked_for_is_seen_before_it_is_decided() -> None:
    trading = Trading()
    row = intent_row(1, Standing.IN_DOUBT)
    trading.store.looked[row.intent_id] = FruitlessReads(1, NOON)
    shown = said(deciding(trading, row, Verdict.NOT_DONE))
    assert "searched all payments once, last at 12:00:00 UTC: not found." in shown
    trading.store.intents.put([replace(row, may_arrive_until=NOON + timedelta(seconds=9))])
    ticket = Ticket(DecisionTask(trading.ui, row))
    ticket.store_changed()
    assert "not found yet; it may still arrive." in said(ticket)


def test_what_sends_nothing_needs_nothing_typed() -> None:
    trading = Trading(live=True)
    ticket = deciding(trading, intent_row(1), Verdict.NOT_DONE)
    assert ticket.view().asked == ""
    confirm(ticket)
    assert len(trading.port.decided) == 1


@pytest.mark.parametrize(("standing", "verdict"), SENDS)
def test_what_is_above_the_most_that_a_profile_sends_is_not_sent(
    standing: Standing, verdict: Verdict
) -> None:
    trading = Trading()
    trading.limit(USD, "1199.99")
    ticket = deciding(trading, intent_row(1, standing), verdict)
    assert "Over 1,199.99 USD" in said(ticket)
    assert ticket.view().confirms is None
    confirm(ticket)
    assert trading.port.decided == []


# 5,000,000 / 0.65123 = 7,677,778.97 to the cent
@pytest.mark.parametrize(("most", "decided"), [("7677778.97", 1), ("7677778.96", 0)])
def test_both_sides_of_a_trade_keep_to_their_limits(most: str, decided: int) -> None:
    trading = Trading()
    trading.limit(AUD, most)
    terms = IntentTerms(
        amount=Decimal(5_000_000),
        currency=USD,
        sell_currency=AUD,
        buy_currency=USD,
        rate=Decimal("0.65123"),
        expires_at=NOON + timedelta(minutes=2),
    )
    row = intent_row(1, Standing.RECORDED, action=Action.BOOK_TRADE, terms=terms)
    ticket = deciding(trading, row, Verdict.SEND)
    assert "1 AUD = 0.65123 USD" in said(ticket)
    confirm(ticket)
    assert len(trading.port.decided) == decided


def test_a_trade_at_a_real_time_rate_is_judged_by_the_last_known_one() -> None:
    trading = Trading()
    trading.limit(AUD, "7677778.96")
    trading.hold("one", {AUD_USD: "0.65123"})
    terms = IntentTerms(
        amount=Decimal(5_000_000), currency=USD, sell_currency=AUD, buy_currency=USD
    )
    row = intent_row(1, Standing.RECORDED, action=Action.BOOK_TRADE, terms=terms)
    assert "Over 7,677,778.96 AUD" in said(deciding(trading, row, Verdict.SEND))


@pytest.mark.parametrize(("standing", "verdict"), SENDS)
def test_the_same_that_went_out_meanwhile_is_named_and_has_to_be_seen_first(
    standing: Standing, verdict: Verdict
) -> None:
    trading = Trading()
    ticket = deciding(trading, intent_row(1, standing), verdict)
    assert "The same was" not in said(ticket)
    painted = ticket.view().confirms
    trading.store.intents.put([intent_row(2, Standing.ACCEPTED)])
    ticket.confirm(painted)
    assert trading.port.decided == []
    words = "Payout 1,200.00 USD to Bolt, confirmed at 11:58:00 UTC (accepted)."
    assert f"Possible duplicate: {words}" in said(ticket)
    confirm(ticket)
    assert len(trading.port.decided) == 1


@pytest.mark.parametrize(
    ("standing", "verdict", "after", "words"),
    [
        (Standing.IN_DOUBT, Verdict.NOT_DONE, Standing.NOT_DONE, "marked not executed"),
        (Standing.RECORDED, Verdict.SEND, Standing.SENDING, "sending"),
        (Standing.IN_DOUBT, Verdict.REPEAT, Standing.SENDING, "sending"),
    ],
)
def test_it_is_decided_once_the_intent_shows_it_and_not_when_a_key_is_pressed(
    standing: Standing, verdict: Verdict, after: Standing, words: str
) -> None:
    trading = Trading()
    row = intent_row(1, standing)
    ticket = deciding(trading, row, verdict)
    confirm(ticket)
    assert len(trading.port.decided) == 1
    assert ticket.view().name != "decided"
    assert "Not done yet" in said(ticket)
    trading.store.intents.put([replace(row, candidates=("pay-1",))])
    ticket.store_changed()
    assert ticket.view().name != "decided"
    sent = row.attempts + (after is Standing.SENDING)
    trading.store.intents.put([replace(row, standing=after, attempts=sent, since=NOON)])
    ticket.store_changed()
    assert ticket.view().name == "decided"
    assert words in said(ticket)


@pytest.mark.parametrize("verdict", [Verdict.NOT_DONE, Verdict.REPEAT])
def test_what_carries_its_reference_is_warned_of_before_it_is_sent_or_made_again(
    verdict: Verdict,
) -> None:
    trading = Trading()
    references = {"pay-1": "INV 7 PT-00000002", "pay-2": "INV 7 PT-00000001", "pay-3": None}
    trading.store.payments.put(
        Payment(PaymentId(each), reference=text) for each, text in references.items()
    )
    row = intent_row(1, candidates=tuple(references))
    shown = said(deciding(trading, row, verdict))
    assert "pay-2 carries this reference: it was probably executed." in shown
    assert shown.count("carries this reference") == 1


def test_a_decision_that_cannot_be_written_says_why_nothing_came_of_it() -> None:
    trading = Trading()
    ticket = deciding(trading, intent_row(1), Verdict.NOT_DONE)
    confirm(ticket)
    trading.store.set_sending(SendPermission(allowed=False, why="The disk is full."))
    assert "Not done: The disk is full." in said(ticket)
    assert ticket.view().name != "decided"


def test_what_was_settled_by_itself_before_a_decision_came_is_not_called_decided() -> None:
    trading = Trading()
    ticket = deciding(trading, intent_row(1), Verdict.NOT_DONE)
    confirm(ticket)
    trading.store.intents.put([intent_row(1, Standing.ACCEPTED, object_id="pay-1")])
    ticket.store_changed()
    assert ticket.view().name != "decided"
    assert "accepted" in said(ticket)
    assert "before your decision was recorded" in said(ticket)


ON_ITS_WAY_FOR = timedelta(minutes=2, seconds=20)


@pytest.mark.parametrize("verdict", [Verdict.NOT_DONE, Verdict.REPEAT])
def test_what_may_still_arrive_is_not_given_up_and_it_says_until_when(verdict: Verdict) -> None:
    trading = Trading()
    row = replace(intent_row(1), may_arrive_until=trading.ui.time.clock.now() + ON_ITS_WAY_FOR)
    ticket = deciding(trading, row, verdict)
    assert ticket.view().confirms is None
    assert ticket.view().name == "decision"
    assert "Not yet: it may still arrive until 12:02:20 UTC; decide after that." in said(ticket)
    name = "Mark as not executed" if verdict is Verdict.NOT_DONE else "Send again"
    assert f"{name}: it may still arrive until 12:02:20 UTC." in said(ticket)
    trading.store.intents.put([replace(row, may_arrive_until=None)])
    ticket.store_changed()
    ticket.chosen(verdict)
    confirm(ticket)
    assert [one.verdict for one in trading.port.decided] == [verdict]


def test_what_was_done_may_be_said_at_any_time() -> None:
    trading = Trading()
    until = trading.ui.time.clock.now() + ON_ITS_WAY_FOR
    ticket = deciding(trading, replace(intent_row(1), may_arrive_until=until), Verdict.DONE)
    ticket.typed("pay-1")
    ticket.go_on()
    confirm(ticket)
    assert [one.object_id for one in trading.port.decided] == ["pay-1"]


def test_a_doubt_that_begins_anew_at_the_last_question_is_not_settled() -> None:
    trading = Trading()
    row = intent_row(1)
    ticket = deciding(trading, row, Verdict.NOT_DONE)
    shown = ticket.view().confirms
    assert shown is not None
    until = trading.ui.time.clock.now() + ON_ITS_WAY_FOR
    trading.store.intents.put([replace(row, may_arrive_until=until)])
    ticket.confirm(shown)
    assert trading.port.decided == []
    assert "Mark as not executed: it may still arrive until 12:02:20 UTC." in said(ticket)


OTHERWISE = "The amount that was booked is 1,300.00; 1,200.00 was confirmed."


def booked_otherwise() -> IntentRow:
    """The service holds another payment than was confirmed, with the intent's reference."""
    return intent_row(1, object_id="pay-1", alerts=(OTHERWISE,))


def test_what_the_service_holds_is_accepted_as_it_is_or_not_at_all() -> None:
    trading = Trading()
    ticket = deciding(trading, booked_otherwise(), Verdict.NOT_DONE)
    view = ticket.view()
    assert [(option.key, option.facts) for option in view.options] == [
        (Verdict.DONE, "as it is: pay-1")
    ]
    assert "The service holds pay-1, which carries this reference: it was executed." in said(ticket)
    assert OTHERWISE in said(ticket)
    for verdict in (Verdict.NOT_DONE, Verdict.REPEAT):
        ticket.chosen(verdict)
        assert ticket.view().name == "decision"
    ticket.chosen(Verdict.DONE)
    assert "Marks it as executed, with the result pay-1." in said(ticket)
    confirm(ticket)
    assert [(one.verdict, one.object_id) for one in trading.port.decided] == [
        (Verdict.DONE, "pay-1")
    ]


@pytest.mark.parametrize("verdict", [Verdict.NOT_DONE, Verdict.REPEAT])
def test_what_the_service_turns_out_to_hold_at_the_last_question_is_not_given_up(
    verdict: Verdict,
) -> None:
    trading = Trading()
    ticket = deciding(trading, intent_row(1), verdict)
    shown = ticket.view().confirms
    assert shown is not None
    trading.store.intents.put([booked_otherwise()])
    ticket.confirm(shown)
    confirm(ticket)
    assert trading.port.decided == []
    assert "Its status has changed. Please review." in said(ticket)
    ticket.go_on()
    assert ticket.view().name == "decision"
    assert "neither be marked as not executed nor sent again" in said(ticket)


def test_a_text_is_taken_as_it_is_typed_and_not_for_what_begins_with_it() -> None:
    trading = Trading()
    row = intent_row(1, candidates=("pay-12", "pay-13"))
    ticket = deciding(trading, row, Verdict.DONE)
    ticket.typed("pay-1")
    ticket.go_on()
    confirm(ticket)
    assert [one.object_id for one in trading.port.decided] == ["pay-1"]


def test_a_refused_text_is_not_replaced_by_what_was_found() -> None:
    trading = Trading()
    ticket = deciding(trading, intent_row(1, candidates=("pay-1",)), Verdict.DONE)
    ticket.typed("two words")
    for _press in range(2):
        ticket.go_on()
        assert ticket.view().name == "result"
        assert "an identifier has no spaces" in said(ticket)


def test_another_decision_has_no_result_of_the_one_before() -> None:
    trading = Trading()
    ticket = deciding(trading, intent_row(1, candidates=("pay-1",)), Verdict.DONE)
    ticket.go_on()
    ticket.go(-1)
    ticket.go(-1)
    ticket.chosen(Verdict.NOT_DONE)
    ticket.go(-1)
    ticket.chosen(Verdict.DONE)
    assert ticket.view().name == "result"
    assert ticket.view().confirms is None


def test_a_result_is_not_asked_for_once_the_status_it_was_for_is_gone() -> None:
    trading = Trading()
    ticket = deciding(trading, intent_row(1, candidates=("pay-1",)), Verdict.DONE)
    assert ticket.view().name == "result"
    trading.store.intents.put([intent_row(1, Standing.ACCEPTED, object_id="pay-1")])
    assert ticket.view().name == "decision"
    assert "Its status has changed. Please review." in said(ticket)
    ticket.go_on()
    assert ticket.view().confirms is None


def test_an_amount_typed_before_a_duplicate_came_to_light_does_not_confirm_it() -> None:
    trading = Trading(live=True)
    ticket = deciding(trading, intent_row(1, Standing.RECORDED), Verdict.SEND)
    ticket.typed("1200")
    trading.store.intents.put([intent_row(2, Standing.ACCEPTED)])
    confirm(ticket)
    assert trading.port.decided == []
    assert "Type 1200 to confirm." in said(ticket)


def test_what_was_found_meanwhile_has_to_be_seen_before_it_is_given_up() -> None:
    trading = Trading()
    ticket = deciding(trading, intent_row(1), Verdict.NOT_DONE)
    shown = ticket.view().confirms
    trading.store.intents.put([intent_row(1, candidates=("pay-1",))])
    ticket.confirm(shown)
    assert trading.port.decided == []
    assert "Its status has changed. Please review." in said(ticket)
    assert "pay-1" in said(ticket)
    confirm(ticket)
    assert len(trading.port.decided) == 1


def test_what_was_recorded_is_not_sent_once_its_rate_has_ended_at_the_review() -> None:
    trading = Trading()
    row = intent_row(1, Standing.RECORDED)
    ends = replace(row.terms, expires_at=NOON + timedelta(seconds=9))
    ticket = deciding(trading, replace(row, terms=ends), Verdict.SEND)
    shown = ticket.view().confirms
    assert shown is not None
    trading.clock.advance(60)
    ticket.confirm(shown)
    assert trading.port.decided == []
    assert "Send now: its rate expired" in said(ticket)
