"""What belongs to what: the rows of a list that are of one account, or touch one wallet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType

from paytui.api.models import Kind, Record

_NAMED_BY: Mapping[tuple[Kind, Kind], tuple[str, ...]] = MappingProxyType(
    {
        (Kind.ACCOUNTS, Kind.WALLETS): ("account_id",),
        (Kind.ACCOUNTS, Kind.RECIPIENTS): ("account_id",),
        (Kind.ACCOUNTS, Kind.TRADES): ("account_id",),
        (Kind.ACCOUNTS, Kind.PAYMENTS): ("account_id",),
        (Kind.WALLETS, Kind.PAYINS): ("wallet_id",),
        (Kind.WALLETS, Kind.PAYIN_ADDRESSES): ("wallet_id",),
        (Kind.WALLETS, Kind.TRADES): ("sell_wallet_id", "buy_wallet_id"),
        (Kind.WALLETS, Kind.PAYMENTS): ("source_wallet_id", "destination_wallet_id"),
    }
)
"""The one or two fields by which rows of the second kind name one of the first."""


def belongs_to(owner: Kind, key: str, listed: Kind) -> Callable[[Record], bool]:
    """Whether a row belongs to an object; quick, as it is asked of every row of a list.

    Args:
        owner: the kind of the object.
        key: its id.
        listed: the kind of the rows.
    """
    named_by = [attrgetter(name) for name in _NAMED_BY[owner, listed]]
    first, last = named_by[0], named_by[-1]
    if first is last:
        return lambda row: bool(first(row) == key)
    return lambda row: bool(first(row) == key or last(row) == key)
