"""What has to do with what: the rows of a list that are of one account, or touch one wallet."""

from __future__ import annotations

from collections.abc import Callable

from paytui.api.models import (
    AccountId,
    Kind,
    PayIn,
    PayInAddress,
    Payment,
    PaymentAddress,
    Record,
    Trade,
    WalletId,
)
from paytui.store.store import Store
from paytui.store.views import payin_owner


def account_of(store: Store, row: Record) -> AccountId | None:
    """The account that an object belongs to, as far as it or its wallet says."""
    match row:
        case PayIn() | PayInAddress():
            return payin_owner(store, row)
        case PaymentAddress():
            recipient = store.recipients.get(row.recipient_id) if row.recipient_id else None
            return recipient.account_id if recipient else None
        case _:
            return row.account_id


def wallets_of(row: Record) -> tuple[WalletId | None, ...]:
    """The wallets that an object names, the one that money leaves first."""
    match row:
        case Payment():
            return row.source_wallet_id, row.destination_wallet_id
        case Trade():
            return row.sell_wallet_id, row.buy_wallet_id
        case PayIn() | PayInAddress():
            return (row.wallet_id,)
        case _:
            return ()


def belongs_to(store: Store, kind: Kind, key: str) -> Callable[[Record], bool]:
    """Whether an object belongs to an account, or touches a wallet, of which `key` is the id."""
    if kind is Kind.WALLETS:
        return lambda row: key in wallets_of(row)
    return lambda row: account_of(store, row) == key
