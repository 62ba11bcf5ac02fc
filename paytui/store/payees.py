"""Payees: their accounts, whether these were paid before, and what our own intents say of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum

from paytui.domain import models
from paytui.domain.intent import IntentId, IntentRow, IntentTerms, Standing
from paytui.store.store import Store
from paytui.store.table import Derived

ARRIVED = frozenset({"released", "completed"})
"""States of a payment that was sent to its account and not returned (service.md §3)."""

_CAME_TO_NOTHING = frozenset({"rejected", "cancelled", "failed", "returned"})
"""States of a payment or a trade whose money was not sent or was returned (service.md §3)."""

_WENT_OUT = (Standing.ACCEPTED, Standing.DONE)


class PayeeStatus(Enum):
    KNOWN = "it was paid before"
    NEW = "nothing that is known here was ever paid to it"
    CHANGED = "its bank details are not those that were paid last"


class _End(Enum):
    """The outcome of a payment that was confirmed here."""

    STAYED = "it is under way, or its money has arrived"
    NOTHING = "its money has come back, or has never left"
    UNSEEN = "nothing tells"


class PayeeHistory:
    """An index of the accounts that were paid; reads the store only when queried."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._noted: dict[models.PaymentAddressId, list[IntentRow]] = {}
        self._noted_at: int | None = None
        self._arrived = Derived(store.payments, _arrived_at)
        self._reached: Counter[models.PaymentAddressId] = Counter()

    def of(self, address: models.PaymentAddress) -> PayeeStatus:
        """Return the status of an account: by payments from here, else by released ones.

        A payout whose outcome is unknown does not make an account known. That it went to other
        bank details counts.
        """
        ours = self._noted_of(address)
        ends = [self._end(row) for row in ours]
        stayed = [row for row, end in zip(ours, ends, strict=True) if end is _End.STAYED]
        hoped = [row for row, end in zip(ours, ends, strict=True) if end is not _End.NOTHING]
        newest = [rows[-1].terms.paid_at for rows in (stayed, hoped or ours) if rows]
        if any(paid_at != models.bank_fingerprint(address) for paid_at in newest):
            paid = bool(hoped) or self._is_reached(address)
            return PayeeStatus.CHANGED if paid else PayeeStatus.NEW
        proven = bool(stayed) or self._is_reached(address)
        return PayeeStatus.KNOWN if proven else PayeeStatus.NEW

    def _noted_of(self, address: models.PaymentAddress) -> list[IntentRow]:
        """Return the intents sent to an account with recorded details, oldest first."""
        table = self._store.intents
        if self._noted_at != table.version:
            # Cached: a list of payees queries each of its accounts.
            self._noted, self._noted_at = {}, table.version
            for row in sorted(table.rows(), key=lambda row: row.confirmed_at):
                address_id = row.terms.payment_address_id
                is_noted = row.terms.paid_at is not None and row.standing in _WENT_OUT
                if row.is_colleagues:
                    continue  # their record does not vouch for an account
                if address_id is not None and is_noted:
                    self._noted.setdefault(address_id, []).append(row)
        return self._noted.get(address.payment_address_id, [])

    def _end(self, row: IntentRow) -> _End:
        became = self._store.table(row.action.becomes).get(row.object_id or "")
        if not isinstance(became, models.Payment | models.Trade):
            return _End.UNSEEN
        if became.status is None or not became.status.known:  # it may say that it came back
            return _End.UNSEEN
        return _End.NOTHING if became.status.name in _CAME_TO_NOTHING else _End.STAYED

    def _is_reached(self, address: models.PaymentAddress) -> bool:
        """Return True if a payment was sent to it and not returned, in memory or in the cache."""
        for _, before, after in self._arrived.changes():
            if before is not None:
                self._reached[before] -= 1
            if after is not None:
                self._reached[after] += 1
        key = address.payment_address_id
        return self._reached[key] > 0 or key in self._store.paid


def _arrived_at(row: models.Payment) -> models.PaymentAddressId | None:
    arrived = row.status is not None and row.status.name in ARRIVED
    return row.payment_address_id if arrived else None


BY_OUR_RECORD = "by our record"
"""The note on values that were confirmed here and that the service does not send."""


class IntentIndex:
    """An index of a store's intents by the object that they created; for one thread."""

    def __init__(self, store: Store) -> None:
        self._intents = store.intents
        self._objects = Derived(store.intents, _object_of)
        self._became: dict[tuple[models.Kind, str], IntentId] = {}

    def of(self, kind: models.Kind, identifier: str) -> IntentTerms | None:
        """Return the terms of the intent that created an object; None without one."""
        for created_by, _, became in self._objects.changes():
            if became is not None:
                self._became[became] = created_by
        intent_id = self._became.get((kind, identifier))
        intent = None if intent_id is None else self._intents.get(intent_id)
        return None if intent is None else intent.terms


def _object_of(row: IntentRow) -> tuple[models.Kind, str] | None:
    if row.object_id is None or row.is_colleagues:
        return None
    return (row.action.becomes, row.object_id)


Addresses = dict[models.RecipientId, tuple[models.PaymentAddress, ...]]


def addresses_of(store: Store, recipient: models.Recipient) -> tuple[models.PaymentAddress, ...]:
    """Return a recipient's accounts; those read on their own replace nested ones."""
    return addresses_by_recipient(store, [recipient])[recipient.recipient_id]


def addresses_by_recipient(store: Store, recipients: Iterable[models.Recipient]) -> Addresses:
    """Return the accounts of many recipients, with one scan of the table."""
    known: dict[models.RecipientId, dict[models.PaymentAddressId, models.PaymentAddress]] = {
        recipient.recipient_id: {
            address.payment_address_id: address for address in recipient.payment_addresses
        }
        for recipient in recipients
    }
    for address in store.payment_addresses.rows():
        if address.recipient_id in known:
            known[address.recipient_id][address.payment_address_id] = address
    return {recipient_id: tuple(found.values()) for recipient_id, found in known.items()}
