"""The movements of one wallet: its pay-ins, trades and payments.

A running balance is not computed: the service sends only current balances, and none with a
transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from paytui.domain.models import Kind, PayIn, Payment, Record, Trade, WalletId
from paytui.domain.money import EXACT, MISSING, CurrencyCode, with_currency
from paytui.store.figures import negative
from paytui.store.names import LONG_AGO, Related, created, recipient_name, wallet_label
from paytui.store.screen_rows import Movement
from paytui.store.store import Store

KINDS = (Kind.PAYINS, Kind.TRADES, Kind.PAYMENTS)  # The kinds of objects that move a wallet's money


def movements(store: Store, wallet_id: WalletId, rows: Iterable[Record]) -> list[Movement]:
    """Return the movements of a wallet by pay-ins, trades and payments, in their order."""
    return [
        _seen_from(store, wallet_id, row)
        for row in rows
        if isinstance(row, PayIn | Trade | Payment)
    ]


def newest_of(related: Mapping[Kind, Related]) -> tuple[list[Record], int]:
    """Return the newest rows of several kinds, newest first, and the number of all.

    Rows older than the oldest of a kind that has more are left out: some between them may be.
    """
    rows = [row for found in related.values() for row in found.newest]
    oldest = [
        created(found.newest[-1])
        for found in related.values()
        if len(found.newest) < found.total and found.newest
    ]
    since = max(oldest, default=LONG_AGO)
    rows = sorted((row for row in rows if created(row) >= since), key=created, reverse=True)
    return rows, sum(found.total for found in related.values())


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The sum of a wallet's booked movements beside its balance, available and reserved."""

    currency: CurrencyCode
    booked: Decimal
    balance: Decimal

    @property
    def difference(self) -> Decimal:
        return EXACT.subtract(self.balance, self.booked)


def reconcile(store: Store, wallet_id: WalletId, rows: Iterable[Movement]) -> Reconciliation | None:
    """Compare the movements of a wallet, all of them, with its balance.

    Money that an open payment or trade reserves is still part of the balance. Return None if a list
    is incomplete, or if a status, an amount or the balance is unknown.
    """
    wallet = store.wallets.get(wallet_id)
    if wallet is None or wallet.currency is None or wallet.available_balance is None:
        return None
    if not all(_is_complete(store, kind) for kind in (Kind.WALLETS, *KINDS)):
        return None
    booked = Decimal(0)
    for row in rows:
        if row.status is None or not row.status.known or row.status.as_created:
            return None
        if row.is_booked:
            if row.amount is None or row.currency != wallet.currency:
                return None
            booked = EXACT.add(booked, row.amount)
    balance = EXACT.add(wallet.available_balance, wallet.reserved_balance or Decimal(0))
    return Reconciliation(wallet.currency, booked, balance)


def _is_complete(store: Store, kind: Kind) -> bool:
    feed = store.feed(kind)
    is_whole = feed.ok and feed.offered and not (feed.cut or feed.skipped or feed.unsure)
    return is_whole and (feed.total or 0) <= len(store.table(kind)) + store.left_out(kind)


def _seen_from(store: Store, wallet_id: WalletId, row: Payment | Trade | PayIn) -> Movement:
    match row:
        case PayIn():
            kind, key = Kind.PAYINS, str(row.pay_in_transaction_id)
            amount, currency = row.amount, row.currency
            what = f"pay-in from {row.sender_name}" if row.sender_name else "pay-in"
        case Trade():
            kind, key = Kind.TRADES, row.trade_transaction_id
            sold, bought = (row.sell_amount, row.sell_currency), (row.buy_amount, row.buy_currency)
            if row.sell_wallet_id == wallet_id:
                amount, currency = negative(row.sell_amount), row.sell_currency
                what = f"trade, buys {with_currency(*bought) or bought[1] or MISSING}"
            else:
                amount, currency = bought
                what = f"trade, sells {with_currency(*sold) or sold[1] or MISSING}"
        case Payment():
            kind, key, currency = Kind.PAYMENTS, row.payment_transaction_id, row.currency
            leaves = row.source_wallet_id == wallet_id
            amount = negative(row.amount) if leaves else row.amount
            what = f"{row.payment_type or 'payment'}{_other_end(store, row, leaves=leaves)}"
    return Movement(kind, key, row.created_at, amount, currency, row.status, what, row.reference)


def _other_end(store: Store, row: Payment, *, leaves: bool) -> str:
    """Return the other party of a payment, if the service names it."""
    if leaves and row.recipient_id is not None:
        return f" to {recipient_name(store, row.recipient_id)}"
    other = row.destination_wallet_id if leaves else row.source_wallet_id
    return f" {'to' if leaves else 'from'} {wallet_label(store, other)}" if other else ""
