"""A trade above the desk's limit proposes a mandate, and is booked within one that is approved."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.desk_limits import DeskLimits
from paytui.domain.intent import (
    Action,
    Intent,
    IntentEvent,
    IntentId,
    IntentMaker,
    IntentRow,
    Proposal,
    Standing,
    Verdict,
)
from paytui.domain.mandate import Mandate
from paytui.domain.models import AccountId
from paytui.domain.money import Money, Pair
from paytui.store.needs_attention import AttentionCandidates, needs_attention
from paytui.tui.notifications import open_intents
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.trade import Deal
from tests.support.clock import NOON
from tests.support.intents import row_of
from tests.tui.book import AUD, AUD_USD, USD, sheet
from tests.tui.dashboard import Dashboard, shows
from tests.tui.ticket.paying import said
from tests.tui.ticket.trading import Trading, fill, to_confirm

LIMIT = Decimal(1_000_000)


def desk() -> Trading:
    """Return a desk with a limit, and a rate of 0.65123."""
    trading = Trading()
    trading.store.desk_limits = DeskLimits(above={AUD: LIMIT})
    trading.hold("one", {AUD_USD: "0.65123"})
    return trading


def trade(trading: Trading, amount: str = "1.2m", **values: str) -> Ticket[Deal]:
    wallets = {"from_wallet": "wal-1", "to": "wal-4", "sell_amount": amount}
    ticket = trading.ticket(wallets | values)
    ticket.store_changed()
    return ticket


def confirm(trading: Trading, ticket: Ticket[Deal]) -> Intent:
    ticket.confirm(ticket.view().confirms)
    return trading.port.submitted[-1]


def approved(trading: Trading, up_to: str = "2000000", worst: str = "0.65") -> IntentRow:
    """Approve a mandate that another ticket has proposed."""
    mandate = Mandate(
        pair=Pair(AUD, USD),
        up_to=Money(Decimal(up_to), AUD),
        worst=Decimal(worst),
        lasts=timedelta(hours=5),
    )
    maker = IntentMaker(random.Random(9))  # noqa: S311 - a test repeats itself
    made = maker.make(mandate, title="Mandate", confirmed_at=NOON)
    by_bob = IntentEvent(NOON, "approved", "by bob on desk-2")
    alert = IntentEvent(NOON, "alert", "The system log does not get a copy of all events.")
    row = row_of(made, Standing.RECORDED, turns=(by_bob, alert))
    trading.store.intents.put([row])
    return row


def test_confirming_a_trade_above_the_limit_proposes_a_mandate_once() -> None:
    trading = desk()
    assert "Worst rate" not in said(trade(trading, "1m"))
    ticket = trade(trading, worst_rate="0.65", lasts="90")
    for words in (
        "Mandate sell up to 1,200,000.00 AUD for USD",
        "Worst rate 1 AUD = 0.650000 USD or better  0.19 % below the locked rate",
        "Mandate lasts 90 minutes from now",
        "this proposes a mandate, and books nothing.",
        "enter: propose",
    ):
        assert words in said(ticket)
    intent = confirm(trading, ticket)
    assert intent.action is Action.MANDATE
    assert isinstance(intent.request, Mandate)
    assert intent.title == "Mandate 1.2m AUD>USD ≥0.65"
    assert intent.terms.account_id is None
    assert intent.request.body == (
        b'{"sell": "AUD", "buy": "USD", "currency": "AUD", "up_to": "1200000.00", '
        b'"rate": "0.65", "seconds": 5400}'
    )
    assert intent.terms.expires_at == NOON + timedelta(minutes=90)

    trading.store.intents.put([row_of(intent, Standing.PROPOSED)])
    again = trade(trading)
    assert f"A colleague must approve the mandate {intent.intent_id} first" in said(again)
    assert again.view().confirms is None


def test_a_mandate_is_by_default_at_the_locked_rate_for_the_time_of_the_desk() -> None:
    trading = desk()
    ticket = trade(trading)
    hints = ["0.651230 USD for 1 AUD, as locked", "60 minutes"]
    assert [one.hint for one in ticket.fields][-2:] == hints
    request = confirm(trading, ticket).request
    assert isinstance(request, Mandate)
    assert (request.worst, request.lasts) == (Decimal("0.65123"), timedelta(hours=1))

    trading.store.desk_limits = DeskLimits(above={AUD: LIMIT}, within=timedelta(seconds=90))
    assert "Mandate lasts 1.5 minutes from now" in said(trade(trading))
    assert "Mandate lasts 1 minute from now" in said(trade(trading, lasts="1"))
    for values, words in (
        ({"worst_rate": "0.66"}, "The locked rate is worse: 0.65123."),
        ({"worst_rate": "1e-3"}, "Type a rate, such as 0.6580."),
        ({"worst_rate": "NaN"}, "Type a rate, such as 0.6580."),
        ({"lasts": "1441"}, "Type minutes from 1 to 1,440, such as 60."),
        ({"lasts": "0"}, "Type minutes from 1 to 1,440, such as 60."),
    ):
        assert words in said(trade(trading, **values))
    values = {"worst_rate": "0.65", "sell": "AUD", "buy": "USD", "sell_amount": "2m"}
    assert "worst_rate" not in trading.ticket(values).task.with_choice(values, "buy", "JPY")
    trading.hold("two", {AUD_USD: "0.6512300001"})  # 1,000,000.00 AUD give 651,230.0001 USD
    trading.store.desk_limits = DeskLimits(above={USD: Decimal(651_230)})
    assert "enter: propose" in said(trade(trading, "1m"))
    unlocked = trade(trading, rate="real-time")
    assert "A colleague must approve it by a mandate: choose a locked rate." in said(unlocked)
    assert unlocked.view().confirms is None
    waits = Trading()
    waits.store.desk_limits = trading.store.desk_limits
    assert "✗ requesting …" in said(trade(waits))
    assert "A colleague" not in said(trade(waits))


def test_a_trade_is_booked_within_an_approved_mandate_until_it_is_used_up() -> None:
    trading = desk()
    mandate = approved(trading)
    ticket = trade(trading)
    left = "2,000,000.00 of 2,000,000.00 AUD left at 0.650000 or better  until 17:00"
    assert f"Mandate {left}" in said(ticket)
    assert "enter: book" in said(ticket)
    intent = confirm(trading, ticket)
    assert intent.action is Action.BOOK_TRADE
    assert intent.terms.mandate_id == mandate.intent_id

    trading.store.intents.put([row_of(intent, Standing.IN_DOUBT)])
    ticket = trade(trading)
    words = f"Not within the mandate {mandate.intent_id}: only 800,000.00 AUD of it are left."
    assert words in said(ticket)
    assert "enter: propose" in said(ticket)
    trading.store.intents.put([row_of(intent, Standing.REFUSED)])
    assert "enter: book" in said(trade(trading))
    named = row_of(intent, Standing.ACCEPTED, is_colleagues=True, user="bob")  # uses nothing of it
    trading.store.intents.put([replace(named, intent_id=IntentId("PT-3"))])
    assert "enter: book" in said(trade(trading))

    trading.hold("two", {AUD_USD: "0.64999"})
    assert "the rate 0.64999 is below 0.65." in said(trade(trading))
    trading.hold("three", {AUD_USD: "0.65"})
    assert "enter: book" in said(trade(trading))
    trading.store.intents.put([replace(mandate, is_colleagues=True)])  # of another outbox
    assert "enter: propose" in said(trade(trading))


def test_a_profile_bounds_a_mandate_as_one_amount_of_its_maker_and_of_a_colleague() -> None:
    trading = desk()
    intent = confirm(trading, trade(trading))
    assert isinstance(intent.request, Mandate)
    proposal = Proposal(intent.request.body.decode(), NOON + timedelta(hours=1))
    row = row_of(intent, Standing.PROPOSED, is_colleagues=True, proposal=proposal)
    trading.store.intents.put([row])
    settings = trading.ui.settings
    profile = replace(settings.profile, refuse_above={AUD: Decimal(1_100_000)})
    bounded = replace(trading.ui, settings=replace(settings, profile=profile))
    trading.ui = bounded
    words = "Over 1,100,000.00 AUD, the most that this profile sends."
    ticket = Ticket(DecisionTask(bounded, row))
    ticket.chosen(Verdict.APPROVE)
    for each in (trade(trading), ticket):
        assert words in said(each)
        assert each.view().confirms is None


def test_a_colleague_approves_the_mandate_that_is_on_view() -> None:
    trading = desk()
    intent = confirm(trading, trade(trading))
    assert isinstance(intent.request, Mandate)
    body = intent.request.body.decode()
    proposal = Proposal(body, NOON + timedelta(hours=1))
    row = row_of(intent, Standing.PROPOSED, is_colleagues=True, user="ann", proposal=proposal)
    trading.store.intents.put([row])
    approved(trading, "1200000")
    trading.clock.advance(1)
    trading.hold("two", {AUD_USD: "0.592"})
    ticket = Ticket(DecisionTask(trading.ui, row))
    assert [option.name for option in ticket.view().options] == ["Approve", "Refuse"]
    ticket.chosen(Verdict.APPROVE)
    for words in (
        "Up to 1,200,000.00 AUD",
        "Rate 1 AUD = 0.65123 USD or better  10.01 % above the last known",
        "Wallets any, of any account; no recipient",
        "Possible duplicate: Mandate, confirmed at 12:00:00 UTC (approved).",
        "Request up_to: 1200000.00",
        "Lets ann book trades within it until it ends, without asking again.",
    ):
        assert words in said(ticket)
    assert ticket.view().asked == "1200000"

    for change in (("1200000", "9200000"), ("0.65123", "0.1"), ('"seconds": 3600', '"seconds": 9')):
        other = Proposal(body.replace(*change), proposal.until)
        trading.store.intents.put([replace(row, proposal=other)])
        ticket = Ticket(DecisionTask(trading.ui, row))
        ticket.chosen(Verdict.APPROVE)
        assert "The request is not the mandate that it says." in said(ticket)
        assert ticket.view().confirms is None

    held = replace(approved(trading), is_colleagues=False)
    ours = Ticket(DecisionTask(trading.ui, held))
    assert [option.name for option in ours.view().options] == ["Withdraw"]


def test_an_approved_mandate_needs_nobody_and_a_proposed_one_a_colleague() -> None:
    trading = desk()
    mandate = approved(trading)
    proposal = replace(mandate, intent_id=IntentId("PT-2"), standing=Standing.PROPOSED, turns=())
    trading.store.intents.put([proposal])
    suspects = AttentionCandidates(trading.store, {})
    assert suspects.intents.take_in() is not None
    found = needs_attention(suspects, NOON, AccountId("acc-2"))  # which it names as little as any
    assert [(one.key, one.subject) for one in found] == [("PT-2", "mandate AUD > USD")]
    assert [row.intent_id for row in open_intents(trading.store)] == ["PT-2"]
    assert (mandate.standing_words, proposal.standing_words) == ("approved", "proposed")


@pytest.mark.slow
def test_a_mandate_is_proposed_by_keys_and_a_trade_is_booked_within_it() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        await shows(pilot, "sell up to 250,000.00 AUD for USD")
        await pilot.press("shift+tab", "shift+tab", *"0.65", "enter")
        await shows(pilot, "1 AUD = 0.650000 USD or better")
        ui.clock.advance(1)
        await pilot.press("enter")
        await shows(pilot, "Trade · outcome")
        [mandate] = ui.port.submitted
        assert mandate.terms.rate == Decimal("0.65")
        by_bob = IntentEvent(NOON, "approved", "by bob on desk-2")
        ui.store.intents.put([row_of(mandate, Standing.RECORDED, turns=(by_bob,))])
        ui.store.notify()

        await pilot.press("escape")
        await shows(pilot, "Balances")
        await to_confirm(pilot)
        await shows(pilot, "250,000.00 of 250,000.00 AUD left")
        ui.clock.advance(1)
        await pilot.press("enter")
        await shows(pilot, "Trade · outcome")
        assert ui.port.submitted[1].terms.mandate_id == mandate.intent_id

    ui = Dashboard()
    fill(ui.store)
    ui.store.desk_limits = DeskLimits(above={AUD: Decimal(200_000)})
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])
    ui.play(scenario)
