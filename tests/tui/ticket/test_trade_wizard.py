"""The trade ticket without a screen. Amounts by hand: 250,000 x 0.65123 = 162,807.50."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.domain.intent import Standing
from paytui.domain.models import (
    AccountId,
    FieldProblem,
    Kind,
    PaymentAddressId,
    Problem,
    RateSheet,
    RecipientId,
    State,
    UnavailableRate,
    WalletId,
)
from paytui.domain.money import Pair
from paytui.domain.rates import Quote
from paytui.store.health import Feed, Link, LinkState
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.rate_lock import RateLock
from paytui.tui.ticket.templates import repeated, values_about
from paytui.tui.ticket.trade import Deal
from tests.support.intents import row_of
from tests.tui.book import AUD, AUD_USD, JPY, USD, USD_AUD, sheet, wallet
from tests.tui.ticket.paying import EUR, confirm, said
from tests.tui.ticket.trading import Trading, booked, recipient

OF_DESK = {"from_wallet": "wal-1", "to": "wal-4"}


def ready(trading: Trading, amount: str = "250k", pricing: str = "locked") -> Ticket[Deal]:
    """Acme sells Australian dollars out of its desk for American ones."""
    return trading.ticket({**OF_DESK, "sell_amount": amount, "rate": pricing})


def test_a_token_that_is_not_for_trades_is_warned_of() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    ticket = ready(trading, pricing="real-time")
    assert "The token lists" not in said(ticket)
    link = Link(LinkState.UP, services=("wallets",), missing_services=frozenset({"trades"}))
    trading.store.set_link(link)
    warning = "The token lists wallets, not trades: the service may refuse this."
    assert warning in said(ticket)


def test_a_live_sheet_with_a_minute_left_is_taken_over_and_nothing_swaps_it() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    trading.clock.advance(90)
    ticket = ready(trading)
    assert trading.port.quotes == []
    trading.hold("two", {AUD_USD: "0.7"})
    ticket.store_changed()
    assert "1 AUD = 0.651230 USD" in said(ticket)


@pytest.mark.parametrize(("rates", "old"), [({AUD_USD: "0.65123"}, 91), ({USD_AUD: "1.53"}, 0)])
@pytest.mark.covers("create-rate-sheet")
def test_a_sheet_of_our_own_is_asked_for_where_the_live_one_ends_soon_or_lacks_the_pair(
    rates: dict[Pair, str], old: int
) -> None:
    trading = Trading()
    trading.hold("one", rates)
    trading.clock.advance(old)
    ticket = ready(trading)
    assert [pair for _, pair in trading.port.quotes] == [AUD_USD]
    assert "requesting …" in said(ticket)
    assert ticket.view().confirms is None
    trading.answer("own", "0.652")
    ticket.store_changed()
    assert "1 AUD = 0.652000 USD  locked" in said(ticket)


def test_a_pair_that_is_not_priced_says_the_reason_and_can_be_dealt_in_real_time() -> None:
    trading = Trading()
    ticket = ready(trading)
    [(quote_id, pair)] = trading.port.quotes
    own = sheet("own", trading.clock, {})
    missing = (UnavailableRate(pair, "market closed"),)
    answer = RateSheet(own.rate_sheet_id, own.expires_at, own.sent_at, unavailable=missing)
    trading.store.quotes.put([Quote(quote_id, pair, answer)])
    ticket.store_changed()
    confirm(ticket)
    assert trading.port.submitted == []
    ticket.go(-1)
    assert ticket.view().name == "rate"
    assert {one.why_not for one in ticket.view().options} == {"", "not priced: market closed"}
    ticket.chosen("real-time")
    assert "real-time: market rate at execution" in said(ticket)
    confirm(ticket)
    [intent] = trading.port.submitted
    assert intent.quote is None
    assert intent.terms.rate_sheet_id is None


@pytest.mark.covers("rate-direction")
def test_a_direction_alone_is_neither_bid_nor_offer_and_its_inverse_is_told() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    words = said(ready(trading))
    assert "Quote AUD/USD 0.651230" in words
    assert "Inverse 1 USD = 1.535556 AUD" in words  # 1 / 0.65123


@pytest.mark.covers("pay-in-before-or-after")
def test_what_the_wallet_lacks_is_said_and_stops_nobody() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    ticket = ready(trading, "1.5m")
    assert "Exceeds available by 295,669.85 AUD" in said(ticket)
    confirm(ticket)
    assert len(trading.port.submitted) == 1


def test_a_refusal_leads_back_to_its_question_with_all_that_was_filled_in() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    ticket = ready(trading)
    confirm(ticket)
    [first] = trading.port.submitted
    fields = (FieldProblem("sell_amount", "is above the limit"),)
    problem = Problem("book a trade", "400", fields=fields)
    trading.store.intents.put([row_of(first, Standing.REFUSED, problem=problem)])
    ticket.go_on()
    field = ticket.view().field
    assert field is not None
    assert (field.key, field.text) == ("sell_amount", "250k")
    assert "sell amount: is above the limit" in said(ticket)
    ticket.typed("200k")
    ticket.go_on()
    confirm(ticket)
    second = trading.port.submitted[1]
    assert second.key != first.key
    assert second.intent_id != first.intent_id


def test_what_was_not_carried_out_was_not_refused() -> None:
    trading, ticket = at_confirm()
    confirm(ticket)
    [intent] = trading.port.submitted
    problem = Problem("book a trade", "no connection")
    trading.store.intents.put([row_of(intent, Standing.NOT_EXECUTED, problem=problem)])
    ticket.go_on()
    assert "Not executed: no connection" in said(ticket)
    assert "refused" not in said(ticket)


def test_what_is_in_doubt_is_never_made_anew() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    ticket = ready(trading)
    shown = ticket.view().confirms
    ticket.confirm(shown)
    [intent] = trading.port.submitted
    trading.store.intents.put([row_of(intent, Standing.IN_DOUBT)])
    ticket.go_on()
    assert ticket.view().name == "outcome"
    ticket.confirm(shown)
    assert len(trading.port.submitted) == 1


def test_a_trade_under_the_cursor_is_repeated_as_far_as_the_service_told_it() -> None:
    trading = Trading()
    ticket = trading.ticket(repeated(trading.ui, booked("exchanged")))
    assert ticket.view().name == "from"
    ticket.chosen("wal-1")
    assert ticket.view().name == "confirm"
    assert "You sell 250,000.00 AUD  fixed" in said(ticket)


def test_a_repeated_trade_fixes_the_side_that_was_fixed_and_goes_where_it_went() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    trade = replace(
        booked("exchanged"),
        dealt_side="buy",
        sell_wallet_id=WalletId("wal-1"),
        recipient_id=RecipientId("rec-1"),
        payment_address_id=PaymentAddressId("adr-1"),
        reference="INV 7 PT-ABCDEFGH",
    )
    ticket = trading.ticket(repeated(trading.ui, trade))
    assert "You buy 162,807.50 USD  fixed" in said(ticket)
    confirm(ticket)
    [intent] = trading.port.submitted
    assert (intent.terms.recipient_id, intent.terms.payment_address_id) == ("rec-1", "adr-1")
    assert intent.terms.reference == f"INV 7 {intent.intent_id}"


def test_of_a_trade_under_the_cursor_the_pair_is_traded_again_and_nothing_else() -> None:
    trading = Trading()
    values = values_about(trading.ui, "trade", replace(booked(), sell_wallet_id=WalletId("wal-1")))
    assert values == {"sell": AUD, "buy": USD}


def test_a_pair_under_the_cursor_fills_in_wallets_where_only_one_can_be_meant() -> None:
    trading = Trading()
    ticket = trading.ticket(values_about(trading.ui, "trade", Pair(USD, JPY)))
    assert ticket.view().name == "sell amount"
    shown = said(ticket)
    assert "From USD desk" in shown
    assert "Into JPY desk" in shown


@pytest.mark.covers("trade-destinations")
def test_a_recipient_under_the_cursor_is_where_it_goes() -> None:
    trading = Trading()
    ticket = trading.ticket(values_about(trading.ui, "trade", recipient()))
    assert "Buy USD" in said(ticket)
    ticket.typed("aud ")
    ticket.typed("5")
    assert "From AUD desk" in said(ticket)  # the payroll is of an account that cannot pay it
    assert "Into Foundry Inc" in said(ticket)


def test_a_space_ends_a_currency_so_that_a_trade_is_six_keys_and_what_is_meant() -> None:
    trading = Trading()
    trading.hold("one", {Pair(USD, JPY): "150"})
    ticket = trading.ticket()
    for text in ("usd ", "jpy ", "500"):
        ticket.typed(text)
    ticket.go_on()
    assert ticket.view().name == "confirm"
    confirm(ticket)
    [intent] = trading.port.submitted
    assert intent.title == "Trade: sell 500.00 USD, buy JPY"


def test_currencies_that_were_traded_last_come_first() -> None:
    trading = Trading()
    assert [one.key for one in trading.ticket().view().options] == ["AUD", "JPY", "USD"]
    trading.hold("one", {Pair(USD, JPY): "150"})
    ticket = trading.ticket({"sell": "USD", "buy": "JPY", "sell_amount": "5"})
    confirm(ticket)
    trading.store.intents.put([row_of(trading.port.submitted[0], Standing.ACCEPTED)])
    assert [one.key for one in trading.ticket().view().options] == ["USD", "AUD", "JPY"]


def test_what_cannot_be_bought_comes_last_and_says_why() -> None:
    trading = Trading()
    wallets = trading.store.wallets
    wallets.remove([WalletId("wal-4")])
    trading.store.recipients.put([recipient(State("suspended"))])
    wallets.put([wallet(6, "EUR closed", "0", currency=EUR, status=State("closed"))])
    ticket = trading.ticket({"sell": "AUD"})
    ticket.go(-1)  # it is filled in with the only one that can be bought
    why = {one.key: one.why_not for one in ticket.view().options}
    assert why == {"JPY": "", "AUD": "same as sell", "EUR": "closed", "USD": "closed"}
    ticket.typed("usd ")
    assert "USD: closed." in said(ticket)
    assert ticket.view().name == "buy"
    trading.store.recipients.put([recipient()])
    assert {one.key: one.why_not for one in ticket.view().options}["USD"] == ""


def test_of_the_account_that_is_looked_at_alone_something_is_sold() -> None:
    trading = Trading()
    trading.ui.scope = AccountId("acc-2")
    ticket = trading.ticket()
    assert "Sell AUD" in said(ticket)
    assert "From AUD payroll" in said(ticket)
    ticket.typed("jpy ")
    assert "Into\n" in said(ticket)  # nobody but a trader sends money to another account
    ticket.typed("5")
    ticket.go_on()
    assert [one.name for one in ticket.view().options if not one.why_not] == ["JPY desk"]


def test_typing_in_one_amount_clears_the_other_which_is_converted() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    ticket = trading.ticket({"from_wallet": "wal-1", "buy": "USD"})
    ticket.typed("250k")
    assert "Buy amount ≈ 162,807.50 USD" in said(ticket)
    ticket.go(1)
    assert "Sell amount 250k AUD" in said(ticket)
    ticket.go_on()
    assert "You sell 250,000.00 AUD  fixed" in said(ticket)
    ticket = trading.ticket({"from_wallet": "wal-1", "buy": "USD", "sell_amount": "1"})
    for _ in range(9):
        if ticket.view().name != "buy amount":
            ticket.go(-1)
    ticket.typed("651.23")
    assert "Sell amount ≈ 1,000.00 AUD" in said(ticket)
    ticket.go_on()
    assert "You buy 651.23 USD  fixed" in said(ticket)
    confirm(ticket)
    [intent] = trading.port.submitted
    assert (intent.terms.amount, intent.terms.currency) == (Decimal("651.23"), USD)


@pytest.mark.parametrize(("key", "amount"), [("sell", "sell_amount"), ("buy", "buy_amount")])
def test_an_amount_is_never_kept_for_another_currency(key: str, amount: str) -> None:
    trading = Trading()
    ticket = trading.ticket({"from_wallet": "wal-1", "buy": "USD"})
    if amount == "buy_amount":
        ticket.go(1)
    ticket.typed("250k")
    while ticket.view().name != key:
        ticket.go(-1)
    ticket.typed("jpy ")
    assert amount not in (ticket.draft or {})
    assert "250k" not in {one.text for one in ticket.view().fields}


def test_another_currency_is_neither_sold_from_nor_bought_into_the_wallets_of_before() -> None:
    trading = Trading()
    ticket = trading.ticket(OF_DESK)
    while ticket.view().name != "sell":
        ticket.go(-1)
    ticket.typed("usd ")
    assert "From USD desk" in said(ticket)  # the wallet that was bought into
    assert ticket.view().name == "buy"
    ticket.typed("jpy ")
    assert "Into JPY desk" in said(ticket)


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


@pytest.mark.parametrize("amount", ["", "250k"])
def test_a_new_rate_that_does_not_come_says_why_beside_the_one_that_is_held(amount: str) -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123"})
    ticket = ready(trading, amount)
    assert ticket.view().name == ("confirm" if amount else "sell amount")
    ticket.act("requote")
    [(quote_id, pair)] = trading.port.quotes
    problem = Problem("lock a rate", "503", said="come back later")
    trading.store.quotes.put([Quote(quote_id, pair, problem=problem)])
    ticket.store_changed()
    assert "Could not lock a rate: 503 (come back later)" in said(ticket)
    assert "1 AUD = 0.651230 USD" in said(ticket)
    ticket.act("requote")
    assert "Could not lock" not in said(ticket)


def test_the_same_rate_asked_for_again_does_not_hide_that_it_has_moved() -> None:
    trading, ticket = at_confirm()
    for name, rate, words in (
        ("two", "0.65123", "was 0.651230 → now 0.651230  = 0 pips"),
        ("three", "0.65096", "was 0.651230 → now 0.650960  ▼ -2.7 pips"),
        ("four", "0.65096", "was 0.651230 → now 0.650960  ▼ -2.7 pips"),
        ("five", "0.65106", "was 0.650960 → now 0.651060  ▲ +1.0 pips"),
    ):
        trading.clock.advance(1)
        ticket.act("requote")
        trading.answer(name, rate)
        ticket.store_changed()
        assert words in said(ticket)


def test_a_press_that_bounces_books_one_trade() -> None:
    trading, ticket = at_confirm()
    shown = ticket.view().confirms
    ticket.confirm(shown)
    ticket.confirm(shown)
    assert len(trading.port.submitted) == 1


def test_a_deal_that_changed_since_it_was_shown_is_not_booked() -> None:
    trading, ticket = at_confirm()
    shown = ticket.view().confirms
    trading.store.wallets.put([wallet(4, "USD renamed", "0", currency=USD)])
    ticket.confirm(shown)
    assert trading.port.submitted == []
    assert "changed while you were confirming" in said(ticket)


@pytest.mark.parametrize(("seconds", "trades"), [(146.9, 1), (147, 0)])
def test_nothing_is_sent_in_the_last_three_seconds_of_a_rate(seconds: float, trades: int) -> None:
    trading, ticket = at_confirm()
    shown = ticket.view().confirms
    trading.clock.advance(seconds)
    ticket.confirm(shown)
    assert len(trading.port.submitted) == trades


def test_an_amount_typed_for_one_rate_does_not_confirm_another() -> None:
    trading, ticket = at_confirm(live=True)
    ticket.typed("250000")
    ticket.act("requote")
    trading.answer("own", "0.66")
    ticket.store_changed()
    confirm(ticket)
    assert trading.port.submitted == []
    ticket.typed("250000")
    confirm(ticket)
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
    ticket = bought(trading, "5m", pricing)
    ticket.go_on()
    confirm(ticket)
    assert ticket.view().name == ("outcome" if trades else "buy amount")
    assert len(trading.port.submitted) == trades
    assert ("Over" in said(ticket)) is not bool(trades)


def test_where_no_rate_tells_what_is_sold_and_that_has_a_limit_nothing_is_sent() -> None:
    trading = Trading()
    trading.limit(AUD, "5000000")
    ticket = bought(trading, "1", "real-time")
    ticket.go_on()
    assert ticket.view().name == "confirm"
    assert ticket.view().confirms is None
    assert "No rate is known to convert it to AUD" in said(ticket)


def test_a_trade_waits_until_wallets_that_another_run_knew_are_read() -> None:
    trading, ticket = at_confirm()
    feed = Feed(Kind.WALLETS, as_of=trading.clock.now(), read_at=0.0, cached=True)
    trading.store.set_feed(feed)
    ticket.store_changed()
    confirm(ticket)
    assert trading.port.submitted == []
    assert "can be confirmed once they are read" in said(ticket)
    trading.store.set_feed(replace(feed, cached=False))
    ticket.store_changed()
    confirm(ticket)
    assert len(trading.port.submitted) == 1


def at_confirm(*, live: bool = False) -> tuple[Trading, Ticket[Deal]]:
    """At the locked rate, all of it on view."""
    trading = Trading(live=live)
    trading.hold("one", {AUD_USD: "0.65123"})
    return trading, ready(trading)


@pytest.mark.parametrize(("amount", "refused"), [("5m", False), ("5000000.01", True)])
def test_more_than_the_profile_sends_is_said_where_the_amount_is_typed(
    amount: str, refused: bool
) -> None:
    trading = Trading()
    trading.limit(USD, "5000000")
    ticket = bought(trading, amount)
    assert ("Over 5,000,000.00 USD" in said(ticket)) is refused
    ticket.go_on()
    assert (ticket.view().name == "buy amount") is refused


def test_of_the_other_side_it_is_said_where_a_rate_tells_it_and_not_before() -> None:
    trading = Trading()
    trading.limit(AUD, "7677778.96")
    assert "No rate is known" not in said(bought(trading, "5m"))
    trading.hold("one", {AUD_USD: "0.65123"})
    assert "Over 7,677,778.96 AUD" in said(bought(trading, "5m"))


def test_a_repeated_trade_over_a_limit_stops_at_its_amount() -> None:
    trading = Trading()
    trading.limit(AUD, "249999")
    ticket = ready(trading)
    assert ticket.view().name == "sell amount"
    assert "Over 249,999.00 AUD" in said(ticket)


def bought(trading: Trading, amount: str, pricing: str = "locked") -> Ticket[Deal]:
    """Return a ticket with a typed amount to buy, not yet entered."""
    ticket = trading.ticket({**OF_DESK, "rate": pricing})
    ticket.go(1)
    ticket.typed(amount)
    return ticket


def test_a_rate_is_held_from_the_amount_on_and_a_new_one_asked_for_at_the_end() -> None:
    trading = Trading()
    ticket = trading.ticket({"from_wallet": "wal-1"})
    assert trading.port.quotes == []
    ticket.typed("usd ")
    assert [pair for _, pair in trading.port.quotes] == [AUD_USD]
    assert "Rate Locked rate requesting …" in said(ticket)
    trading.answer("own", "0.65")
    ticket.store_changed()
    assert ticket.view().left is not None
    ticket.typed("250k")
    assert "Buy amount ≈ 162,500.00 USD" in said(ticket)
    trading.clock.advance(147)
    ticket.go_on()
    assert ticket.view().name == "confirm"
    assert ticket.view().confirms is None
    assert len(trading.port.quotes) == 2
    trading.answer("two", "0.66")
    ticket.store_changed()
    assert "Details changed" not in said(ticket)
    confirm(ticket)
    [intent] = trading.port.submitted
    assert intent.terms.rate_sheet_id == "two"


def test_a_rate_that_expires_under_review_is_not_replaced_by_itself() -> None:
    trading, ticket = at_confirm()
    trading.clock.advance(150)
    ticket.store_changed()
    assert "expired: press r for a new rate" in said(ticket)
    assert trading.port.quotes == []
    assert ticket.view().actions == ("requote",)


def test_for_another_pair_another_rate_is_held() -> None:
    trading = Trading()
    trading.hold("one", {AUD_USD: "0.65123", USD_AUD: "1.53"})
    ticket = trading.ticket({"from_wallet": "wal-1", "buy": "USD"})
    assert "1 AUD = 0.651230 USD" in said(ticket)
    while ticket.view().name != "sell":
        ticket.go(-1)
    for text in ("usd ", "aud "):
        ticket.typed(text)
    assert "1 USD = 1.53000 AUD" in said(ticket)


@pytest.mark.parametrize(("key", "amount"), [("from", "sell_amount"), ("into", "buy_amount")])
def test_an_amount_is_never_kept_for_the_currency_of_another_wallet(key: str, amount: str) -> None:
    """trader.md T27, where nothing but the wallet tells the currency, as in a template."""
    ticket = Trading().ticket({**OF_DESK, amount: "250k"})
    while ticket.view().name != key:
        ticket.go(-1)
    ticket.chosen("wal-3")
    assert amount not in (ticket.draft or {})


def test_an_amount_that_goes_with_its_currency_is_told_until_the_cursor_moves() -> None:
    ticket = Trading().ticket({"from_wallet": "wal-1", "buy": "USD"})
    ticket.typed("250k")
    while ticket.view().name != "sell":
        ticket.go(-1)
    ticket.typed("jpy ")
    assert ticket.view().name == "sell amount"
    removed = "Sell amount 250,000.00 AUD was cleared: Sell changed."
    assert said(ticket).count(removed) == 1
    ticket.go(1)
    assert removed not in said(ticket)


def test_an_amount_is_kept_where_its_currency_stays() -> None:
    ticket = Trading().ticket({"from_wallet": "wal-1", "buy": "USD", "sell_amount": "250k"})
    for key, text in (("sell", "aud "), ("buy", "jpy ")):
        while ticket.view().name != key:
            ticket.go(-1)
        ticket.typed(text)
    assert "You sell 250,000.00 AUD  fixed" in said(ticket)
    assert (ticket.draft or {})["buy"] == "JPY"


def test_another_currency_is_bought_into_the_wallet_that_takes_the_place_of_a_payee() -> None:
    ticket = Trading().ticket({"from_wallet": "wal-1", "buy": "USD"})
    while ticket.view().name != "into":
        ticket.go(1)
    ticket.chosen("adr-1")
    while ticket.view().name != "buy":
        ticket.go(-1)
    ticket.typed("jpy ")
    assert "Into JPY desk" in said(ticket)
