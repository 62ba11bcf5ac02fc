"""Alarms about contradictions between the service's lists and the outbox. They stay.

An alarm against an ended intent reopens it: it is in doubt again, and is looked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from paytui.api.resources import KIND_OF, identifier_of
from paytui.domain.intent import IntentId, Standing, tags_of
from paytui.domain.models import Kind, Payment, Problem, Record, Trade
from paytui.outbox.entry import Event, EventKind, RecordedIntent
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.worker.intents.journal import IN_DOUBT_NEXT, Journal
from paytui.worker.intents.matching import TaggedObjects, differences, why_another
from paytui.worker.intents.rows import row_of

_NOT_THERE = (Standing.NOT_DONE, Standing.REFUSED, Standing.NOT_EXECUTED)

UNREAD = timedelta(minutes=10)
"""Maximum time until an object that a response named appears in its list."""

LATELY = timedelta(days=1)
"""Maximum age of responses whose objects are still awaited after a restart."""


@dataclass(slots=True)
class _Awaited:
    """An object that a response named and no read has confirmed.

    Attributes:
        since: boot time since which it is awaited.
        asked: boot time at which its list was requested because of it.
    """

    identifier: str
    since: float
    asked: float | None = None


class Alarms:
    """A watch over all intents that move money, even ended ones. It raises each alarm once.

    Args:
        read_now: reads the list of a kind.
        has_looked: returns True if an intent's whole list was read since a boot time.
        may_arrive_until: returns the time until which a request given up now may arrive.
    """

    def __init__(
        self,
        journal: Journal,
        tagged_objects: TaggedObjects,
        store: Store,
        service_time: ServiceTime,
        *,
        read_now: Callable[[Kind], None],
        has_looked: Callable[[RecordedIntent, float], bool],
        may_arrive_until: Callable[[], datetime],
    ) -> None:
        self._journal = journal
        self._tagged_objects = tagged_objects
        self._store = store
        self._time = service_time
        self._compared = {Kind.PAYMENTS: 0, Kind.TRADES: 0}
        self._rows_version = 0
        self._claimants: defaultdict[str, list[IntentId]] = defaultdict(list)
        self._awaited: dict[IntentId, _Awaited] = {}
        self._read_now = read_now
        self._has_looked = has_looked
        self._may_arrive_until = may_arrive_until

    def look_at(self, changed: Iterable[Trade | Payment]) -> None:
        """Check changed objects, and the objects that intents newly became."""
        for kind, compared in self._compared.items():
            claimed = self._journal.claimed(kind)
            self._compared[kind] = len(claimed)
            for identifier, intent_id in islice(claimed, compared, None):
                self._claim(identifier, intent_id)
                self._await(identifier, intent_id)
                if (row := self._store.table(kind).get(identifier)) is not None:
                    self._compare(row, intent_id)
        for record in changed:
            for intent_id in self._claimants.get(identifier_of(record), ()):
                self._compare(record, intent_id)
            for intent_id in tags_of(record.reference):
                self._check(intent_id)
        for intent_id in self._newly_ended():
            self._check(intent_id)  # a contradicting object may have been seen before
        for intent_id, awaited in [*self._awaited.items()]:
            self._ask_for(intent_id, awaited)

    def _newly_ended(self) -> Iterator[IntentId]:
        """Yield the intents that ended without an object since the last call."""
        more = True
        while more:
            changes = self._store.intents.changes(self._rows_version)
            self._rows_version, more = changes.version, changes.more
            yield from (row.intent_id for row in changes.rows if row.standing in _NOT_THERE)

    def _claim(self, identifier: str, intent_id: IntentId) -> None:
        """Raise an alarm for both if two intents claim one object."""
        claimants = self._claimants[identifier]
        for other in claimants:
            for one, another in ((intent_id, other), (other, intent_id)):
                if (recorded := self._journal.get(one)) is not None:
                    self._alarm(recorded, f"{another} is said to have become {identifier} too.")
        claimants.append(intent_id)

    def _await(self, identifier: str, intent_id: IntentId) -> None:
        """Wait for a read of an object that a recent response named."""
        recorded = self._journal.get(intent_id)
        if recorded is None or row_of(recorded).standing is not Standing.ACCEPTED:
            return
        named = [event for event in recorded.events if event.object_id is not None][-1]
        if named.kind is EventKind.ACCEPTED and self._time.latest() - named.at < LATELY:
            self._awaited[intent_id] = _Awaited(identifier, self._time.clock.boot())

    def _ask_for(self, intent_id: IntentId, awaited: _Awaited) -> None:
        """Doubt an object that its whole list lacks after some time."""
        recorded, now = self._journal.get(intent_id), self._time.clock.boot()
        assert recorded is not None
        kind = recorded.entry.action.becomes
        table = self._store.table(kind)
        is_read = awaited.identifier in table.keys() - table.unread()
        if is_read or row_of(recorded).object_id != awaited.identifier:
            del self._awaited[intent_id]
        elif now - awaited.since < UNREAD.total_seconds() or not self._store.feed(kind).offered:
            return
        elif awaited.asked is None:
            awaited.asked = now
            self._read_now(kind)
        elif self._has_looked(recorded, awaited.asked):
            self._reopen(recorded, f"It became {awaited.identifier}, which no list holds.")

    def _compare(self, record: Record, intent_id: IntentId) -> None:
        """Compare an object with its intent: the response may have held only its identifier."""
        recorded = self._journal.get(intent_id)
        if recorded is None or recorded.entry.action.becomes is not KIND_OF[type(record)]:
            return
        row, identifier = row_of(recorded), identifier_of(record)
        another = why_another(recorded, record)
        if row.standing is Standing.ACCEPTED and row.object_id == identifier and another:
            self._reopen(recorded, f"It became {identifier}, which {another.rstrip('.')}.")
            return
        for words in differences(recorded.entry.terms, record):
            self._alarm(recorded, words)

    def _check(self, intent_id: IntentId) -> None:
        """Compare the objects that carry an intent's identifier with its status."""
        recorded = self._journal.get(intent_id)
        if recorded is None:
            return  # an intent of another outbox
        seen = self._tagged_objects.of(recorded.entry)
        if not seen:
            return  # an object of another kind that copies the reference
        row, listed = row_of(recorded), ", ".join(sorted(seen))
        contradiction = f"but {listed} carries its reference."
        if row.standing in _NOT_THERE and not any(
            alert.endswith(contradiction)
            for alert in row.alerts  # known to the trader who settled it again
        ):
            self._reopen(recorded, f"It stands as {row.standing}, {contradiction}")
        if len(seen) > 1:
            self._alarm(recorded, f"More than one object carries its reference: {listed}.")
        elif row.object_id is not None and row.object_id not in seen:
            words = f"It became {row.object_id}, but {listed} carries its reference too."
            self._alarm(recorded, words)

    def _reopen(self, recorded: RecordedIntent, words: str) -> None:
        """Raise an alarm against an ended intent, once for each reason, and set it in doubt."""
        if words in row_of(recorded).alerts:
            return
        entry = recorded.entry
        self._alarm(recorded, words)
        problem = Problem(f"send {entry.title}", words, remedy=IN_DOUBT_NEXT)
        doubt = Event(
            kind=EventKind.IN_DOUBT,
            at=self._time.latest(),
            problem=problem,
            may_arrive_until=self._may_arrive_until(),
        )
        self._journal.note(entry.intent_id, doubt)

    def _alarm(self, recorded: RecordedIntent, words: str) -> None:
        if words not in row_of(recorded).alerts:
            alert = Event(kind=EventKind.ALERT, at=self._time.latest(), words=words)
            self._journal.note(recorded.entry.intent_id, alert)
