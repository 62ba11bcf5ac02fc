"""Which accounts of others were paid before, as far as is known here, and whether they still are
what they were then.
"""

from __future__ import annotations

from enum import Enum

from paytui.api.models import PaymentAddress, PaymentAddressId, PaymentId, TradeId
from paytui.bank_hash import bank_hash
from paytui.intent import IntentRow, Standing
from paytui.store.store import Store

_ARRIVED = frozenset({"released", "completed"})
"""States of a payment that has left for its account and has not come back (api.md §3)."""

_CAME_TO_NOTHING = frozenset({"rejected", "cancelled", "failed", "returned"})
"""States of a payment or a trade whose money has not stayed there (api.md §3)."""

_WENT_OUT = (Standing.ACCEPTED, Standing.DONE)


class Acquaintance(Enum):
    """How an account is known."""

    KNOWN = "it was paid before"
    NEW = "nothing that is known here was ever paid to it"
    CHANGED = "its bank details are not those that were paid last"


class Acquaintances:
    """Keeps up with the payments of a store; what is not asked for costs nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._since = 0
        self._paid: set[PaymentAddressId] = set()

    def of(self, address: PaymentAddress) -> Acquaintance:
        """How this account is known by what was confirmed here, or else by what was released."""
        ours = [row for row in self._store.intents.rows() if _noted(row, address)]
        ours.sort(key=lambda row: row.confirmed_at)
        stayed = [row for row in ours if not self._came_to_nothing(row)]
        if not stayed and address.payment_address_id not in self._released():
            return Acquaintance.NEW
        hashes = [row.terms.paid_at for row in stayed or ours]
        if hashes:
            same = hashes[-1] == bank_hash(address)
            return Acquaintance.KNOWN if same else Acquaintance.CHANGED
        return Acquaintance.KNOWN

    def _came_to_nothing(self, row: IntentRow) -> bool:
        if row.object_id is None:
            return False
        payment = self._store.payments.get(PaymentId(row.object_id))
        became = payment or self._store.trades.get(TradeId(row.object_id))
        status = became.status if became is not None else None
        return status is not None and status.name in _CAME_TO_NOTHING

    def _released(self) -> set[PaymentAddressId]:
        table = self._store.payments
        more = table.version != self._since
        while more:
            changes = table.changes(self._since)
            for row in changes.rows:
                arrived = row.status is not None and row.status.name in _ARRIVED
                if arrived and row.payment_address_id is not None:
                    self._paid.add(row.payment_address_id)
            self._since, more = changes.version, changes.more
        return self._paid


def _noted(row: IntentRow, address: PaymentAddress) -> bool:
    """Whether it went out to an account whose details were noted."""
    is_it = row.terms.payment_address_id == address.payment_address_id
    return is_it and row.terms.paid_at is not None and row.standing in _WENT_OUT
