"""What is above the desk's limits is proposed; a colleague reviews its very bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from paytui.domain.desk_limits import Charge, DayUse, DeskLimits
from paytui.domain.intent import (
    Decision,
    IntentEvent,
    IntentRow,
    Proposal,
    SendPermission,
    Standing,
    Verdict,
)
from paytui.tui.details.intent import meaning_words
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.engine import Ticket
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.tui.book import AUD, USD
from tests.tui.ticket.paying import Paying, said
from tests.tui.ticket.trading import Trading

REQUEST = {
    "amount": {"value": 1200.00, "currency": "USD"},
    "sourceWalletId": "wal-4",
    "paymentAddressId": "adr-1",
    "reference": "INV 7 PT-00000001",
    "purpose": "goods",
}


def proposed(request: object = REQUEST, **changes: object) -> IntentRow:
    """Return a colleague's payout of 1,200.00 USD, which can be approved for an hour."""
    proposal = Proposal(json.dumps(request), NOON + timedelta(hours=1))
    row = intent_row(1, Standing.PROPOSED, is_colleagues=True, attempts=0, proposal=proposal)
    return replace(row, **changes)  # type: ignore[arg-type]  # named as the fields are


def deciding(trading: Trading, row: IntentRow, verdict: Verdict | None = None) -> Ticket[Decision]:
    trading.store.intents.put([row])
    ticket = Ticket(DecisionTask(trading.ui, row))
    if verdict is not None:
        ticket.chosen(verdict)
    return ticket


def confirm(ticket: Ticket[Decision]) -> None:
    ticket.confirm(ticket.view().confirms)


def test_a_colleague_sees_the_request_and_types_its_amount() -> None:
    trading = Trading()  # no real money moves, and no limit of one's own
    row = proposed()
    ticket = deciding(trading, row, Verdict.APPROVE)
    for words in (
        "Foundry Incorporated",
        "000123456789",
        "Request amount.value: 1200.0",
        "Request purpose: goods",
        "Lets ann send exactly this request. Approving sends nothing.",
    ):
        assert words in said(ticket)
    trading.store.desk_limits = DeskLimits(needs=2)
    trading.store.approvals = {row.intent_id: ("carol",)}
    assert "Approval 1 of 2, by carol" in said(ticket)
    assert ticket.view().asked == "1200"
    confirm(ticket)
    assert trading.port.decided == []
    ticket.typed("1200")
    confirm(ticket)
    assert row.proposal is not None
    assert trading.port.decided == [
        Decision(intent_id=row.intent_id, verdict=Verdict.APPROVE, body=row.proposal.body)
    ]


@pytest.mark.parametrize(
    ("change", "lacks"),
    [
        ({"amount": {"value": "1200.01", "currency": "USD"}}, "the amount"),
        ({"sourceWalletId": "wal-1"}, "the wallet"),
        ({"paymentAddressId": "adr-2"}, "the recipient's account"),
        ({"reference": "INV 7"}, "the reference"),
    ],
)
def test_a_request_that_is_not_what_it_says_is_not_approved(
    change: dict[str, object], lacks: str
) -> None:
    trading = Trading()
    ticket = deciding(trading, proposed(REQUEST | change), Verdict.APPROVE)
    assert f"The request is not what it says: it lacks {lacks}." in said(ticket)
    assert ticket.view().confirms is None


@pytest.mark.parametrize(
    "body",
    [
        "no JSON",
        "[" * 9_000,
        json.dumps(REQUEST | {"note": "x" * 10_000}),
        json.dumps(REQUEST).replace('"purpose"', '"reference"'),  # named twice
    ],
)
def test_a_request_that_cannot_be_reviewed_is_not_approved(body: str) -> None:
    trading = Trading()
    row = proposed(proposal=Proposal(body, NOON + timedelta(hours=1)))
    ticket = deciding(trading, row, Verdict.APPROVE)
    assert "The request cannot be reviewed." in said(ticket)
    assert ticket.view().confirms is None


def test_a_request_that_changes_under_the_hand_is_reviewed_again() -> None:
    trading = Trading()
    ticket = deciding(trading, proposed(), Verdict.APPROVE)
    ticket.typed("1200")
    before = ticket.view().confirms
    trading.store.intents.put([proposed(REQUEST | {"purpose": "services"})])
    ticket.confirm(before)
    assert trading.port.decided == []


@pytest.mark.parametrize(
    ("row", "offered"),
    [
        (proposed(), ["Approve", "Refuse"]),
        (proposed(proposal=None), ["Refuse"]),  # the time is over
        (proposed(proposal=None, is_colleagues=False), ["Withdraw"]),
    ],
)
def test_what_can_be_decided_on_a_proposal(row: IntentRow, offered: list[str]) -> None:
    ticket = deciding(Trading(), row)
    assert [option.name for option in ticket.view().options] == offered


def test_what_a_colleague_must_approve_is_said_before_it_is_proposed() -> None:
    paying = Paying()
    words = "A colleague must approve it: this proposes it, and sends nothing."
    ticket = paying.ready_payout()
    assert words not in said(ticket)
    before = ticket.view().confirms
    paying.store.desk_limits = DeskLimits(above={USD: Decimal(1)})
    ticket.confirm(before)  # for sending it, which it is no longer
    assert paying.port.submitted == []
    assert words in said(ticket)
    assert "enter: propose" in said(ticket)


def test_what_is_left_of_a_limit_of_the_day_is_said_before_it_is_confirmed() -> None:
    paying, limits = Paying(), DeskLimits(at_most={USD: Decimal(5_000)})
    charges = [
        Charge("bob", True, "rec-1", USD, Decimal(2_000)),
        Charge("ann", False, "rec-2", USD, Decimal(1_800)),
        Charge("ann", False, "rec-2", AUD, Decimal(9_000)),
    ]
    paying.store.desk_limits = limits
    assert "of the day" not in said(paying.ready_payout())  # its use is not known
    paying.store.day_use = DayUse(tuple(charges), NOON)
    ticket = paying.ready_payout()
    left = "The desk's limit of the day: 3,800.00 of 5,000.00 USD used, 1,200.00 left"
    assert f"Day limit {left}; a new day starts 00:00 UTC" in said(ticket)
    before = ticket.view().confirms
    limits = replace(limits, per_recipient={USD: Decimal(3_000)})
    paying.store.desk_limits = limits
    ticket.confirm(before)  # within the limits, which it is no longer
    assert paying.port.submitted == []
    over = "! Over the recipient's limit of the day: 2,000.00 of 3,000.00 USD used, 1,000.00 left"
    assert over in said(ticket)
    paying.store.day_use = DayUse(tuple(charges), NOON - timedelta(days=1))
    assert "of the day: 0.00 of 3,000.00 USD used" in said(ticket)

    trading = Trading()  # the approver of ann's payout of 1,200.00 USD
    trading.store.desk_limits = replace(limits, per_trader={USD: Decimal(2_500)})
    trading.store.day_use = DayUse(tuple(charges), NOON)
    approving = deciding(trading, proposed(), Verdict.APPROVE)
    over = "! Over ann's limit of the day: 1,800.00 of 2,500.00 USD used, 700.00 left"
    assert over in said(approving)


def test_a_trade_above_the_limit_that_pays_a_recipient_is_not_booked() -> None:
    trading = Trading()
    trading.store.desk_limits = DeskLimits(above={AUD: Decimal(1_000)})
    assert trading.about_to_pay().view().confirms is not None
    trading.store.desk_limits = DeskLimits(above={AUD: Decimal("999.99")})
    ticket = trading.about_to_pay()
    assert "buy into a wallet, and pay from there." in said(ticket)
    assert ticket.view().confirms is None


def test_a_refusal_says_that_it_was_one() -> None:
    trading = Trading()
    turns = (IntentEvent(NOON, "proposed", ""),)
    ticket = deciding(trading, proposed(turns=turns), Verdict.NOT_DONE)
    assert "Refuses it. It is never sent." in said(ticket)
    confirm(ticket)
    refused = IntentEvent(NOON, "settled as not done", "by bob on desk-2")
    row = proposed(turns=(*turns, refused), standing=Standing.NOT_DONE, proposal=None, since=NOON)
    trading.store.intents.put([row])
    assert "✗ refused by bob" in said(ticket)
    assert ticket.view().name == "decided"
    ours = replace(row, is_colleagues=False)
    assert meaning_words(trading.ui, ours) == "Refused by bob: it is never sent."
    withdrawn = replace(refused, words="by ann")
    assert replace(ours, turns=(*turns, withdrawn)).standing_words == "withdrawn"
    sent = replace(ours, attempts=1)
    assert meaning_words(trading.ui, sent) == (
        "A user marked it as not executed. It is never sent again."
    )


def test_what_was_approved_names_the_keys_that_send_it() -> None:
    paying = Paying()
    ticket = paying.ready_payout()
    ticket.confirm(ticket.view().confirms)
    turns = (IntentEvent(NOON, "proposed", ""), IntentEvent(NOON, "approved", "by bob on desk-2"))
    paying.stands(Standing.RECORDED, turns=turns)
    assert "Approved, not sent. Press 8, then d to send it" in said(ticket)
    why = "Nothing is sent: the desk's database is away. paytui connects again by itself."
    paying.store.set_sending(SendPermission(allowed=False, why=why))
    assert (
        "Approved, not sent. The desk's database is away. paytui connects again by itself. "
        "It is not sent by itself: press 8, then d after that."
    ) in said(ticket)
    paying.stands(Standing.RECORDED)
    assert "Not sent: the desk's database is away." in said(ticket)
