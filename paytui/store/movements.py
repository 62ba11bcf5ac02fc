"""The movements of one wallet: its pay-ins, trades and payments.

A running balance is not computed: the service sends only current balances, and none with a
transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from heapq import nlargest

from paytui.domain.models import Kind, PayIn, Payment, Record, Trade, WalletId
from paytui.domain.money import MISSING, CurrencyCode, format_amount
from paytui.store.figures import negative
from paytui.store.names import belongs_to, recipient_name, wallet_label
from paytui.store.reports import Movement
from paytui.store.store import Store

LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


def movements(store: Store, wallet_id: WalletId) -> list[Movement]:
    """Return all movements of a wallet, unordered."""
    return [_seen_from(store, wallet_id, row) for row in _rows(store, wallet_id)]


def newest_movements(store: Store, wallet_id: WalletId, most: int) -> tuple[list[Movement], int]:
    """Return the newest `most` movements, newest first, and the number of all."""
    rows = _rows(store, wallet_id)
    newest = nlargest(most, rows, key=lambda row: row.created_at or LONG_AGO)
    return [_seen_from(store, wallet_id, row) for row in newest], len(rows)


def _rows(store: Store, wallet_id: WalletId) -> list[Payment | Trade | PayIn]:
    def touches(kind: Kind) -> Callable[[Record], bool]:
        return belongs_to(store, Kind.WALLETS, wallet_id, kind)

    return [
        *filter(touches(Kind.PAYINS), store.payins.rows()),
        *filter(touches(Kind.TRADES), store.trades.rows()),
        *filter(touches(Kind.PAYMENTS), store.payments.rows()),
    ]


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
                what = f"trade, buys {_told(*bought)}"
            else:
                amount, currency = bought
                what = f"trade, sells {_told(*sold)}"
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


def _told(amount: Decimal | None, currency: CurrencyCode | None) -> str:
    if amount is None or currency is None:
        return currency or MISSING
    return f"{format_amount(amount, currency)} {currency}"
