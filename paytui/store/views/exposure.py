"""The net position of each currency after everything under way has settled.

Net position = available + reserved balances of all wallets
    + what open trades bring into a wallet - what open trades sell
    + what open transfers bring into a wallet - what open payouts and transfers take.

A trade is open until it is exchanged, rejected or failed, whether it is funded or not; a payment
until it is released, when it has left the wallet (contract.md, "States"), or until it comes to
nothing. What is sold or paid by then may be reserved, so that it is counted in what is held and
taken off once. A deposit counts once it is credited. A trade that pays a recipient brings nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal

from paytui.domain.models import AccountId, Payment, Trade, Wallet, WalletId
from paytui.domain.money import CurrencyCode
from paytui.store.views.totals import CurrencyTotal

_EXACT = Context(prec=120)
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


class UnderWay:
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
    totals: Iterable[CurrencyTotal], under_way: UnderWay, *, all_wallets: bool
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
