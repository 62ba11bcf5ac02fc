"""The trade wizard without a screen. Amounts by hand: 250,000 x 0.65123 = 162,807.50."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.domain.intent import Standing
from paytui.domain.models import FieldProblem, Kind, Problem, RateSheet, UnavailableRate
from paytui.domain.money import Pair
from paytui.domain.rates import Quote
from paytui.store.health import Feed, Link, LinkState
from paytui.tui.step_protocol import StepView
from paytui.tui.wizards.rate_lock import RateLock
from paytui.tui.wizards.trade_wizard import TradeWizard, trade_from
from tests.support.intents import row_of
from tests.tui.book import AUD, AUD_USD, JPY, USD, USD_AUD, sheet, wallet
from tests.tui.wizards.trading import Trading, booked, recipient


def said(view: StepView) -> str:
    lines = ["  ".join([one.label, *(cell.text for cell in one.cells)]) for one in view.lines]
    return "\n".join([*lines, *(cell.text for cell in view.words)])


def at_rate(trading: Trading, amount: str = "250k") -> TradeWizard:
    """Acme sells Australian dollars out of its desk for American ones."""
    machine = trade_from(trading.ui, trading.store.wallets.rows()[0])
    machine.chosen("wal-4")
    machine.typed(amount)
    machine.go_on()
    machine.go_on()  # without a reference
    return machine


def test_a_token_that_is_not_for_trades_is_warned_of() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    machine = at_rate(trading)
    machine.chosen("real-time")
    assert "The token lists" not in said(machine.view())
    link = Link(LinkState.UP, services=("wallets",), missing_services=frozenset({"trades"}))
    trading.store.set_link(link)
    warning = "The token lists wallets, not trades: the service may refuse this."
    assert warning in said(machine.view())


def test_a_live_sheet_with_a_minute_left_is_taken_over_and_nothing_swaps_it() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    trading.clock.advance(90)
    machine = at_rate(trading)
    assert trading.port.quotes == []
    trading.hold("two", {AUD_USD: "0.7"})
    machine.store_changed()
    assert "1 AUD = 0.651230 USD" in said(machine.view())


@pytest.mark.parametrize(("rates", "old"), [({AUD_USD: "0.65123"}, 91), ({USD_AUD: "1.53"}, 0)])
@pytest.mark.covers("create-rate-sheet")
def test_a_sheet_of_our_own_is_asked_for_where_the_live_one_ends_soon_or_lacks_the_pair(
    rates: dict[Pair, str], old: int
) -> None:
    trading = Trading()
    trading.hold("one", rates)
    trading.clock.advance(old)
    machine = at_rate(trading)
    assert [pair for _, pair in trading.port.quotes] == [AUD_USD]
    trading.answer("own", "0.652")
    machine.store_changed()
    machine.chosen("locked")
    assert "1 AUD = 0.652000 USD  locked" in said(machine.view())


def test_a_pair_that_is_not_priced_says_the_reason_and_can_be_dealt_in_real_time() -> None:
    trading = Trading()
    machine = at_rate(trading)
    [(quote_id, pair)] = trading.port.quotes
    own = sheet("own", trading.clock, {})
    missing = (UnavailableRate(pair, "market closed"),)
    answer = RateSheet(own.rate_sheet_id, own.expires_at, own.sent_at, unavailable=missing)
    trading.store.quotes.put([Quote(quote_id, pair, answer)])
    machine.store_changed()
    assert machine.view().options[0].why_not == "not priced: market closed"
    machine.chosen("real-time")
    assert "real-time: market rate at execution" in said(machine.view())
    machine.confirm(machine.view().confirms)
    [intent] = trading.port.submitted
    assert intent.quote is None
    assert intent.terms.rate_sheet_id is None


@pytest.mark.covers("rate-direction")
def test_a_direction_alone_is_neither_bid_nor_offer_and_its_inverse_is_told() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    words = said(at_rate(trading).view())
    assert "Market  AUD/USD 0.651230" in words
    assert "Inverse  1 USD = 1.535556 AUD" in words  # 1 / 0.65123


@pytest.mark.covers("pay-in-before-or-after")
def test_what_the_wallet_lacks_is_said_and_stops_nobody() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    machine = at_rate(trading, "1.5m")
    machine.chosen("locked")
    assert "exceeds available by 295,669.85 AUD" in said(machine.view())
    machine.confirm(machine.view().confirms)
    assert len(trading.port.submitted) == 1


def test_a_refusal_leads_back_to_its_question_with_all_that_was_filled_in() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    machine = at_rate(trading)
    machine.chosen("locked")
    machine.confirm(machine.view().confirms)
    [first] = trading.port.submitted
    fields = (FieldProblem("sellAmount", "is above the limit"),)
    problem = Problem("book a trade", "400", fields=fields)
    trading.store.intents.put([row_of(first, Standing.REFUSED, problem=problem)])
    assert machine.back()
    view = machine.view()
    assert view.entry is not None
    assert view.entry.text == "250k"
    assert "sellAmount: is above the limit" in said(view)
    machine.typed("200k")
    machine.go_on()
    machine.go_on()
    machine.chosen("locked")
    machine.confirm(machine.view().confirms)
    second = trading.port.submitted[1]
    assert second.key != first.key
    assert second.intent_id != first.intent_id


def test_what_was_not_carried_out_was_not_refused() -> None:
    trading, machine = at_confirm()
    machine.confirm(machine.view().confirms)
    [intent] = trading.port.submitted
    problem = Problem("book a trade", "no connection")
    trading.store.intents.put([row_of(intent, Standing.NOT_EXECUTED, problem=problem)])
    machine.back()
    assert "Not executed: no connection" in said(machine.view())
    assert "refused" not in said(machine.view())


def test_what_is_in_doubt_is_never_made_anew() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    machine = at_rate(trading)
    machine.chosen("locked")
    shown = machine.view().confirms
    machine.confirm(shown)
    [intent] = trading.port.submitted
    trading.store.intents.put([row_of(intent, Standing.IN_DOUBT)])
    assert not machine.back()
    machine.confirm(shown)
    assert len(trading.port.submitted) == 1


def test_a_trade_under_the_cursor_is_asked_for_again_as_far_as_the_service_told_it() -> None:
    trading = Trading()
    machine = trade_from(trading.ui, booked("exchanged"))
    assert machine.view().name == "sell from"
    machine.chosen("wal-1")
    machine.chosen("wal-4")
    assert machine.view().entry is not None
    assert "= 250,000.00 AUD" in said(machine.view())


def test_a_pair_under_the_cursor_fills_in_wallets_where_only_one_can_be_meant() -> None:
    machine = trade_from(Trading().ui, Pair(USD, JPY))
    assert machine.view().name == "amount"


@pytest.mark.covers("trade-destinations")
def test_a_recipient_under_the_cursor_is_where_it_goes() -> None:
    trading = Trading()
    machine = trade_from(trading.ui, recipient())
    machine.chosen("wal-1")
    assert machine.view().chosen == "adr-1"


def test_wishes_for_a_rate_are_numbered_upwards() -> None:
    trading = Trading()
    for _ in range(3):
        trading.clock.advance(1)
        lock = RateLock(trading.ui, AUD_USD)
        trading.answer("own", "0.65")
        lock.poll()
        lock.ask()
    numbers = [quote_id for quote_id, _ in trading.port.quotes]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("pricing", [None, "locked"])
def test_a_new_rate_that_does_not_come_says_why_beside_the_one_that_is_held(
    pricing: str | None,
) -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    machine = at_rate(trading)
    if pricing:
        machine.chosen(pricing)
    machine.act("requote")
    [(quote_id, pair)] = trading.port.quotes
    problem = Problem("lock a rate", "503", said="come back later")
    trading.store.quotes.put([Quote(quote_id, pair, problem=problem)])
    machine.store_changed()
    assert "Could not lock a rate: 503 (come back later)" in said(machine.view())
    assert "1 AUD = 0.651230 USD" in said(machine.view())
    machine.act("requote")
    assert "Could not lock" not in said(machine.view())


def test_a_press_that_bounces_books_one_trade() -> None:
    trading, machine = at_confirm()
    shown = machine.view().confirms
    machine.confirm(shown)
    machine.confirm(shown)
    assert len(trading.port.submitted) == 1


def test_a_deal_that_changed_since_it_was_shown_is_not_booked() -> None:
    trading, machine = at_confirm()
    shown = machine.view().confirms
    trading.store.wallets.put([wallet(4, "USD renamed", "0", currency=USD)])
    machine.confirm(shown)
    assert trading.port.submitted == []
    assert "changed while you were confirming" in said(machine.view())


@pytest.mark.parametrize(("seconds", "trades"), [(146.9, 1), (147, 0)])
def test_nothing_is_sent_in_the_last_three_seconds_of_a_rate(seconds: float, trades: int) -> None:
    trading, machine = at_confirm()
    shown = machine.view().confirms
    trading.clock.advance(seconds)
    machine.confirm(shown)
    assert len(trading.port.submitted) == trades


def test_an_amount_typed_for_one_rate_does_not_confirm_another() -> None:
    trading, machine = at_confirm(live=True)
    machine.typed("250000")
    machine.act("requote")
    trading.answer("own", "0.66")
    machine.store_changed()
    machine.confirm(machine.view().confirms)
    assert trading.port.submitted == []
    machine.typed("250000")
    machine.confirm(machine.view().confirms)
    assert len(trading.port.submitted) == 1


@pytest.mark.parametrize(
    ("pricing", "most", "trades"),
    # 5,000,000 / 0.65123 = 7,677,778.97 to the cent
    [
        ("locked", "7677778.97", 1),
        ("locked", "7677778.96", 0),
        ("real-time", "7677778.96", 0),
    ],
)
def test_what_is_sold_keeps_to_its_limit_though_what_is_bought_is_fixed(
    pricing: str, most: str, trades: int
) -> None:
    trading = Trading()
    trading.limit(AUD, most)
    trading.hold("one", {AUD_USD: "0.65123"})
    machine = buying(trading, "5m")
    machine.chosen(pricing)
    machine.confirm(machine.view().confirms)
    assert len(trading.port.submitted) == trades
    assert ("Over" in said(machine.view())) is not bool(trades)


def test_where_no_rate_tells_what_is_sold_and_that_has_a_limit_nothing_is_sent() -> None:
    trading = Trading()
    trading.limit(AUD, "5000000")
    machine = buying(trading, "1")
    machine.chosen("real-time")
    assert machine.view().confirms is None
    assert "No rate is known to convert it to AUD" in said(machine.view())


def buying(trading: Trading, amount: str) -> TradeWizard:
    """Return a wizard with a fixed amount to buy."""
    machine = at_amount_bought(trading, amount)
    machine.go_on()
    machine.go_on()
    return machine


def test_a_trade_waits_until_wallets_that_another_run_knew_are_read() -> None:
    trading, machine = at_confirm()
    feed = Feed(Kind.WALLETS, as_of=trading.clock.now(), read_at=0.0, cached=True)
    trading.store.set_feed(feed)
    machine.store_changed()
    machine.confirm(machine.view().confirms)
    assert trading.port.submitted == []
    assert "can be confirmed once they are read" in said(machine.view())
    trading.store.set_feed(replace(feed, cached=False))
    machine.store_changed()
    machine.confirm(machine.view().confirms)
    assert len(trading.port.submitted) == 1


def at_confirm(*, live: bool = False) -> tuple[Trading, TradeWizard]:
    """At the locked rate, all of it on view."""
    trading = Trading(live=live)
    trading.hold("one", {AUD_USD: "0.65123"})
    machine = at_rate(trading)
    machine.chosen("locked")
    return trading, machine


@pytest.mark.parametrize(("amount", "refused"), [("5m", False), ("5000000.01", True)])
def test_more_than_the_profile_sends_is_said_where_the_amount_is_typed(
    amount: str, refused: bool
) -> None:
    trading = Trading()
    trading.limit(USD, "5000000")
    machine = at_amount_bought(trading, amount)
    assert ("Over 5,000,000.00 USD" in said(machine.view())) is refused


def test_of_the_other_side_it_is_said_where_a_rate_tells_it_and_not_before() -> None:
    trading = Trading()
    trading.limit(AUD, "7677778.96")
    assert "No rate is known" not in said(at_amount_bought(trading, "5m").view())
    trading.hold("one", {AUD_USD: "0.65123"})
    assert "Over 7,677,778.96 AUD" in said(at_amount_bought(trading, "5m").view())


def at_amount_bought(trading: Trading, amount: str) -> TradeWizard:
    """Return a wizard with a typed amount to buy, not yet entered."""
    machine = trade_from(trading.ui, trading.store.wallets.rows()[0])
    machine.chosen("wal-4")
    machine.act("side")
    machine.typed(amount)
    return machine
