"""Created objects that the service cannot return (service.md §4 documents few reads).

Their fields come from the response to their creation; after a restart, from the request.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

from paytui.api.resources import READS
from paytui.domain.intent import Action, IntentRow, IntentTerms
from paytui.domain.models import (
    Account,
    Kind,
    PayInAddress,
    Recipient,
    Record,
    State,
    Trade,
    Wallet,
)
from paytui.store.store import Store

CHOSEN = frozenset({Kind.ACCOUNTS, Kind.WALLETS, Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES})
"""Kinds that forms and wizards offer: an identifier alone is useful."""

_KINDS = {
    Action.CREATE_INDIVIDUAL_ACCOUNT: "individual",
    Action.CREATE_CORPORATE_ACCOUNT: "corporate",
}


def as_created(row: Record) -> Record:
    """Mark an object that cannot be read; a wallet loses its balances."""
    if isinstance(row, PayInAddress) or (row.status is not None and row.status.as_created):
        return row
    name = "cannot be read"
    if row.status is not None:
        name = f"{row.status.name.replace('_', ' ')}, as created"
    status = State(name, known=False, as_created=True)
    if isinstance(row, Wallet):
        row = replace(row, available_balance=None, reserved_balance=None, pending_balance=None)
    return replace(row, status=status)


def recollected(store: Store, kind: Kind, identifier: str) -> Record | None:
    """Return an object with the fields of its request, or with its identifier alone.

    None if neither is of use.
    """
    if (intent := _creation_of(store, kind, identifier)) is not None:
        return _as_asked(intent, READS[kind].record, identifier)
    return READS[kind].record(identifier) if kind in CHOSEN else None  # type: ignore[arg-type] # of any kind


def is_created_here(store: Store, kind: Kind, identifier: str) -> bool:
    """Return True if an intent became this object."""
    return _creation_of(store, kind, identifier) is not None


def with_addresses(row: Record, before: Record | None) -> Record:
    """Complete a recipient of which only the addresses could be read with its known fields."""
    if not isinstance(row, Recipient) or not isinstance(before, Recipient):
        return row
    if row != Recipient(row.recipient_id, payment_addresses=row.payment_addresses):
        return row
    addresses = row.payment_addresses or before.payment_addresses
    return as_created(replace(before, payment_addresses=addresses))


def created(store: Store, kind: Kind, most: int) -> Sequence[str]:
    """Return the identifiers of the newest objects of a kind that intents became, oldest first."""
    rows = (row for row in store.intents.rows() if row.action.becomes is kind)
    made = sorted((row.since, row.object_id) for row in rows if row.object_id is not None)
    return [*dict.fromkeys(identifier for _, identifier in made)][-most:]


def _creation_of(store: Store, kind: Kind, identifier: str) -> IntentRow | None:
    rows = store.intents.rows()
    found = (one for one in rows if one.object_id == identifier and one.action.becomes is kind)
    return next(found, None)


def _as_asked(intent: IntentRow, cls: type[Record], identifier: str) -> Record:
    first, *others = (each.name for each in fields(cls))
    told: dict[str, Any] = {name: getattr(intent.terms, name, None) for name in others}
    told |= {name: text for name, text in intent.terms.asked if name in others}
    if cls is Trade:
        told |= _legs(intent.terms)
    elif cls is Account:
        told["kind"] = _KINDS[intent.action]  # other fields are personal, and not kept
    known = {name: value for name, value in told.items() if value is not None}
    return cls(**{first: identifier, **known})


def _legs(terms: IntentTerms) -> dict[str, str | Decimal | None]:
    side = "sell" if terms.currency == terms.sell_currency else "buy"
    return {
        "dealt_side": side,
        f"{side}_amount": terms.amount,
        "sell_wallet_id": terms.source_wallet_id,
        "buy_wallet_id": terms.destination_wallet_id,
    }
