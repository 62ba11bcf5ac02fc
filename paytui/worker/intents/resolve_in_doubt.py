"""Resolution of intents in doubt: look first, repeat where that is safe, else ask the trader.

A look-up settles a money intent if exactly one object carries the intent's identifier, was created
while the intent was sent, and is not claimed by another intent. For intents that move no money see
`CreationMatcher`. Finding nothing proves nothing.

A repeat is automatic only under these conditions: the dialect says that the service recognises a
key it has seen; a look-up found nothing; this process confirmed the intent; and the intent is
recent by the service's clock (`Entry.resend_until`) and by the host's. The trader decides
everything else.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING

from paytui.api.resources import KIND_OF, identifier_of
from paytui.domain.intent import Action, FruitlessReads, IntentId, IntentRow, Standing, tags_of
from paytui.domain.models import Kind, Payment, Problem, Record, Trade
from paytui.outbox.entry import Event, EventKind, RecordedIntent
from paytui.store.store import Store
from paytui.worker.intents.journal import (
    IN_DOUBT_NEXT,
    Doubt,
    Journal,
    doubt_of,
    note_booked_otherwise,
    row_of,
)
from paytui.worker.intents.matching import (
    CreationMatcher,
    TaggedObjects,
    differences,
    is_in_time_window,
    may_match,
    why_another,
)
from paytui.worker.intents.retry_rules import RetryRules
from paytui.worker.sync.shared import unexpected

if TYPE_CHECKING:
    from paytui.worker.intents.submit import Submitter

_UNSENT = (Standing.PROPOSED, Standing.RECORDED)
_NOT_THERE = (Standing.NOT_DONE, Standing.REFUSED, Standing.NOT_EXECUTED)
_UNEXECUTED = (*_NOT_THERE, Standing.IN_DOUBT)
_UNDECIDED = (Standing.ACCEPTED, Standing.IN_DOUBT)
"""The states in which no trader has accepted an object yet."""

UNREAD = timedelta(minutes=10)
"""Maximum time until an object that a response named appears in its list."""

LATELY = timedelta(days=1)
"""Maximum age of responses whose objects are still awaited after a restart."""


@dataclass(slots=True)
class _Awaited:
    """An object that a response named and no read has confirmed; `asked` is a read of its list."""

    identifier: str
    since: float
    asked: float | None = None


class Alarms:
    """A watch over all intents that move money, even ended ones. It raises each alarm once.

    An alarm tells of a contradiction between the service's lists and the outbox, and stays. One
    against an ended intent reopens it: it is in doubt again, and is looked for.
    """

    def __init__(
        self,
        journal: Journal,
        tagged_objects: TaggedObjects,
        store: Store,
        retry_rules: RetryRules,
        *,
        read_now: Callable[[Kind], None],
        has_looked: Callable[[RecordedIntent, float], bool],
    ) -> None:
        self._journal = journal
        self._tagged_objects = tagged_objects
        self._store = store
        self._rules = retry_rules
        self._time = retry_rules.time
        self._compared = {Kind.PAYMENTS: 0, Kind.TRADES: 0}
        self._rows_version = 0
        self._claimants: defaultdict[str, list[IntentId]] = defaultdict(list)
        self._awaited: dict[IntentId, _Awaited] = {}
        self._read_now = read_now
        self._has_looked = has_looked

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
        for intent_id in self._newly_unexecuted():
            self._check(intent_id)  # a contradicting object may have been seen before
        for intent_id, awaited in [*self._awaited.items()]:
            self._ask_for(intent_id, awaited)

    def _newly_unexecuted(self) -> Iterator[IntentId]:
        """Yield the intents that ended without an object, or are in doubt, since the last call."""
        more = True
        while more:
            changes = self._store.intents.changes(self._rows_version)
            self._rows_version, more = changes.version, changes.more
            yield from (row.intent_id for row in changes.rows if row.standing in _UNEXECUTED)

    def _claim(self, identifier: str, intent_id: IntentId) -> None:
        """Raise an alarm for both if two intents claim one object."""
        claimants = self._claimants[identifier]
        for other in claimants:
            for one, another in ((intent_id, other), (other, intent_id)):
                if (recorded := self._journal.get(one)) is not None:
                    self._alarm(recorded, f"{another} has the result {identifier} too.")
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
            self._reopen(recorded, f"Its result {awaited.identifier} is in no list.")

    def _compare(self, record: Record, intent_id: IntentId) -> None:
        """Compare an object with its intent: the response may have held only its identifier."""
        recorded = self._journal.get(intent_id)
        if recorded is None or recorded.entry.action.becomes is not KIND_OF[type(record)]:
            return
        row, identifier = row_of(recorded), identifier_of(record)
        another = why_another(recorded, record)
        if row.standing is Standing.ACCEPTED and row.object_id == identifier and another:
            self._reopen(recorded, f"Its result {identifier} {another.rstrip('.')}.")
            return
        found = differences(recorded.entry.terms, record)
        is_its_own = row.object_id in (None, identifier) and identifier in _named(recorded)
        is_undecided = row.standing in _UNDECIDED and not row.booked_otherwise
        if found and another is None and is_its_own and is_undecided:
            at = self._time.latest()
            note_booked_otherwise(self._journal, recorded.entry, identifier, found, at=at)
        else:
            for words in found:
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
            self._reopen(recorded, f"Its status is {row.standing}, {contradiction}")
        if len(seen) > 1:
            self._alarm(recorded, f"More than one object carries its reference: {listed}.")
        elif row.object_id is not None and row.object_id not in seen:
            words = f"Its result is {row.object_id}, but {listed} carries its reference too."
            self._alarm(recorded, words)
        for identifier in sorted(seen.keys() & _named(recorded)):
            self._compare(seen[identifier], intent_id)

    def _reopen(self, recorded: RecordedIntent, words: str) -> None:
        """Raise an alarm against an ended intent, once for each reason, and set it in doubt."""
        row = row_of(recorded)
        if words in row.alerts or row.booked_otherwise:
            return
        entry = recorded.entry
        problem = Problem(f"send {entry.title}", words.rstrip("."), remedy=IN_DOUBT_NEXT)
        doubt = Event(
            kind=EventKind.IN_DOUBT,
            at=self._time.latest(),
            problem=problem,
            words=words,  # in one event: a recorded alarm without its doubt would never raise it
            may_arrive_until=self._rules.may_arrive_until(),
        )
        self._journal.note(entry.intent_id, doubt)

    def _alarm(self, recorded: RecordedIntent, words: str) -> None:
        if words not in row_of(recorded).alerts:
            alert = Event(kind=EventKind.ALERT, at=self._time.latest(), words=words)
            self._journal.note(recorded.entry.intent_id, alert)


def _named(recorded: RecordedIntent) -> set[str]:
    """Return the objects that responses named, and those that it was settled as."""
    named = {event.object_id for event in recorded.events if event.object_id is not None}
    doubts = (event for event in recorded.events if event.kind is EventKind.IN_DOUBT)
    return named.union(*(event.candidates for event in doubts))


EVERY = 2.0
"""Seconds between two rounds. A round uses polled data and sends no requests."""

LOOKING = 60.0  # Seconds to wait for the last look-up if no list can be read
NEWEST = 10  # Number of objects that show by which clock the service dates objects

_ON_THEIR_WAY = (Standing.IN_DOUBT, Standing.SENDING)


class Resolver:
    """A loop that follows open intents to their end.

    `in_doubt` receives the kinds in which an intent in doubt is looked for. `has_heard` returns
    True once colleagues' decisions are known as far as they can be.
    """

    def __init__(
        self,
        *,
        journal: Journal,
        submitter: Submitter,
        retry_rules: RetryRules,
        store: Store,
        creation_matcher: CreationMatcher,
        read_now: Callable[[Kind], None],
        in_doubt: Callable[[Collection[Kind]], None],
        has_heard: Callable[[], bool],
    ) -> None:
        self._has_heard = has_heard
        self._left_sending: set[IntentId] = set()
        self._journal = journal
        self._submitter = submitter
        self._rules = retry_rules
        self._store = store
        self._time = retry_rules.time
        self._creation_matcher = creation_matcher
        self._read_now = read_now
        self._in_doubt = in_doubt
        self._tagged_objects = TaggedObjects(store)
        self._alarms = Alarms(
            journal,
            self._tagged_objects,
            store,
            retry_rules,
            read_now=read_now,
            has_looked=self._has_looked,
        )
        self._doubted: dict[IntentId, tuple[int, float]] = {}
        self._matched: dict[IntentId, float] = {}
        self._read_last: dict[IntentId, float] = {}
        self._looked_at: dict[IntentId, tuple[int, int, int]] = {}
        self._on_their_way: list[RecordedIntent] = []
        self._inherited: set[Doubt] = set()
        self._arriving: dict[Doubt, float] = {}
        self._ended: dict[Doubt, float] = {}
        for kind in (Kind.PAYMENTS, Kind.TRADES):
            if (retention := store.retention(kind)) is not None:
                retention.hold(self._may_have_become)

    def take_over(self) -> None:
        """Load the outbox. Intents that an earlier process was sending are in doubt.

        A mandate that was not proposed is not proposed later: the trader was not told of it.
        """
        self._journal.load()
        for recorded in self._journal.standing(Standing.RECORDED):
            is_proposed = any(each.kind is EventKind.PROPOSED for each in recorded.events)
            if recorded.entry.action is Action.MANDATE and not is_proposed:
                what = "paytui ended before it was proposed"
                problem = Problem(f"propose {recorded.entry.title}", what)
                ended = Event(kind=EventKind.NOT_EXECUTED, at=self._time.latest(), problem=problem)
                self._journal.note(recorded.entry.intent_id, ended)
        for recorded in self._journal.standing(Standing.IN_DOUBT):
            self._inherited.add(doubt_of(recorded))
        sending = self._journal.standing(Standing.SENDING)
        self._left_sending = {recorded.entry.intent_id for recorded in sending}
        self._doubt_left()

    def _doubt_left(self) -> None:
        """Doubt what an earlier process was sending, unless a colleague has settled it."""
        if not self._left_sending or not self._has_heard():
            return
        left, self._left_sending = self._left_sending, set()
        sending = self._journal.standing(Standing.SENDING)
        for recorded in (each for each in sending if each.entry.intent_id in left):
            what = "paytui ended while it was being sent"
            problem = Problem(f"send {recorded.entry.title}", what)
            # After a crash the kernel may still be sending, so the time counts from now.
            until = self._rules.may_arrive_until()
            self._journal.note(
                recorded.entry.intent_id,
                Event(
                    kind=EventKind.IN_DOUBT,
                    at=self._time.latest(),
                    problem=problem,
                    may_arrive_until=until,
                ),
            )

    async def run(self) -> None:
        while True:
            try:
                self.resolve_open()
            except Exception as error:  # noqa: BLE001 - a bug must not stop the feeds
                self._journal.stop(unexpected("track sent intents", error).problem)
            await asyncio.sleep(EVERY)

    def resolve_open(self) -> None:
        """Settle and repeat intents as far as current data allows."""
        if not self._journal.is_loaded:
            self.take_over()
            return
        self._journal.catch_up()
        self._doubt_left()
        self._on_their_way = self._journal.standing(*_ON_THEIR_WAY)
        self._alarms.look_at(self._tagged_objects.scan())
        self._end_mandates()
        for recorded in self._journal.standing(Standing.RECORDED):
            # The object exists, but the outbox does not record a request: an old copy was restored.
            if (found := self._its_own(recorded)) is not None:
                self._settle(recorded, found)
        in_doubt = [
            recorded
            for recorded in self._journal.standing(Standing.IN_DOUBT)
            if not row_of(recorded).booked_otherwise  # nothing is left to look for
        ]
        self._in_doubt({recorded.entry.action.becomes for recorded in in_doubt})
        for recorded in in_doubt:
            self._follow_arrival(recorded)
            self._count_look(recorded)
            if not self._submitter.is_under_way(recorded.entry.intent_id):
                self._resolve(recorded)

    def _end_mandates(self) -> None:
        """End mandates whose time is over, also while no desk tells it."""
        if not self._time.known or self._journal.has_unwritten:
            return
        now = self._time.earliest()
        for recorded in self._journal.standing(*_UNSENT):
            entry = recorded.entry
            ends = entry.terms.expires_at if entry.action is Action.MANDATE else None
            if ends is not None and now >= ends:
                problem = Problem(f"use {entry.title}", "its time is over")
                ended = Event(kind=EventKind.NOT_EXECUTED, at=now, problem=problem)
                self._journal.note(entry.intent_id, ended)

    def _resolve(self, recorded: RecordedIntent) -> None:
        since = self._in_doubt_since(recorded)
        if (found := self._its_own(recorded)) is not None and self._is_alone(recorded):
            self._settle(recorded, found)
            return
        found_alike = self._show_candidates(recorded)
        if not self._has_looked(recorded, since):
            return
        if (created := self._created(recorded)) is not None:
            self._settle(recorded, created)
        elif not found_alike:
            waited = self._time.clock.boot() - since
            age = self._submitter.age(recorded.entry.intent_id)
            if self._rules.may_repeat(recorded, waited=waited, age=age):
                self._submitter.repeat(recorded)

    # Look-ups

    def _its_own(self, recorded: RecordedIntent) -> str | None:
        """Return the only object that carries the intent's identifier, if it matches."""
        entry = recorded.entry
        tagged = self._tagged_objects.of(entry)
        if len(tagged) != 1:
            return None
        [(identifier, record)] = tagged.items()
        claims = self._journal.claims(entry.action.becomes)
        claimed_by = claims.get(identifier, entry.intent_id)
        is_it = claimed_by == entry.intent_id and may_match(recorded, record, tagged=True)
        return identifier if is_it else None

    def _is_alone(self, recorded: RecordedIntent) -> bool:
        """Return True if the whole list was read since the match was first seen.

        A part of the list that was not read yet may hold a second match.
        """
        kind, intent_id = recorded.entry.action.becomes, recorded.entry.intent_id
        if intent_id not in self._matched:
            self._matched[intent_id] = self._time.clock.boot()
            self._read_now(kind)
        return self._was_read(kind, self._matched[intent_id])

    def _may_have_become(self, row: Record) -> bool:
        """Return True if an open intent may have become this row, which then stays in memory."""
        return any(
            may_match(recorded, row, tagged=False, loosely=True) for recorded in self._on_their_way
        )

    def _show_candidates(self, recorded: RecordedIntent) -> bool:
        """Record candidates for what the intent became; return True if there are any."""
        entry = recorded.entry
        kind = entry.action.becomes
        claims = self._journal.claims(kind)
        looked_at = (self._store.table(kind).version, row_of(recorded).attempts, len(claims))
        if self._looked_at.get(entry.intent_id) == looked_at:
            return bool(row_of(recorded).candidates)  # nothing changed since the last search
        self._looked_at[entry.intent_id] = looked_at
        rows = self._store.table(kind).rows()
        tagged, loosely = self._tagged_objects.of(entry), self._is_dated_otherwise(kind)
        others = (
            {
                identifier_of(row)
                for row in rows
                if may_match(recorded, row, tagged=False, loosely=loosely)
            }
            if entry.action.moves_money
            else self._creation_matcher.candidates(recorded)
        )
        candidates = tuple(sorted((tagged.keys() | others) - claims.keys()))
        if candidates != row_of(recorded).candidates:
            at = self._time.latest()
            sighted = Event(kind=EventKind.SIGHTED, at=at, candidates=candidates)
            self._journal.note(entry.intent_id, sighted)
        return bool(candidates)

    def _is_dated_otherwise(self, kind: Kind) -> bool:
        """Return True if most recent objects are dated outside the time of their sending.

        Then the service dates objects by another clock than its `Date` header, or by local time. A
        single object may be an older one that a response named by mistake.
        """
        table, claims = self._store.table(kind), self._journal.claims(kind)
        in_time = [
            is_in_time_window(recorded, row.created_at, tagged=False)
            for identifier, intent_id in [*claims.items()][-NEWEST:]
            if (recorded := self._journal.get(intent_id)) is not None
            if isinstance(row := table.get(identifier), Trade | Payment)
        ]
        return in_time.count(False) > in_time.count(True)

    def _created(self, recorded: RecordedIntent) -> str | None:
        """Return the object that a creation became, if it is certain."""
        if recorded.entry.action.moves_money:
            return None
        candidates, rivals = row_of(recorded).candidates, self._on_their_way
        return self._creation_matcher.unique_match(recorded, candidates, rivals)

    def _has_looked(self, recorded: RecordedIntent, since: float) -> bool:
        """Return True if the whole list was read since then, or the service has no list."""
        kind = recorded.entry.action.becomes
        feed = self._store.feed(kind)
        if not feed.offered:
            return True
        # A truncated or failing list may hold it all the same.
        readable = feed.ok and not feed.skipped and not (feed.cut or feed.unsure)
        seen = len(self._store.table(kind)) + self._store.left_out(kind)
        return readable and seen >= (feed.total or 0) and self._was_read(kind, since)

    def _count_look(self, recorded: RecordedIntent) -> None:
        """Count the full reads of the list since the intent is in doubt, for the trader."""
        intent_id, feed = recorded.entry.intent_id, self._store.feed(recorded.entry.action.becomes)
        since = max(self._in_doubt_since(recorded), self._read_last.get(intent_id, 0.0))
        read_at = feed.read_at if feed.whole_at is None else feed.whole_at
        if not feed.offered or read_at is None or read_at <= since:
            return
        if feed.as_of is not None and self._has_looked(recorded, since):
            before = self._store.looked.get(intent_id)
            times = 1 if before is None else before.times + 1
            self._read_last[intent_id] = read_at
            self._store.looked[intent_id] = FruitlessReads(times, feed.as_of)

    def _was_read(self, kind: Kind, since: float) -> bool:
        """Return True if a full read of the list began and ended since then."""
        feed = self._store.feed(kind)
        read_at = feed.read_at if feed.whole_at is None else feed.whole_at
        return not feed.offered or (read_at is not None and read_at >= since)

    def _in_doubt_since(self, recorded: RecordedIntent) -> float:
        """Return the boot time at which doubt about the newest attempt was first seen here."""
        intent_id, attempts = recorded.entry.intent_id, row_of(recorded).attempts
        if self._doubted.get(intent_id, (-1, 0.0))[0] != attempts:
            self._doubted[intent_id] = (attempts, self._time.clock.boot())
            self._read_now(recorded.entry.action.becomes)
        return self._doubted[intent_id][1]

    # Requests that may still arrive

    def _follow_arrival(self, recorded: RecordedIntent) -> None:
        """Allow "not done" after the request can no longer arrive and a look-up has followed."""
        row = self._store.intents.get(recorded.entry.intent_id)
        if row is None or row.may_arrive_until is None:
            return
        now, kind, doubt = self._time.clock.boot(), row.action.becomes, doubt_of(recorded)
        if doubt not in self._ended:
            waited = now - self._arriving.setdefault(doubt, now)
            has_waited = waited >= self._rules.in_transit.total_seconds()
            if not (has_waited or self._has_ended_before(row, doubt)):
                return
            self._ended[doubt] = now
            self._read_now(kind)
        ended = self._ended[doubt]
        if self._was_read(kind, ended) or now - ended >= LOOKING:
            self._journal.cannot_arrive(recorded)

    def _has_ended_before(self, row: IntentRow, doubt: Doubt) -> bool:
        """Return True if the time passed before this process began, or during a suspend.

        Both the host's clock and the service's must say so: either may have been set since.
        """
        if doubt not in self._inherited or row.may_arrive_until is None or not self._time.known:
            return False
        by_service = row.since + self._rules.in_transit
        is_past = self._time.clock.now() >= row.may_arrive_until
        return is_past and self._time.earliest() >= by_service

    def _settle(self, recorded: RecordedIntent, object_id: str) -> None:
        found = Event(kind=EventKind.FOUND, at=self._time.latest(), object_id=object_id)
        self._journal.note(recorded.entry.intent_id, found)
