"""The relations between objects: the rows of one account, or of one wallet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType

from paytui.domain.models import AccountId, Kind, Payment, Record, Trade
from paytui.store.store import Store

_NAMED_BY: Mapping[tuple[Kind, Kind], tuple[str, ...]] = MappingProxyType(
    {
        (Kind.ACCOUNTS, Kind.WALLETS): ("account_id",),
        (Kind.ACCOUNTS, Kind.RECIPIENTS): ("account_id",),
        (Kind.WALLETS, Kind.PAYINS): ("wallet_id",),
        (Kind.WALLETS, Kind.PAYIN_ADDRESSES): ("wallet_id",),
        (Kind.WALLETS, Kind.TRADES): ("sell_wallet_id", "buy_wallet_id"),
        (Kind.WALLETS, Kind.PAYMENTS): ("source_wallet_id", "destination_wallet_id"),
    }
)
"""The one or two fields by which rows of the second kind name one of the first."""


def account_of(store: Store, row: Trade | Payment) -> AccountId | None:
    """Return the account of a row: its own field, else the account of its source wallet."""
    if row.account_id is not None:
        return row.account_id
    wallet_id = row.sell_wallet_id if isinstance(row, Trade) else row.source_wallet_id
    wallet = store.wallets.get(wallet_id) if wallet_id else None
    return wallet.account_id if wallet else None


def belongs_to(store: Store, owner: Kind, key: str, listed: Kind) -> Callable[[Record], bool]:
    """Return a fast predicate: does a row belong to an object?

    Args:
        store: knows the accounts of wallets.
        owner: the kind of the object.
        key: its id.
        listed: the kind of the rows.
    """
    if owner is Kind.ACCOUNTS and listed in (Kind.TRADES, Kind.PAYMENTS):
        return lambda row: isinstance(row, Trade | Payment) and account_of(store, row) == key
    named_by = [attrgetter(name) for name in _NAMED_BY[owner, listed]]
    first, last = named_by[0], named_by[-1]
    if first is last:
        return lambda row: bool(first(row) == key)
    return lambda row: bool(first(row) == key or last(row) == key)
