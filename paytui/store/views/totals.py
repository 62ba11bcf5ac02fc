"""Balances added by currency; amounts of different currencies are never added."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Context, Decimal

from paytui.domain.models import AccountId, Wallet
from paytui.domain.money import CurrencyCode

_EXACT = Context(prec=120)


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
