"""The objects that creations became. They carry no tag: their fields identify them.

An object settles one that is in doubt if it is the only one that is such as was asked for, is not
another intent's, no other open intent asks for the same, and it came to be while this one was sent:
by the time that the service tells; where it tells none, because it was not in the list before.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace
from datetime import datetime

from paytui.api.resources import identifier_of
from paytui.api.sending import Sender
from paytui.domain.intent import Action, Intent
from paytui.domain.models import Kind, PayInAddress, PaymentAddress, Recipient, Record
from paytui.domain.requests import CreationRequest, PaymentAddressRequest
from paytui.outbox.entry import Entry, Purged, Recorded
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.worker.alike import is_alike
from paytui.worker.lookalikes import is_in_its_time


class Creations:
    """Finds what creations became in the store's lists.

    Args:
        sender: reads what was asked out of what was sent.
        store: what is known.
        service_time: the service's clock.
    """

    def __init__(self, sender: Sender, store: Store, service_time: ServiceTime) -> None:
        self._sender = sender
        self._store = store
        self._time = service_time

    def noting_what_is_there(self, intent: Intent) -> Intent:
        """An intent that knows what is such as it asks for already, before it is sent."""
        is_read = self._store.feed(intent.action.becomes).ok
        if not isinstance(intent.request, CreationRequest) or not is_read:
            return intent
        there = self._alike(intent.request, intent.action.becomes)
        before = tuple(identifier_of(row) for row in there)
        return replace(intent, terms=replace(intent.terms, before=before))

    def known(self, action: Action) -> Set[str]:
        """Return the objects that are there before money moves: it becomes none of them.

        What a service makes otherwise it may have made before: it is held against `Terms.before`.
        """
        return self._store.table(action.becomes).keys() if action.moves_money else frozenset()

    def candidates(self, recorded: Recorded) -> set[str]:
        """Return the objects that it may have become."""
        asked = self._asked(recorded.entry)
        if asked is None:
            return set()
        alike = self._alike(asked, recorded.entry.action.becomes)
        return {identifier_of(row) for row in alike if _may_be_new(recorded, row)}

    def the_one(
        self, recorded: Recorded, candidates: Iterable[str], others: Iterable[Recorded]
    ) -> str | None:
        """The one object that it became, beyond doubt.

        Args:
            recorded: a creation.
            candidates: what it may have become, by what was read since it came to be in doubt.
            others: that are open too.
        """
        found = [*candidates]
        if len(found) != 1 or not self._is_surely_new(recorded, found[0]):
            return None
        asked = self._asked(recorded.entry)
        rivals = (each for each in others if each.entry.intent_id != recorded.entry.intent_id)
        is_contested = any(self._asked(rival.entry) == asked for rival in rivals)
        return None if is_contested else found[0]

    def _is_surely_new(self, recorded: Recorded, identifier: str) -> bool:
        row = self._store.table(recorded.entry.action.becomes).get(identifier)
        if row is None:
            return False
        if (created_at := _created_at(row)) is not None:
            return is_in_its_time(recorded, created_at, tagged=False)
        was_looked_for = recorded.entry.terms.before is not None
        return was_looked_for and is_in_its_time(recorded, self._time.latest(), tagged=False)

    def _alike(self, asked: CreationRequest, kind: Kind) -> list[Record]:
        return [row for row in self._store.table(kind).rows() if is_alike(asked, row)]

    def _asked(self, entry: Entry) -> CreationRequest | None:
        """Return its request; None if it was purged, or this dialect cannot read it."""
        if isinstance(entry.body, Purged):
            return None
        asked = self._sender.asked(entry.action.value, entry.body)
        if isinstance(asked, PaymentAddressRequest):
            return replace(asked, recipient_id=entry.terms.recipient_id)
        return asked if isinstance(asked, CreationRequest) else None


def _created_at(row: Record) -> datetime | None:
    return None if isinstance(row, _UNDATED) else row.created_at


_UNDATED = (PayInAddress, Recipient, PaymentAddress)
"""Of these no service is known to tell when they were created."""


def _may_be_new(recorded: Recorded, row: Record) -> bool:
    created_at = _created_at(row)
    if created_at is not None:
        return is_in_its_time(recorded, created_at, tagged=False)
    return identifier_of(row) not in (recorded.entry.terms.before or ())
