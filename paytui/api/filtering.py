"""A list narrowed once more on our side: a service may ignore the filters that it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from paytui.api.listing import Listing
from paytui.domain.models import Payment

T = TypeVar("T")

_WALLETS_OF_A_PAYMENT = ("source_wallet_id", "destination_wallet_id")


def only_asked_for(listing: Listing[T], given: Mapping[str, str | None]) -> Listing[T]:
    """The records that say of themselves what was asked for, or do not say.

    `given` are canonical parameters; `status` is the service's own word and is left to it.
    """
    wanted = {name: value for name, value in given.items() if value and name != "status"}
    records = tuple(record for record in listing.records if _is_wanted(record, wanted))
    if len(records) == len(listing.records):
        return listing
    return replace(listing, records=records, total=len(records) if listing.complete else None)


def _is_wanted(record: object, wanted: Mapping[str, str]) -> bool:
    return all(value in own for name, value in wanted.items() if (own := _own(record, name)))


def _own(record: object, name: str) -> set[object]:
    """What a record says of itself; nothing where it does not tell."""
    both = isinstance(record, Payment) and name == "wallet_id"
    fields = _WALLETS_OF_A_PAYMENT if both else (name,)
    return {getattr(record, field, None) for field in fields} - {None}
