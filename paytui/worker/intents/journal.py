"""The journal of intents: each event is written to the outbox, then shown."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from paytui.api.resources import TRACKED, identifier_of
from paytui.api.sending import SendResult
from paytui.domain.intent import Decision, Intent, IntentId, SendPermission, Standing
from paytui.domain.models import Kind, Problem, Record
from paytui.outbox.entry import (
    Entry,
    Event,
    EventKind,
    RecordedIntent,
    with_event,
    without_personal_data,
)
from paytui.outbox.errors import OutboxDamaged, OutboxError
from paytui.outbox.outbox import Outbox
from paytui.outbox.syslog import Syslog
from paytui.platform.clock import Clock, ServiceTime
from paytui.store.store import Store
from paytui.worker.intents.entry_builder import EntryBuilder
from paytui.worker.intents.matching import differences, why_another, with_parents
from paytui.worker.intents.rows import Doubt, doubt_of, row_of, row_turned_away, stands

FOLLOWED = 50
"""Maximum number of created objects of a kind that are read one by one, the newest first."""

Claim: TypeAlias = tuple[str, IntentId]
"""An object, and the intent that became it."""

_INVITES_ANOTHER = (EventKind.NOT_EXECUTED, EventKind.REFUSED)
_NOT_YET = (
    "It could not be settled yet: a request that was given up may still reach the service. "
    "Decide again a little later."
)
_UNREAD = Problem("read the outbox", "it was not read yet")


class Journal:
    """All intents with their events, in the outbox, in memory and in the store.

    Args:
        log: receives a copy of each line, if set; a failure raises an alert.
        clock: the host's; each event has its time beside the service's.
    """

    def __init__(self, outbox: Outbox, store: Store, log: Syslog | None, clock: Clock) -> None:
        self._outbox = outbox
        self._log = log
        self._clock = clock
        self._store = store
        self._recorded: dict[IntentId, RecordedIntent] = {}
        self._earlier: set[IntentId] = set()
        self._claims: defaultdict[Kind, dict[str, IntentId]] = defaultdict(dict)
        self._claimed: defaultdict[Kind, dict[Claim, None]] = defaultdict(dict)
        self._arrived: set[Doubt] = set()
        self._perhaps_there: list[Entry] = []
        self._unwritten: deque[tuple[IntentId, Event]] = deque()
        self._unread: Problem | None = _UNREAD
        self._fails = False
        self._told_of_log = False

    @property
    def is_loaded(self) -> bool:
        """Return True if the outbox was read; nothing can be recorded before."""
        return self._unread is None

    def load(self) -> None:
        """Show the outbox, or why nothing is sent if it cannot be read."""
        try:
            found = self._outbox.read()
        except OutboxError as error:
            self._unread = error.problem
            self.stop(error.problem, damaged=isinstance(error, OutboxDamaged))
            return
        self._unread = None
        for recorded in found:
            self._earlier.add(recorded.entry.intent_id)
            self._keep(recorded)
        self._store.set_sending(SendPermission(allowed=True, why=""))
        self._store.notify()

    def get(self, intent_id: IntentId) -> RecordedIntent | None:
        """Return an intent with its events."""
        return self._recorded.get(intent_id)

    def standing(self, standing_as: Standing) -> list[RecordedIntent]:
        """Return the intents with a status, oldest first."""
        return [known for known in self._recorded.values() if stands(known) is standing_as]

    def claims(self, kind: Kind) -> Mapping[str, IntentId]:
        """Return the objects of a kind that intents became."""
        return self._claims[kind]

    def claimed(self, kind: Kind) -> Collection[Claim]:
        """Return all claims of a kind, oldest first; claims are only added.

        If two intents claim one object, one of the claims is wrong.
        """
        return self._claimed[kind].keys()

    def made(self) -> Mapping[Kind, Sequence[str]]:
        """Return the newest objects that intents became."""
        return {kind: claimed[-FOLLOWED:] for kind in TRACKED if (claimed := [*self.claims(kind)])}

    def record(self, entry: Entry) -> None:
        """Record an intent before anything is sent. Raises OutboxError if it is not recorded."""
        if self._unread is not None:
            raise OutboxError(self._unread)
        try:
            self._write(lambda: self._outbox.record(entry))
        except OutboxError:
            self._perhaps_there.append(entry)
            raise
        self._keep(RecordedIntent(entry))
        if self._log is not None:
            self._log.recorded(entry, self._outbox.head)
            self._tell_if_lost(self._log, entry.intent_id, entry.confirmed_at)
        self._store.notify()

    def check_ours(self) -> None:
        """Raise OutboxError if another process may send from the outbox."""
        self._outbox.check_ours()

    def add(self, intent_id: IntentId, event: Event) -> None:
        """Record an event before it happens. Raises OutboxError: then it must not happen."""
        dated = self._dated(event)
        self._write(lambda: self._outbox.add(intent_id, dated))
        self._show_also(intent_id, dated)

    def note(self, intent_id: IntentId, event: Event) -> None:
        """Record an event that happened. It is shown at once, and written as soon as possible.

        A failure is shown only once it is written. The trader may confirm a replacement then, and
        the next process must not find the intent in doubt and send it too.
        """
        event = self._dated(event)
        self._unwritten.append((intent_id, event))
        with suppress(OutboxError):
            self._write()
        if event.kind not in _INVITES_ANOTHER:
            self._show_also(intent_id, event)

    def catch_up(self) -> None:
        """Retry failed writes; once they succeed, intents can be sent again."""
        if self._fails:
            with suppress(OutboxError):
                self._write(self._outbox.probe)

    def turn_away(self, intent: Intent, problem: Problem) -> None:
        """Show that an intent could not be recorded, so that nothing was sent."""
        self._store.intents.put([row_turned_away(intent, problem)])
        self._store.notify()

    def cannot_arrive(self, recorded: RecordedIntent) -> None:
        """Allow the decision "not done": the intent's requests can no longer arrive."""
        self._arrived.add(doubt_of(recorded))
        self._keep(recorded)
        self._store.notify()

    def why_not_yet(self, decision: Decision) -> str:
        """Return why a decision is too early, or an empty string."""
        row = self._store.intents.get(decision.intent_id)
        if row is None or row.may_arrive_until is None or not decision.verdict.rests_on_absence:
            return ""
        return _NOT_YET

    def stop(self, problem: Problem, *, damaged: bool = False) -> None:
        """Disable sending: what cannot be recorded must not be done."""
        self._store.set_sending(SendPermission(allowed=False, why=str(problem), damaged=damaged))
        self._store.notify()

    def _write(self, last: Callable[[], None] | None = None) -> None:
        """Write pending events in order, then the last one.

        Raises:
            OutboxError: the last one is not written; pending events are kept.
        """
        try:
            while self._unwritten:
                intent_id, event = self._unwritten[0]
                entry = self._recorded[intent_id].entry
                self._outbox.add(intent_id, without_personal_data(entry, event))
                self._unwritten.popleft()
                if event.kind in _INVITES_ANOTHER:
                    self._show_also(intent_id, event)
            if last is not None:
                last()
        except OutboxError as error:
            self._fails = True
            self.stop(error.problem, damaged=isinstance(error, OutboxDamaged))
            raise
        if self._fails:
            self._fails = False
            self._store.set_sending(SendPermission(allowed=True, why=""))
            self._store.notify()
            self._take_back()

    def _dated(self, event: Event) -> Event:
        """Add the host's time of an event, which may be written later."""
        return replace(event, host_time=self._clock.now())

    def _take_back(self) -> None:
        """Settle intents that reached a failing disk although recording them failed.

        Nothing of them was sent. Otherwise a trader could send one in the next process, beside its
        replacement.
        """
        if not self._perhaps_there:
            return
        try:
            there = {recorded.entry.intent_id for recorded in self._outbox.read()}
        except OutboxError:
            return
        entries, self._perhaps_there = self._perhaps_there, []
        for entry in (each for each in entries if each.intent_id in there):
            self._recorded[entry.intent_id] = RecordedIntent(entry)
            problem = Problem(
                f"send {entry.title}",
                "the disk failed while it was written down",
                remedy="Nothing was sent. Confirm it again if it is still meant.",
            )
            event = Event(kind=EventKind.NOT_EXECUTED, at=entry.confirmed_at, problem=problem)
            self.note(entry.intent_id, event)

    def _show_also(self, intent_id: IntentId, event: Event) -> None:
        known = with_event(self._recorded[intent_id], event)
        self._keep(known)
        if self._log is not None:
            self._log.happened(known.entry, event, stands(known), self._outbox.head)
            self._tell_if_lost(self._log, intent_id, event.at)
        self._store.notify()

    def _tell_if_lost(self, log: Syslog, intent_id: IntentId, at: datetime) -> None:
        """Raise one alert if the log is incomplete; the outbox is complete."""
        if log.lost is None or self._told_of_log:
            return
        self._told_of_log = True
        words = f"The host's log does not get a copy of all that happens: {log.lost}."
        self.note(intent_id, Event(kind=EventKind.ALERT, at=at, words=words))

    def _keep(self, recorded: RecordedIntent) -> None:
        entry = recorded.entry
        self._recorded[entry.intent_id] = recorded
        row, kind = row_of(recorded), entry.action.becomes
        for event in recorded.events:
            if (object_id := event.object_id) is None:
                continue
            self._claimed[kind][object_id, entry.intent_id] = None
            if object_id == row.object_id:
                self._claims[kind][object_id] = entry.intent_id
            elif self._claims[kind].get(object_id) == entry.intent_id:
                self._let_go(kind, object_id)
        if entry.intent_id in self._earlier:
            row = replace(row, repeat_until=None)  # not repeated by this process without asking
        if doubt_of(recorded) in self._arrived:
            row = replace(row, may_arrive_until=None)
        self._store.intents.put([row])

    def _let_go(self, kind: Kind, object_id: str) -> None:
        """Release the object of an intent in doubt again; another intent may claim it."""
        del self._claims[kind][object_id]
        for claimed, other in self._claimed[kind]:
            recorded = self._recorded[other]
            if claimed == object_id and row_of(recorded).object_id == object_id:
                self._claims[kind][object_id] = other


IN_DOUBT_NEXT = "It may have been executed. Do not confirm it anew: see Activity (8)."
_NEXT = {
    EventKind.IN_DOUBT: IN_DOUBT_NEXT,
    EventKind.NOT_EXECUTED: "Nothing was executed. Confirm it again if it is still meant.",
}


class OutcomeRecorder:
    """A recorder of responses, failures and decisions as events.

    Args:
        journal: records the events.
        entry_builder: tells the user, and how long a request may still arrive.
        service_time: dates the events.
        booked: called with each object that an intent became.
    """

    def __init__(
        self,
        journal: Journal,
        entry_builder: EntryBuilder,
        service_time: ServiceTime,
        booked: Callable[[Record], None],
    ) -> None:
        self._journal = journal
        self._entry_builder = entry_builder
        self._time = service_time
        self._booked = booked

    def answered(self, entry: Entry, result: SendResult, known: Set[str]) -> None:
        """Record a success, or doubt if the named object cannot be the intent's.

        Args:
            entry: the intent.
            result: the response.
            known: objects that existed before the intent was sent.
        """
        if (words := self._not_its_own(entry, result.record, known)) is None:
            self._accepted(entry, result)
        else:
            problem = Problem(f"send {entry.title}", words)
            recorded = self._journal.get(entry.intent_id)
            # A repeat may get the same response.
            if recorded is None or words not in row_of(recorded).alerts:
                self.alert(entry, words)
            self.failed(entry, EventKind.IN_DOUBT, problem, result.status)

    def failed(
        self, entry: Entry, kind: EventKind, problem: Problem, status: int | None = None
    ) -> None:
        """Record a failure of this kind, or doubt."""
        if kind in _NEXT:  # unlike a read, money is not retried
            problem = replace(problem, remedy=_NEXT[kind])
        is_in_doubt = kind is EventKind.IN_DOUBT
        failed = Event(
            kind=kind,
            at=self._time.latest(),
            status=status,
            problem=problem,
            may_arrive_until=self._entry_builder.may_arrive_until() if is_in_doubt else None,
        )
        self._journal.note(entry.intent_id, failed)

    def settled(self, decision: Decision, kind: EventKind) -> None:
        """Record a decision of the trader; it has no effect if it cannot be written."""
        settled = Event(
            kind=kind,
            at=self._time.latest(),
            object_id=decision.object_id,
            user=self._entry_builder.user,
        )
        with suppress(OutboxError):
            self._journal.add(decision.intent_id, settled)

    def alert(self, entry: Entry, words: str) -> None:
        """Record an alert, which stays for the trader to see."""
        alert = Event(kind=EventKind.ALERT, at=self._time.latest(), words=words)
        self._journal.note(entry.intent_id, alert)

    def _accepted(self, entry: Entry, result: SendResult) -> None:
        accepted = Event(
            kind=EventKind.ACCEPTED,
            at=self._time.latest(),
            status=result.status,
            object_id=identifier_of(result.record),
        )
        # Alerts first: a crash in between leaves an intent in doubt, never one without its alert.
        for words in differences(entry.terms, result.record):
            self.alert(entry, words)
        self._journal.note(entry.intent_id, accepted)
        self._booked(with_parents(result.record, entry.terms))

    def _not_its_own(self, entry: Entry, record: Record, known: Set[str]) -> str | None:
        """Return in words why the named object cannot be the intent's; None if it can."""
        identifier = identifier_of(record)
        claims = self._journal.claims(entry.action.becomes)
        claimed_by = claims.get(identifier, entry.intent_id)
        if claimed_by != entry.intent_id:
            return f"The service answers with {identifier}, which is what {claimed_by} became."
        recorded = self._journal.get(entry.intent_id)
        if recorded is not None and (words := why_another(recorded, record)) is not None:
            return f"The service answers with {identifier}, which {words.rstrip('.')}."
        if identifier in known:
            return f"The service answers with {identifier}, which was there before it was sent."
        return None
