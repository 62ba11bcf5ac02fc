"""A trade that can be confirmed: its rate, its limits, and its lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum

from paytui.config.key_bindings import first_key
from paytui.config.settings import Profile
from paytui.domain import models
from paytui.domain.models import Kind, Problem, RateSheet, Record, Trade, Wallet
from paytui.domain.money import CurrencyCode, Money, Pair, inverse, other_amount, plain, significant
from paytui.domain.rates import QuoteId, sheet_left
from paytui.domain.requests import TradeRequest
from paytui.store.figures import newest_sheets, rate_of, rate_rows
from paytui.store.names import account_name, recipient_title
from paytui.tui.details.common_facts import path_of_dialect
from paytui.tui.format.cells import CAREFUL, amount_words, state_cell
from paytui.tui.forms.common_fields import echo
from paytui.tui.guards.send_permission import Demand, demand, demand_of_exchange
from paytui.tui.theme.tones import Tone
from paytui.tui.ticket import parties
from paytui.tui.ticket.model import Line, line
from paytui.tui.ticket.money import MoneyOrder
from paytui.tui.ticket.parties import Payee
from paytui.tui.ui_context import UiContext

MIN_SHEET_LEFT = timedelta(seconds=60)
"""The minimum time left of a live sheet; else the lock requests its own."""

MARGIN = timedelta(seconds=3)
"""Nothing is sent in the last moments of a locked rate (architecture.md)."""


class Side(StrEnum):
    SELL = "sell"
    BUY = "buy"

    @property
    def amount_field(self) -> str:
        """The key of the field of its amount."""
        return f"{self.value}_amount"


class Pricing(StrEnum):
    LOCKED = "locked"
    REAL_TIME = "real-time"


@dataclass(frozen=True, slots=True)
class Exchange:
    """An amount of one side, and the rate that gives the other side's.

    Attributes:
        side: the fixed side, of `amount`.
        rate: the locked rate, or the last known one; None if none is known.
    """

    pair: Pair
    side: Side
    amount: Decimal
    rate: Decimal | None

    def currency(self, side: Side) -> CurrencyCode:
        return self.pair.sell if side is Side.SELL else self.pair.buy

    def amount_of(self, side: Side) -> Decimal | None:
        """Return the amount of a side; of the other one it is estimated, or None without a rate."""
        if side is self.side:
            return self.amount
        return other_amount(self.pair, self.fixed, self.amount, self.rate)

    @property
    def fixed(self) -> CurrencyCode:
        return self.currency(self.side)

    @property
    def other(self) -> Side:
        return Side.BUY if self.side is Side.SELL else Side.SELL

    def demand(self, profile: Profile, payee: models.RecipientId | None) -> Demand:
        """Return the confirmation that it needs; an unknown amount may be over a limit."""
        fixed, other = Money(self.amount, self.fixed), self.amount_of(self.other)
        return demand_of_exchange(profile, fixed, other, self.currency(self.other), payee)

    def refusal(self, profile: Profile, payee: models.RecipientId | None) -> str:
        """Return the profile's refusal of these amounts, as far as they are known; else empty."""
        if self.amount_of(self.other) is None:
            return demand(profile, self.amount, self.fixed, payee).refusal
        return self.demand(profile, payee).refusal

    def shortfall(self, ui: UiContext, source: Wallet) -> Decimal | None:
        """Return the sold amount that the wallet lacks; None if it lacks nothing, or is unknown."""
        known = ui.store.wallets.get(source.wallet_id)
        sold = self.amount_of(Side.SELL)
        return parties.short_by(known, sold) if known and sold is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(MoneyOrder):
    """A trade that can be confirmed; equal deals look the same and book the same.

    Its source and target are without balances, which may change.
    """

    exchange: Exchange
    pricing: Pricing

    @property
    def request(self) -> TradeRequest:
        target, exchange = self.target, self.exchange
        address = parties.paid_account(target)
        sells = exchange.side is Side.SELL
        return TradeRequest(
            account_id=self.source.account_id,
            sell_currency=exchange.pair.sell,
            buy_currency=exchange.pair.buy,
            sell_wallet_id=self.source.wallet_id,
            sell_amount=exchange.amount if sells else None,
            buy_amount=None if sells else exchange.amount,
            buy_wallet_id=target.wallet_id if isinstance(target, Wallet) else None,
            recipient_id=self.payee,
            payment_address_id=address.payment_address_id if address else None,
            rate_sheet_id=self.quote.rate_sheet_id if self.quote else None,
            reference=self.reference or None,
            extra=dict(self.extra),
        )

    @property
    def title(self) -> str:
        """The title: `Trade sells 250,000.00 AUD for USD`."""
        exchange = self.exchange
        fixed, other = echo(exchange.amount, exchange.fixed), exchange.currency(exchange.other)
        return f"Trade {exchange.side.value}s {fixed} for {other}"

    def demand(self, profile: Profile) -> Demand:
        return self.exchange.demand(profile, self.payee)


class RateLock:
    """A rate sheet that is kept until a requote: the live one, or one requested for the pair.

    Attributes:
        sheet: the sheet that is held; it may have expired.
        before: the rate before the last requote.
    """

    def __init__(self, ui: UiContext, pair: Pair) -> None:
        self._ui = ui
        self.pair = pair
        self.sheet: RateSheet | None = None
        self.before: Decimal | None = None
        self.problem: Problem | None = None
        self._asked: QuoteId | None = None
        live, _ = newest_sheets(ui.store)
        if live and rate_of(live, pair) and sheet_left(ui.time, live) >= MIN_SHEET_LEFT:
            self.sheet = live
        else:
            self.ask()

    @property
    def asking(self) -> bool:
        return self._asked is not None

    @property
    def rate(self) -> Decimal | None:
        """Bought units for one sold; None if the sheet does not price the pair."""
        return None if self.sheet is None else rate_of(self.sheet, self.pair)

    @property
    def left(self) -> timedelta | None:
        """The remaining time of the sheet; None without a rate."""
        if self.sheet is None or self.rate is None:
            return None
        return sheet_left(self._ui.time, self.sheet)

    @property
    def is_good(self) -> bool:
        """Return True if its rate may be traded at now."""
        return not self.asking and self.left is not None and self.left > MARGIN

    @property
    def phase(self) -> str:
        """The state of its rate, in words."""
        if self.is_good:
            return "locked"
        if self.left is not None and self.left > timedelta(0):
            return "requesting a new one" if self.asking else "too late to send"
        return "expired"

    def ask(self) -> None:
        if self.asking:
            return
        self.problem = None
        # Above those of all tickets, as the store keeps the highest.
        known = max(self._ui.store.quotes.keys(), default=0)
        self._asked = QuoteId(max(known, int(self._ui.time.clock.boot() * 1000)) + 1)
        self._ui.port.ask_quote(self._asked, self.pair)

    def poll(self) -> bool:
        """Take the response to a request; return True if there is one."""
        quote = None if self._asked is None else self._ui.store.quotes.get(self._asked)
        if quote is None or (quote.sheet is None and quote.problem is None):
            return False
        self._asked = None
        self.problem = quote.problem
        if quote.sheet is not None:
            self.before, self.sheet = self.rate, quote.sheet
        return True

    def why_not(self) -> str:
        """Return the reason why its rate cannot be traded at now; empty if it can."""
        if self.asking:
            return "requesting a rate"
        if self.is_good:
            return ""
        if self.rate is not None:
            key = first_key(self._ui.settings.keys, "ticket.requote")
            return f"{self.phase}: press {key} for a new rate"
        if self.problem is not None:
            return str(self.problem)
        missing = self.sheet.unavailable if self.sheet else ()
        said = next((one.reason for one in missing if one.pair == self.pair), None)
        return f"not priced: {said or 'the service gave no reason'}"


# Who can take the bought money


def wallet_target_trouble(
    wallet: Wallet, sold: CurrencyCode | None, bought: CurrencyCode | None
) -> str:
    """Return the reason why a wallet cannot take the bought money; empty if it can."""
    return _currency_trouble(wallet.currency, sold, bought) or parties.wallet_trouble(wallet)


def payee_trouble(source: Wallet, payee: Payee, bought: CurrencyCode | None) -> str:
    """Return the reason why an account cannot take the bought money; empty if it can."""
    # The payout is made in the bought currency, not in the sold one.
    pays = replace(source, currency=payee.address.currency)
    trouble = _currency_trouble(payee.address.currency, source.currency, bought)
    return trouble or parties.recipient_trouble(pays, payee.recipient, [payee.address])


def _currency_trouble(
    currency: CurrencyCode | None, sold: CurrencyCode | None, bought: CurrencyCode | None
) -> str:
    if currency is None:
        return ""
    if currency == sold:
        return f"same currency ({currency})"
    return f"wrong currency ({currency})" if bought not in (None, currency) else ""


# What a review and an outcome show


def deal_lines(ui: UiContext, deal: Deal, *, hidden: bool) -> Iterator[Line]:
    """Yield both amounts with their source and target, and the bank of a recipient."""
    source, target = deal.source, deal.target
    yield line("Account", account_name(ui.store, source.account_id))
    yield _amount_line("You sell", deal.exchange, Side.SELL)
    yield _wallet_line(ui, "  from", source, source)
    yield _amount_line("You buy", deal.exchange, Side.BUY)
    if isinstance(target, Wallet):
        yield _wallet_line(ui, "  into", target, source)
        return
    name = recipient_title(target.recipient)
    yield line("  for", name, parties.address_title(ui, target.address))
    if parties.distinguishing_id(target.recipient):
        yield line("Recipient id", target.recipient.recipient_id)
    yield from parties.bank_lines(target.address, hidden=hidden)


def _wallet_line(ui: UiContext, label: str, wallet: Wallet, source: Wallet) -> Line:
    """Return a wallet with its current balance, and its owner if that is not the seller."""
    known = ui.store.wallets.get(wallet.wallet_id) or wallet
    words = [known.wallet_name or known.wallet_id]
    if known.account_id != source.account_id:
        words.append(parties.other_owner_words(ui.store, known))
    return line(label, " · ".join(words), parties.balance_words(ui, known))


def _amount_line(label: str, exchange: Exchange, side: Side) -> Line:
    currency, amount = exchange.currency(side), exchange.amount_of(side)
    if amount is None:
        return line(label, currency, "set at execution")
    if side is exchange.side:
        return line(label, echo(amount, currency), "fixed", Tone.ACCENT)
    return line(label, f"≈ {echo(amount, currency)}", "final at booking")


def rate_words(pair: Pair, rate: Decimal) -> str:
    """Format a rate in the service's direction, with at least six significant digits."""
    return f"1 {pair.sell} = {significant(rate)} {pair.buy}"


def locked_lines(ui: UiContext, lock: RateLock) -> Iterator[Line]:
    """Yield the locked rate in each notation, its change by a requote, and why one failed."""
    if lock.sheet is None or lock.rate is None:
        yield line("Rate", lock.why_not(), tone=Tone.CLOSING)
        return
    tone = Tone.INK if lock.is_good else Tone.EXPIRED
    yield line("Rate", rate_words(lock.pair, lock.rate), lock.phase, tone)
    if lock.before is not None:
        was, change = f"was {plain(lock.before)} → now {plain(lock.rate)}", lock.rate - lock.before
        sign = "▲ +" if change > 0 else "▼ "
        yield line("", was, f"{sign}{plain(change)}" if change else "= 0", Tone.CLOSING)
    rows = rate_rows(lock.sheet, None, ui.settings.rates.desk_order)
    row = next(row for row in rows if row.pair == lock.pair)
    if row.market_rate is not None:
        side = f" {row.side}" if row.side else ""
        yield line("Market", f"{row.market}{side} {significant(row.market_rate)}", "", tone)
    turned = inverse(row.rate)
    if turned is not None:
        yield line("Inverse", rate_words(row.pair.reverse, turned), "", tone)
    if lock.problem is not None:
        yield Line("New rate", (CAREFUL.cell(str(lock.problem)),))


def trade_lines(ui: UiContext, trade: Record | None) -> Iterator[Line]:
    """Yield a booked trade; its figures are the service's own."""
    if not isinstance(trade, Trade):
        yield line("Trade status", "not read yet", tone=Tone.MUTED)
        return
    for label, amount, currency in (
        ("You sold", trade.sell_amount, trade.sell_currency),
        ("You bought", trade.buy_amount, trade.buy_currency),
    ):
        if amount is not None:
            yield line(label, amount_words(amount, currency), tone=Tone.ACCENT)
    if trade.rate is not None and trade.sell_currency and trade.buy_currency:
        yield line("Rate", rate_words(Pair(trade.sell_currency, trade.buy_currency), trade.rate))
    yield Line("Trade status", (state_cell(trade.status),))
    if trade.status is not None:
        name = trade.status.name
        journey = path_of_dialect(ui, Kind.TRADES)
        seen = ui.store.trades.seen(trade.trade_transaction_id)
        path = [f"✓ {one}" for one in journey.passed(name) if one in seen]
        path += [f"● {name}", *(f"○ {one}" for one in journey.ahead(name))]
        yield line("Progress", "  ".join(path).replace("_", " "), tone=Tone.MUTED)
