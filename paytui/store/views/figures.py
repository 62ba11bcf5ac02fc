"""The totals sold and bought in a day, by pair, with average rates.

A trade counts from when it was booked, whether it is exchanged yet or not, unless it came to
nothing (rejected, failed, cancelled). Amounts are exact; an average is what was bought in all by
what was sold in all, of those trades that tell both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Context, Decimal
from fractions import Fraction

from paytui.domain.models import AccountId, Payment, RateSheet, Trade, Wallet, WalletId
from paytui.domain.money import CurrencyCode, Pair, minor_units

AVERAGE_DIGITS = 7
"""Significant digits of an average, the last one rounded half-even."""

_EXACT = Context(prec=120)
_CAME_TO_NOTHING = frozenset({"rejected", "failed", "cancelled"})
_DONE = "exchanged"


@dataclass(frozen=True, slots=True)
class TradedTotal:
    """One pair in the service's direction.

    Attributes:
        sold, bought: what the trades come to that tell both their amounts.
        average: 1 sold = so many bought; None where nothing was sold.
        trades: how many there are.
        open: how many of them are booked and not exchanged yet.
        untold: how many of them lack an amount, so that nothing of them is in the figures.
    """

    pair: Pair
    sold: Decimal
    bought: Decimal
    trades: int
    open: int
    untold: int

    @property
    def average(self) -> Decimal | None:
        """1 sold = so many bought; None where nothing was sold."""
        return ratio(self.bought, self.sold)

    @property
    def turned(self) -> Decimal | None:
        """1 bought = so many sold; None where nothing was bought."""
        return ratio(self.sold, self.bought)


def counts(trade: Trade, since: datetime) -> bool:
    """Return True if a trade was booked since then, and has not come to nothing."""
    came_to_nothing = trade.status is not None and trade.status.name in _CAME_TO_NOTHING
    return trade.created_at is not None and trade.created_at >= since and not came_to_nothing


def traded_totals(trades: Iterable[Trade]) -> list[TradedTotal]:
    """Return the totals of the day's trades, in order of the pairs."""
    by_pair: dict[Pair, list[Trade]] = {}
    for trade in trades:
        if trade.sell_currency is None or trade.buy_currency is None:
            continue
        by_pair.setdefault(Pair(trade.sell_currency, trade.buy_currency), []).append(trade)
    return [_dealt(pair, by_pair[pair]) for pair in sorted(by_pair)]


def _dealt(pair: Pair, trades: list[Trade]) -> TradedTotal:
    sold = bought = Decimal(0)
    told = 0
    for trade in trades:
        if trade.sell_amount is not None and trade.buy_amount is not None:
            sold, bought = _EXACT.add(sold, trade.sell_amount), _EXACT.add(bought, trade.buy_amount)
            told += 1
    done = sum(trade.status is not None and trade.status.name == _DONE for trade in trades)
    return TradedTotal(pair, sold, bought, len(trades), len(trades) - done, len(trades) - told)


def ratio(of: Decimal, to: Decimal) -> Decimal | None:
    """Return the ratio of two amounts; None if the second is 0."""
    return Context(prec=AVERAGE_DIGITS).divide(of, to) if to else None


# Balances added by currency; amounts of different currencies are never added.


@dataclass(frozen=True, slots=True)
class CurrencyTotal:
    """The balances of all wallets of one currency, added.

    Attributes:
        available, reserved, pending: sums of what the wallets say; None where none says it.
        wallets: how many wallets there are.
        untold: how many of them do not say what is available, so that the sum lacks them.
    """

    currency: CurrencyCode
    available: Decimal | None
    reserved: Decimal | None
    pending: Decimal | None
    wallets: int
    untold: int


def totals(wallets: Iterable[Wallet], account_id: AccountId | None = None) -> list[CurrencyTotal]:
    """Totals by currency, in order of their codes, of one account's wallets or of all.

    A wallet whose currency the service does not say is in no total.
    """
    by_currency: dict[CurrencyCode, list[Wallet]] = {}
    for wallet in wallets:
        if wallet.currency is not None and account_id in (None, wallet.account_id):
            by_currency.setdefault(wallet.currency, []).append(wallet)
    return [_total(currency, by_currency[currency]) for currency in sorted(by_currency)]


def _total(currency: CurrencyCode, wallets: list[Wallet]) -> CurrencyTotal:
    return CurrencyTotal(
        currency,
        available=_sum(wallet.available_balance for wallet in wallets),
        reserved=_sum(wallet.reserved_balance for wallet in wallets),
        pending=_sum(wallet.pending_balance for wallet in wallets),
        wallets=len(wallets),
        untold=sum(wallet.available_balance is None for wallet in wallets),
    )


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    told = [amount for amount in amounts if amount is not None]
    total = Decimal(0)
    for amount in told:
        total = _EXACT.add(total, amount)
    return total if told else None


# The net position of each currency after everything under way has settled.
#
# Net position = available + reserved balances of all wallets
#     + what open trades bring into a wallet - what open trades sell
#     + what open transfers bring into a wallet - what open payouts and transfers take.
#
# A trade is open until it is exchanged, rejected or failed, whether it is funded or not; a payment
# until it is released, when it has left the wallet (service.md §3, or until it comes to
# nothing. What is sold or paid by then may be reserved, so that it is counted in what is held and
# taken off once. A deposit counts once it is credited. A trade that pays a recipient brings
# nothing.

_LEFT = frozenset({"released"})
"""States in which a payment has left the wallet, though more may follow."""

WalletOf = Callable[[WalletId], Wallet | None]
Flow = tuple[CurrencyCode, Decimal | None]
"""What something open will bring or, negative, take; None where nobody says how much."""


@dataclass(frozen=True, slots=True)
class Position:
    """One currency.

    Attributes:
        total: what its wallets hold; of no wallets where only something open is in it.
        net: the net position; None where no wallet says what it holds.
        untold: how many flows it lacks, because their amount is not known.
    """

    total: CurrencyTotal
    net: Decimal | None
    untold: int

    @property
    def currency(self) -> CurrencyCode:
        """The currency."""
        return self.total.currency


def is_open_trade(trade: Trade) -> bool:
    """Return True if a trade has yet to move money; False if its state is unknown."""
    status = trade.status
    return status is not None and not status.as_created and not status.final


def is_open_payment(payment: Payment) -> bool:
    """Return True if a payment has still to leave its wallet."""
    status = payment.status
    if status is None or status.as_created:
        return False
    return not status.final and status.name not in _LEFT


class PendingFlows:
    """The running sum of open trades and payments.

    Args:
        account_id: to whose wallets; None: to all.
    """

    def __init__(self, wallet_of: WalletOf, account_id: AccountId | None = None) -> None:
        self._wallet_of = wallet_of
        self._account_id = account_id
        self.moved: dict[CurrencyCode, Decimal] = {}
        self.untold: dict[CurrencyCode, int] = {}

    def add(self, row: Trade | Payment) -> None:
        """Count what one of them brings and takes."""
        found = self._of_trade(row) if isinstance(row, Trade) else self._of_payment(row)
        for currency, amount in found:
            before = self.moved.get(currency, Decimal(0))
            self.moved[currency] = before if amount is None else _EXACT.add(before, amount)
            self.untold[currency] = self.untold.get(currency, 0) + (amount is None)

    def _of_trade(self, trade: Trade) -> Iterator[Flow]:
        if trade.sell_currency and self._holds(self._owner(trade.sell_wallet_id, trade.account_id)):
            yield trade.sell_currency, _negative(trade.sell_amount)
        into = self._owner(trade.buy_wallet_id, trade.account_id)
        if trade.buy_currency and trade.recipient_id is None and self._holds(into):
            yield trade.buy_currency, trade.buy_amount

    def _of_payment(self, payment: Payment) -> Iterator[Flow]:
        if payment.currency is None:
            return
        if self._holds(self._owner(payment.source_wallet_id, payment.account_id)):
            yield payment.currency, _negative(payment.amount)
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
    """The position in each currency that is held or under way, in order of their codes.

    Only where the totals are of `all_wallets` that there are does a currency without any hold
    nothing; else nobody knows what it holds.
    """
    unseen = Decimal(0) if all_wallets else None
    held = {total.currency: total for total in totals}
    moved, untold = under_way.moved, under_way.untold
    return [
        _position(
            held.get(code) or _without_wallets(code, unseen), moved.get(code), untold.get(code, 0)
        )
        for code in sorted(held.keys() | moved.keys())
    ]


def _without_wallets(currency: CurrencyCode, available: Decimal | None) -> CurrencyTotal:
    return CurrencyTotal(currency, available, None, None, wallets=0, untold=0)


def _position(total: CurrencyTotal, moved: Decimal | None, untold: int) -> Position:
    if total.available is None:
        return Position(total, None, untold)
    holds = _EXACT.add(total.available, total.reserved or Decimal(0))
    return Position(total, _EXACT.add(holds, moved or Decimal(0)), untold)


def _negative(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else amount.copy_negate()


# All currencies added up in one, by the rates of one sheet: only where somebody wants it.

_WIDE = Context(prec=120)


@dataclass(frozen=True, slots=True)
class Valuation:
    """What all positions come to, rounded half-even to the minor units of the currency.

    Attributes:
        available, net: what is available, and the net position; None where all is left out.
        without: the currencies that are left out, because the sheet does not price them.
        untold: the currencies of which nobody says what is held.
    """

    currency: CurrencyCode
    available: Decimal | None
    net: Decimal | None
    without: tuple[CurrencyCode, ...]
    untold: tuple[CurrencyCode, ...]


def valuation(
    positions: Iterable[Position], currency: CurrencyCode, sheet: RateSheet | None
) -> Valuation:
    """Positions in one currency: by the rate of selling for it, else by the inverse of buying.

    Nothing is reckoned by way of a third currency. What is exactly zero needs no rate.
    """
    rates = {rate.pair: rate.rate for rate in sheet.rates} if sheet else {}
    available = net = Fraction(0)
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
        else:
            without.append(position.currency)
    return Valuation(
        currency,
        _rounded(available, currency) if counted else None,
        _rounded(net, currency) if counted else None,
        tuple(without),
        tuple(untold),
    )


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
    return Decimal(round(amount * 10**digits)).scaleb(-digits, context=_WIDE)
