"""The movements of one wallet: its pay-ins, trades and payments.

A running balance is not computed: the service sends only current balances, and none with a
transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from heapq import nlargest

from paytui.domain.models import Kind, PayIn, Payment, Record, State, Trade, WalletId
from paytui.domain.money import MISSING, CurrencyCode, format_amount
from paytui.store.relations import belongs_to
from paytui.store.store import Store
from paytui.store.views import recipient_name, wallet_label

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Movement:
    """One transaction, as seen from a wallet.

    Attributes:
        at: its time of creation, if the service sends it.
        amount: into the wallet if positive, out of it if negative; None if not known yet.
        currency: of the amount.
        what: a description from the wallet's side: `payout to Acme Pty Ltd`.
    """

    kind: Kind
    key: str
    at: datetime | None
    amount: Decimal | None
    currency: CurrencyCode | None
    status: State | None
    what: str
    reference: str | None


def movements(store: Store, wallet_id: WalletId) -> list[Movement]:
    """Return all movements of a wallet, unordered."""
    return [_seen_from(store, wallet_id, row) for row in _rows(store, wallet_id)]


def newest_movements(store: Store, wallet_id: WalletId, most: int) -> tuple[list[Movement], int]:
    """Return the newest `most` movements, newest first, and the number of all."""
    rows = _rows(store, wallet_id)
    newest = nlargest(most, rows, key=lambda row: row.created_at or _LONG_AGO)
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
            return _payin(row)
        case Trade():
            return _trade(wallet_id, row)
        case Payment():
            return _payment(store, wallet_id, row)


def _payin(row: PayIn) -> Movement:
    return Movement(
        Kind.PAYINS,
        row.pay_in_transaction_id,
        row.created_at,
        row.amount,
        row.currency,
        row.status,
        f"pay-in from {row.sender_name}" if row.sender_name else "pay-in",
        row.reference,
    )


def _trade(wallet_id: WalletId, row: Trade) -> Movement:
    sells = row.sell_wallet_id == wallet_id
    amount = _out(row.sell_amount) if sells else row.buy_amount
    other = (row.buy_amount, row.buy_currency) if sells else (row.sell_amount, row.sell_currency)
    return Movement(
        Kind.TRADES,
        row.trade_transaction_id,
        row.created_at,
        amount,
        row.sell_currency if sells else row.buy_currency,
        row.status,
        f"trade, {'buys' if sells else 'sells'} {_told(*other)}",
        row.reference,
    )


def _payment(store: Store, wallet_id: WalletId, row: Payment) -> Movement:
    leaves = row.source_wallet_id == wallet_id
    return Movement(
        Kind.PAYMENTS,
        row.payment_transaction_id,
        row.created_at,
        _out(row.amount) if leaves else row.amount,
        row.currency,
        row.status,
        f"{row.payment_type or 'payment'}{_other_end(store, row, leaves=leaves)}",
        row.reference,
    )


def _other_end(store: Store, row: Payment, *, leaves: bool) -> str:
    """Return the other party of a payment, if the service names it."""
    if leaves and row.recipient_id is not None:
        return f" to {recipient_name(store, row.recipient_id)}"
    other = row.destination_wallet_id if leaves else row.source_wallet_id
    return f" {'to' if leaves else 'from'} {wallet_label(store, other)}" if other else ""


def _out(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else amount.copy_negate()


def _told(amount: Decimal | None, currency: CurrencyCode | None) -> str:
    if amount is None or currency is None:
        return currency or MISSING
    return f"{format_amount(amount, currency)} {currency}"
