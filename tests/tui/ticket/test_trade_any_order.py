"""No sequence of keys, ticks, responses and changes books an unseen trade, or one twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from paytui.domain.intent import Intent, SendPermission, Standing, without_tag
from paytui.domain.models import (
    Problem,
    RateSheet,
    RecipientId,
    State,
    WalletId,
)
from paytui.domain.money import format_amount, plain
from paytui.domain.rates import Quote
from paytui.tui.ticket.choices import payee_key
from paytui.tui.ticket.model import NO_VALUES, TicketView, Values
from paytui.tui.ticket.trade import Pricing
from tests.support.intents import row_of
from tests.tui.book import ACTIVE, AUD_USD, USD_AUD, sheet
from tests.tui.ticket.trading import Trading, recipient

MARGIN = timedelta(seconds=3)
VOID = (Standing.NOT_RECORDED, Standing.REFUSED, Standing.NOT_EXECUTED)
RATES = st.sampled_from(["0.65123", "0.65124", "0.7"])
STATES = st.sampled_from([ACTIVE, ACTIVE, ACTIVE, State("suspended"), State("closed")])
NUMBERS = st.sampled_from(["000123456789", "999"])
WAITS = st.sampled_from([0.0, 0.5, 40, 86, 146.5, 147, 149, 200])
TEXTS = st.sampled_from(["250000", "1k", "1,5", "", "70000.01", "1000"])

TO_WALLET = {"from_wallet": "wal-1", "to": "wal-4", "sell_amount": "250000"}
TO_PAYEE = {
    "from_wallet": "wal-1",
    "to": payee_key("rec-1"),
    "buy_amount": "250000",
    "reference": "INV 7",
}


class AnyOrder(RuleBasedStateMachine):
    """A trader who looks when they like, and a world that does not wait for them."""

    @initialize(values=st.sampled_from([TO_PAYEE, TO_WALLET, NO_VALUES]), live=st.booleans())
    def start(self, values: Values, live: bool) -> None:
        self.trading = Trading(live=live)
        self.live = live
        self.sheets = 0
        self.trading.hold("live", {AUD_USD: "0.65123", USD_AUD: "1.53"})
        self.ticket = self.trading.ticket(values)
        self.painted = self.ticket.view()
        self.typed_under: tuple[str, object] = ("", None)
        self.last: Intent | None = None
        self.seen = 0

    # --- the trader ---

    @rule(
        press=st.sampled_from(["look", "enter", "tab", "back_tab", "confirm", "type_what_is_asked"])
    )
    def key(self, press: str) -> None:
        getattr(self, press)()

    def look(self) -> None:
        self.painted = self.ticket.view()

    @rule(place=st.integers(0, 9), text=TEXTS)
    def fill_in(self, place: int, text: str) -> None:
        if options := self.painted.options:
            self.ticket.chosen(options[place % len(options)].key)
        else:
            self.type(text)

    def type(self, text: str) -> None:
        self.typed_under = (text, self.ticket.view().confirms)
        self.ticket.typed(text)

    def enter(self) -> None:
        if self.painted.confirms is None:
            self.ticket.go_on()
        else:
            self.confirm()

    def tab(self) -> None:
        self.ticket.go(1)

    def back_tab(self) -> None:
        self.ticket.go(-1)

    @rule()
    def requote(self) -> None:
        self.ticket.act("requote")

    @rule(
        pricing=st.sampled_from(Pricing),
        seconds=WAITS,
        rate=st.none() | RATES,
        number=st.none() | NUMBERS,
        looks_again=st.booleans(),
    )
    def hurry(
        self,
        pricing: Pricing,
        seconds: float,
        rate: str | None,
        number: str | None,
        looks_again: bool,
    ) -> None:
        """Straight to the end, while the world goes on between the last look and the last key."""
        for key in ("AUD", "USD"):
            self.ticket.chosen(key)
        if self.ticket.view().name == "sell amount":
            self.ticket.typed("250000")
            self.ticket.go_on()
        for key in ("wal-1", "wal-4"):
            self.ticket.chosen(key)
        if self.ticket.view().name == "confirm":
            self.ticket.go(-1)
            self.ticket.chosen(pricing)
        self.look()
        self.type_what_is_asked()
        self.wait(seconds)
        if rate is not None:
            self.ticket.act("requote")
            self.a_quote_comes(rate)
        if number is not None:
            self.the_payee_changes(ACTIVE, number)
        if looks_again:
            self.look()
        self.confirm()

    def type_what_is_asked(self) -> None:
        if self.painted.asked and self.painted.confirms is not None:
            self.type(self.painted.asked)

    def confirm(self) -> None:
        """A key that bounces."""
        self.ticket.confirm(self.painted.confirms)
        self.ticket.confirm(self.painted.confirms)

    # --- the world ---

    @rule(seconds=WAITS)
    def wait(self, seconds: float) -> None:
        self.trading.clock.advance(seconds)

    @rule(rate=RATES, live=st.booleans())
    def a_rate_comes(self, rate: str, live: bool) -> None:
        if live:
            self.sheets += 1
            self.trading.hold(f"live-{self.sheets}", {AUD_USD: rate})
            self.ticket.store_changed()
        else:
            self.a_quote_comes(rate)

    def a_quote_comes(self, rate: str) -> None:
        if self.trading.port.quotes:
            self.sheets += 1
            self.trading.answer(f"own-{self.sheets}", rate)
            self.ticket.store_changed()

    @rule(priced=st.booleans(), allowed=st.sampled_from([True, True, False]))
    def something_fails(self, priced: bool, allowed: bool) -> None:
        self.no_quote_comes(priced)
        self.trading.store.set_sending(
            SendPermission(allowed=allowed, why="Another program sends.")
        )

    def no_quote_comes(self, priced: bool) -> None:
        if self.trading.port.quotes:
            quote_id, pair = self.trading.port.quotes[-1]
            empty = sheet("empty", self.trading.clock, {}) if priced else None
            problem = None if priced else Problem("ask for a rate", "503")
            self.trading.store.quotes.put([Quote(quote_id, pair, empty, problem)])
            self.ticket.store_changed()

    @rule(key=st.sampled_from(["wal-1", "wal-4"]), state=STATES, number=NUMBERS)
    def a_state_changes(self, key: str, state: State, number: str) -> None:
        self.the_payee_changes(state, number)
        wallet = self.trading.store.wallets.get(WalletId(key))
        assert wallet is not None
        self.trading.store.wallets.put([replace(wallet, status=state)])
        self.ticket.store_changed()

    def the_payee_changes(self, state: State, number: str) -> None:
        payee = recipient(state)
        [address] = payee.payment_addresses
        changed = replace(address, account_number=number)
        self.trading.store.recipients.put([replace(payee, payment_addresses=(changed,))])
        # The machine is told only later.

    @precondition(lambda self: self.last is not None)
    @rule(standing=st.sampled_from(Standing))
    def the_intent_goes_on(self, standing: Standing) -> None:
        assert self.last is not None
        row = self.trading.store.intents.get(self.last.intent_id)
        if row is None or row.standing not in VOID:
            self.trading.store.intents.put([row_of(self.last, standing)])
            self.ticket.store_changed()

    # --- what holds whatever happens ---

    @invariant()
    def nothing_is_booked_but_what_was_seen_and_typed(self) -> None:
        if not hasattr(self, "trading") or len(self.trading.port.submitted) == self.seen:
            return
        assert len(self.trading.port.submitted) == self.seen + 1
        if self.last is not None:
            row = self.trading.store.intents.get(self.last.intent_id)
            assert row is not None
            assert row.standing in VOID
        self.seen += 1
        self.last = self.trading.port.submitted[-1]
        self._judge(self.last, self.painted)
        self.painted = self.ticket.view()

    def _judge(self, intent: Intent, painted: TicketView) -> None:
        assert painted.confirms is not None
        said = "\n".join(
            "  ".join([line.label, *(cell.text for cell in line.cells)]) for line in painted.lines
        )
        terms, store = intent.terms, self.trading.store
        assert terms.amount is not None
        assert terms.currency is not None
        assert f"{format_amount(terms.amount, terms.currency)} {terms.currency}  fixed" in said
        if terms.payment_address_id is not None:
            payee = store.recipients.get(RecipientId("rec-1"))
            assert payee is not None
            assert payee.payment_addresses[0].status == ACTIVE
            assert payee.payment_addresses[0].account_number in said.split()
        for key in (terms.source_wallet_id, terms.destination_wallet_id):
            wallet = store.wallets.get(key) if key else None
            assert wallet is None or wallet.status == ACTIVE
            assert wallet is None or str(wallet.wallet_name) in said
        assert f"Reference  {terms.reference}  " in said
        assert terms.recipient_id is None or without_tag(terms.reference)
        assert store.sending.allowed
        if self.live:
            digits = plain(terms.amount.normalize())
            assert Decimal(self.typed_under[0]) == Decimal(digits)
            assert self.typed_under[1] == painted.confirms
        self._judge_rate(intent.quote, said, intent)

    def _judge_rate(self, quote: RateSheet | None, said: str, intent: Intent) -> None:
        if quote is None:
            assert "real-time" in said
            assert intent.terms.rate_sheet_id is None
            return
        assert quote.expires_at - self.trading.clock.now() > MARGIN
        assert intent.terms.rate_sheet_id == quote.rate_sheet_id
        [rate] = [
            one.rate
            for one in quote.rates
            if (one.pair.sell, one.pair.buy)
            == (intent.terms.sell_currency, intent.terms.buy_currency)
        ]
        assert intent.terms.rate == rate
        assert plain(rate) in said


TestAnyOrder = pytest.mark.slow(pytest.mark.slow(AnyOrder.TestCase))
TestAnyOrder.settings = settings(stateful_step_count=40)
