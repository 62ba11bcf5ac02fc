"""What the service's lists tell against what stands written: an alarm, which stays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice

from paytui.api.kinds import KIND_OF
from paytui.api.models import Kind, Payment, Record, Trade
from paytui.clock import ServiceTime
from paytui.intent import IntentId, Standing, tags_of
from paytui.outbox.entry import Event, EventKind, Recorded
from paytui.store.store import Store
from paytui.worker.booked import differences, identifier_of
from paytui.worker.intent_rows import row_of
from paytui.worker.journal import Journal
from paytui.worker.sightings import Sightings

_NOT_THERE = (Standing.NOT_DONE, Standing.REFUSED, Standing.NOT_EXECUTED)


class Alarms:
    """Watches every intent that moves money, also those that have ended; says each thing once."""

    def __init__(
        self, journal: Journal, sightings: Sightings, store: Store, service_time: ServiceTime
    ) -> None:
        self._journal = journal
        self._sightings = sightings
        self._store = store
        self._time = service_time
        self._compared = {Kind.PAYMENTS: 0, Kind.TRADES: 0}
        self._claimants: defaultdict[str, list[IntentId]] = defaultdict(list)

    def look_at(self, changed: Iterable[Trade | Payment]) -> None:
        """Look at objects of which something is new, and at what intents newly became."""
        for kind, compared in self._compared.items():
            claimed = self._journal.claimed(kind)
            self._compared[kind] = len(claimed)
            for identifier, intent_id in islice(claimed, compared, None):
                self._claim(identifier, intent_id)
                if (row := self._store.table(kind).get(identifier)) is not None:
                    self._compare(row, intent_id)
        for record in changed:
            for intent_id in self._claimants.get(identifier_of(record), ()):
                self._compare(record, intent_id)
            for intent_id in tags_of(record.reference):
                self._check(intent_id)

    def _claim(self, identifier: str, intent_id: IntentId) -> None:
        """Of two intents that became one object, one did not: an answer named another's."""
        claimants = self._claimants[identifier]
        for other in claimants:
            for one, another in ((intent_id, other), (other, intent_id)):
                if (recorded := self._journal.get(one)) is not None:
                    self._alarm(recorded, f"{another} is said to have become {identifier} too.")
        claimants.append(intent_id)

    def _compare(self, record: Record, intent_id: IntentId) -> None:
        """Hold an object against what was confirmed: an answer may have told its name alone."""
        recorded = self._journal.get(intent_id)
        if recorded is not None and recorded.entry.action.becomes is KIND_OF[type(record)]:
            for words in differences(recorded.entry.terms, record):
                self._alarm(recorded, words)

    def _check(self, intent_id: IntentId) -> None:
        """Hold what carries an intent's identifier against how it stands."""
        recorded = self._journal.get(intent_id)
        if recorded is None:
            return  # another outbox's
        seen = self._sightings.of(recorded.entry)
        if not seen:
            return  # what only repeats the reference of another kind
        row, listed = row_of(recorded), ", ".join(sorted(seen))
        if len(seen) > 1:
            self._alarm(recorded, f"More than one object carries its reference: {listed}.")
        elif row.standing in _NOT_THERE:
            words = f"It stands as {row.standing}, but {listed} carries its reference."
            self._alarm(recorded, words)
        elif row.object_id is not None and row.object_id not in seen:
            words = f"It became {row.object_id}, but {listed} carries its reference too."
            self._alarm(recorded, words)

    def _alarm(self, recorded: Recorded, words: str) -> None:
        if words not in row_of(recorded).alerts:
            alert = Event(kind=EventKind.ALERT, at=self._time.latest(), words=words)
            self._journal.note(recorded.entry.intent_id, alert)
