"""Figures of money: traded totals, balances, net positions, and their valuation.

Amounts are exact, and amounts of different currencies are never added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Context, Decimal
from fractions import Fraction

from paytui.domain.models import AccountId, Payment, RateSheet, Trade, Wallet, WalletId
from paytui.domain.money import EXACT, CurrencyCode, Pair, exact_sum, minor_units


@dataclass(frozen=True, slots=True)
class TradedTotal:
    """The day's trades in one pair, in the service's direction.

    Attributes:
        sold, bought: the sums of the trades that have both amounts.
        open: how many of the trades are booked and not exchanged yet.
        untold: how many of them lack an amount and are missing in the sums.
        market: the average market rate when they were booked, weighed by what was sold; None if
            it is unknown for any of them.
    """

    pair: Pair
    sold: Decimal
    bought: Decimal
    trades: int
    open: int
    untold: int
    market: Decimal | None = None

    @property
    def average(self) -> Decimal | None:
        """The average rate, bought per sold; None if nothing was sold."""
        return ratio(self.bought, self.sold)

    @property
    def turned(self) -> Decimal | None:
        """The inverse average rate, sold per bought; None if nothing was bought."""
        return ratio(self.sold, self.bought)

    @property
    def gain(self) -> Decimal | None:
        """The average over the market's, in basis points: more was bought if it is positive."""
        if self.average is None or not self.market:
            return None
        excess = Fraction(self.bought) / Fraction(self.sold) / Fraction(self.market) - 1
        return Decimal(round(excess * 100_000)).scaleb(-1)


MarketRate = Callable[[Trade], Decimal | None]
"""Returns the market's rate when a trade was booked; None if it is unknown."""


def counts(trade: Trade, since: datetime) -> bool:
    """Return True if a trade was booked since then and has not come to nothing."""
    came_to_nothing = trade.status is not None and trade.status.came_to_nothing
    return trade.created_at is not None and trade.created_at >= since and not came_to_nothing


def traded_totals(
    trades: Iterable[Trade], market: MarketRate = lambda _: None
) -> list[TradedTotal]:
    """Return the totals of the day's trades, in order of the pairs."""
    by_pair: dict[Pair, list[Trade]] = {}
    for trade in trades:
        if trade.sell_currency is None or trade.buy_currency is None:
            continue
        by_pair.setdefault(Pair(trade.sell_currency, trade.buy_currency), []).append(trade)
    return [_dealt(pair, by_pair[pair], market) for pair in sorted(by_pair)]


def _dealt(pair: Pair, trades: list[Trade], market: MarketRate) -> TradedTotal:
    sold = bought = at_market = Decimal(0)
    told, is_priced = 0, True
    for trade in trades:
        if trade.sell_amount is not None and trade.buy_amount is not None:
            sold, bought = EXACT.add(sold, trade.sell_amount), EXACT.add(bought, trade.buy_amount)
            told += 1
            rate = market(trade)
            is_priced = is_priced and rate is not None
            at_market = EXACT.fma(trade.sell_amount, rate or Decimal(0), at_market)
    done = sum(trade.status is not None and trade.status.name == "exchanged" for trade in trades)
    return TradedTotal(
        pair,
        sold,
        bought,
        len(trades),
        len(trades) - done,
        len(trades) - told,
        ratio(at_market, sold) if is_priced else None,
    )


def ratio(of: Decimal, to: Decimal) -> Decimal | None:
    """Return the ratio of two amounts, half-even to seven digits; None if the second is 0."""
    return Context(prec=7).divide(of, to) if to else None


@dataclass(frozen=True, slots=True)
class CurrencyTotal:
    """The sum of the balances of all wallets of one currency.

    Attributes:
        available, reserved, pending: sums of the known balances; None if none is known.
        untold: how many wallets have no available balance and are missing in the sum.
    """

    currency: CurrencyCode
    available: Decimal | None
    reserved: Decimal | None
    pending: Decimal | None
    wallets: int
    untold: int


def totals(wallets: Iterable[Wallet]) -> list[CurrencyTotal]:
    """Return totals by currency, in order of their codes."""
    by_currency: dict[CurrencyCode, list[Wallet]] = {}
    for wallet in wallets:
        if wallet.currency is not None:
            by_currency.setdefault(wallet.currency, []).append(wallet)
    return [
        CurrencyTotal(
            currency,
            available=_sum(wallet.available_balance for wallet in held),
            reserved=_sum(wallet.reserved_balance for wallet in held),
            pending=_sum(wallet.pending_balance for wallet in held),
            wallets=len(held),
            untold=sum(wallet.available_balance is None for wallet in held),
        )
        for currency, held in sorted(by_currency.items())
    ]


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    told = [amount for amount in amounts if amount is not None]
    return exact_sum(told) if told else None


WalletOf = Callable[[WalletId], Wallet | None]
Flow = tuple[CurrencyCode, Decimal | None]
"""An amount that an open transaction will add or, if negative, take; None if it is unknown."""


@dataclass(frozen=True, slots=True)
class Position:
    """The position in one currency.

    Net position = available + reserved balances of all wallets
        + open trades' and transfers' incoming amounts
        - amounts that open trades sell and open payouts and transfers take.

    A trade is open until it is exchanged, rejected or failed, funded or not. A payment is open
    until it is released and has left the wallet (service.md §3), or has failed. Its amount may be
    reserved meanwhile: it is then part of the balances and subtracted once. A deposit counts once
    it is credited. A trade that pays a recipient brings nothing in.

    Attributes:
        total: the balances; of no wallets if the currency occurs in open transactions only.
        net: the net position; None if no balance is known.
        untold: how many flows are missing because their amounts are unknown.
    """

    total: CurrencyTotal
    net: Decimal | None
    untold: int

    @property
    def currency(self) -> CurrencyCode:
        return self.total.currency


def is_open_trade(trade: Trade) -> bool:
    """Return True if a trade has yet to move money; False if its state is unknown."""
    status = trade.status
    return status is not None and not status.as_created and not status.final


def is_open_payment(payment: Payment) -> bool:
    """Return True if a payment has still to leave its wallet."""
    status = payment.status
    return status is not None and not status.as_created and not status.settled


class PendingFlows:
    """The running sum of open trades and payments, of one account's wallets or (None) of all."""

    def __init__(self, wallet_of: WalletOf, account_id: AccountId | None = None) -> None:
        self._wallet_of = wallet_of
        self._account_id = account_id
        self.moved: dict[CurrencyCode, Decimal] = {}
        self.untold: dict[CurrencyCode, int] = {}

    def add(self, row: Trade | Payment) -> None:
        found = self._of_trade(row) if isinstance(row, Trade) else self._of_payment(row)
        for currency, amount in found:
            before = self.moved.get(currency, Decimal(0))
            self.moved[currency] = before if amount is None else EXACT.add(before, amount)
            self.untold[currency] = self.untold.get(currency, 0) + (amount is None)

    def _of_trade(self, trade: Trade) -> Iterator[Flow]:
        if trade.sell_currency and self._holds(self._owner(trade.sell_wallet_id, trade.account_id)):
            yield trade.sell_currency, negative(trade.sell_amount)
        into = self._owner(trade.buy_wallet_id, trade.account_id)
        if trade.buy_currency and trade.recipient_id is None and self._holds(into):
            yield trade.buy_currency, trade.buy_amount

    def _of_payment(self, payment: Payment) -> Iterator[Flow]:
        if payment.currency is None:
            return
        if self._holds(self._owner(payment.source_wallet_id, payment.account_id)):
            yield payment.currency, negative(payment.amount)
        target = payment.destination_wallet_id
        wallet = self._wallet_of(target) if target else None
        if wallet is not None and self._holds(wallet.account_id):
            yield payment.currency, payment.amount

    def _owner(self, wallet_id: WalletId | None, booked_by: AccountId | None) -> AccountId | None:
        """Return the account of a wallet; of an unknown one, the account that booked."""
        wallet = self._wallet_of(wallet_id) if wallet_id else None
        return wallet.account_id if wallet else booked_by

    def _holds(self, owner: AccountId | None) -> bool:
        return self._account_id in (None, owner)


def positions(
    totals: Iterable[CurrencyTotal], under_way: PendingFlows, *, all_wallets: bool
) -> list[Position]:
    """Return the position in each currency that is held or under way, in order of their codes.

    A currency without wallets holds nothing if the totals cover `all_wallets`; else its balance is
    unknown.
    """
    unseen = Decimal(0) if all_wallets else None
    held = {total.currency: total for total in totals}
    found: list[Position] = []
    for code in sorted(held.keys() | under_way.moved.keys()):
        total = held.get(code) or CurrencyTotal(code, unseen, None, None, wallets=0, untold=0)
        net: Decimal | None = None
        if total.available is not None:
            balance = EXACT.add(total.available, total.reserved or Decimal(0))
            net = EXACT.add(balance, under_way.moved.get(code, Decimal(0)))
        found.append(Position(total, net, under_way.untold.get(code, 0)))
    return found


def negative(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else amount.copy_negate()


@dataclass(frozen=True, slots=True)
class Valuation:
    """The value of all positions, rounded half-even to the minor units of the currency.

    Attributes:
        available, net: None if no position has a value.
        worth: the value of each net position that has one.
        without: currencies that are omitted because the sheet does not price them.
    """

    currency: CurrencyCode
    available: Decimal | None
    net: Decimal | None
    without: tuple[CurrencyCode, ...]
    untold: tuple[CurrencyCode, ...]
    worth: Mapping[CurrencyCode, Decimal] = field(default_factory=dict)

    @property
    def unpriced(self) -> int:
        """The number of currencies that are left out."""
        return len(self.without) + len(self.untold)


def valuation(
    positions: Iterable[Position], currency: CurrencyCode, sheet: RateSheet | None
) -> Valuation:
    """Value positions in one currency, at the rate of selling for it, else the inverse of buying.

    There are no cross rates through a third currency. A position of exactly zero needs no rate.
    """
    rates = sheet.by_pair if sheet else {}
    available = net = Fraction(0)
    worth: dict[CurrencyCode, Decimal] = {}
    without: list[CurrencyCode] = []
    untold: list[CurrencyCode] = []
    counted = False
    for position in positions:
        held, comes_to = position.total.available, position.net
        if held is None or comes_to is None:
            untold.append(position.currency)
        elif not held and not comes_to:
            counted = True
        elif rate := _rate(position.currency, currency, rates):
            counted = True
            available += Fraction(held) * rate
            net += Fraction(comes_to) * rate
            worth[position.currency] = _rounded(Fraction(comes_to) * rate, currency)
        else:
            without.append(position.currency)
    return Valuation(
        currency,
        _rounded(available, currency) if counted else None,
        _rounded(net, currency) if counted else None,
        tuple(without),
        tuple(untold),
        worth,
    )


def value_of_changes(
    changes: Mapping[CurrencyCode, Decimal | None], worth: Valuation, sheet: RateSheet | None
) -> Decimal | None:
    """Value changes of balances as their totals are valued, without the currencies left out.

    None if a change is unknown, or has no rate.
    """
    rates, total = sheet.by_pair if sheet else {}, Fraction(0)
    for code in changes.keys() - {*worth.without, *worth.untold}:
        change, rate = changes[code], _rate(code, worth.currency, rates)
        if change is None or (change and rate is None):
            return None
        total += Fraction(change) * (rate or 0)
    return _rounded(total, worth.currency)


def shorts(positions: Iterable[Position]) -> list[Position]:
    """Return the positions below zero, the lowest first."""
    found = [one for one in positions if one.net is not None and one.net < 0]
    return sorted(found, key=lambda one: one.net or Decimal(0))


def largest_exposure(positions: Iterable[Position], worth: Valuation | None) -> Position | None:
    """Return the net position of the greatest value in another currency than the reporting one.

    Without a reporting currency amounts do not compare: it is the lowest position below zero.
    """
    if worth is None:
        return next(iter(shorts(positions)), None)
    others = {code: abs(net) for code, net in worth.worth.items() if code != worth.currency and net}
    largest = max(others, key=lambda code: others[code], default=None)
    return next((one for one in positions if one.currency == largest), None)


def _rate(
    held: CurrencyCode, currency: CurrencyCode, rates: Mapping[Pair, Decimal]
) -> Fraction | None:
    if held == currency:
        return Fraction(1)
    pair = Pair(held, currency)
    if rate := rates.get(pair):
        return Fraction(rate)
    return 1 / Fraction(back) if (back := rates.get(pair.reverse)) else None


def _rounded(amount: Fraction, currency: CurrencyCode) -> Decimal:
    digits = minor_units(currency)
    return Decimal(round(amount * 10**digits)).scaleb(-digits, context=EXACT)
