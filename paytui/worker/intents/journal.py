"""The journal of intents: each event is written to the outbox, then shown."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from paytui.api.resources import TRACKED
from paytui.domain.intent import (
    Decision,
    Intent,
    IntentEvent,
    IntentId,
    IntentRow,
    SendPermission,
    Standing,
    Verdict,
)
from paytui.domain.models import Kind, Problem
from paytui.outbox.entry import (
    SETTLING_EVENTS,
    Entry,
    Event,
    EventKind,
    RecordedIntent,
    differing_host_time,
    particulars,
    standing,
    with_event,
    without_personal_data,
)
from paytui.outbox.file import OutboxDamaged, OutboxError
from paytui.outbox.outbox import Outbox
from paytui.outbox.syslog import Syslog
from paytui.platform.clock import Clock
from paytui.store.store import Store

Doubt: TypeAlias = tuple[IntentId, int]  # An intent, and the number of times it was in doubt
_ASIDE = (EventKind.SIGHTED, EventKind.ALERT)  # Events that do not change the status of an intent
_APPROVAL = (EventKind.PROPOSED, EventKind.PARTLY_APPROVED, EventKind.APPROVED)


def stands(recorded: RecordedIntent) -> Standing:
    return standing(recorded.events)


def doubt_of(recorded: RecordedIntent) -> Doubt:
    """Return a key for this doubt, different from earlier ones of the same intent."""
    times = sum(event.kind is EventKind.IN_DOUBT for event in recorded.events)
    return recorded.entry.intent_id, times


def row_of(recorded: RecordedIntent) -> IntentRow:
    entry, events = recorded.entry, recorded.events
    stands_as = standing(events)
    turns = [event for event in events if event.kind not in _ASIDE]
    unsent = {id(each) for each, after in pairwise(turns) if _never_left(each, after)}
    sighted = [event.candidates for event in events if event.kind is EventKind.SIGHTED]
    object_id = _object_of(events)
    booked_otherwise = stands_as.open and object_id is not None
    return IntentRow(
        intent_id=entry.intent_id,
        action=entry.action,
        title=entry.title,
        confirmed_at=entry.confirmed_at,
        terms=entry.terms,
        standing=stands_as,
        since=turns[-1].at if turns else entry.confirmed_at,
        attempts=sum(event.kind is EventKind.SENDING for event in events) - len(unsent),
        object_id=object_id,
        problem=turns[-1].problem if turns else None,
        candidates=sighted[-1] if sighted and not booked_otherwise else (),
        alerts=tuple(
            event.words
            for event in events
            if event.words and (event.kind not in _APPROVAL or _is_lost(event, turns))
        ),
        repeat_until=None if booked_otherwise else entry.resend_until,
        may_arrive_until=_may_arrive_until(events),
        user=entry.user,
        host=entry.host,
        turns=tuple(
            replace(_turn(event), what="not sent") if id(event) in unsent else _turn(event)
            for event in events
        ),
        host_time=differing_host_time(entry.host_time, entry.confirmed_at),
    )


def _never_left(attempt: Event, after: Event) -> bool:
    """Return True for an attempt that ended before its first byte, as when the desk refused it."""
    is_unsent = after.kind is EventKind.NOT_EXECUTED and after.status is None
    return attempt.kind is EventKind.SENDING and is_unsent


def _is_lost(event: Event, turns: Sequence[Event]) -> bool:
    """Return True for an approval that the desk's log has lost, until anything follows."""
    return event.kind is EventKind.PARTLY_APPROVED and event is turns[-1]


def left_in_doubt(row: IntentRow) -> IntentRow:
    """Return the row as in doubt: its sender ended without recording it."""
    what = "paytui ended while it was being sent"
    remedy = "paytui searches for it once a dashboard sends from this outbox."
    problem = Problem(f"send {row.title}", what, remedy=remedy)
    return replace(row, standing=Standing.IN_DOUBT, problem=problem, repeat_until=None)


def turn_away(store: Store, intent: Intent, problem: Problem) -> None:
    """Show that an intent could not be recorded, so that nothing was sent."""
    row = IntentRow(
        intent_id=intent.intent_id,
        action=intent.action,
        title=intent.title,
        confirmed_at=intent.confirmed_at,
        terms=intent.terms,
        standing=Standing.NOT_RECORDED,
        since=intent.confirmed_at,
        problem=problem,
    )
    store.intents.put([row])
    store.notify()


def _turn(event: Event) -> IntentEvent:
    why = (event.problem.what,) if event.problem else ()
    words = ", ".join((*particulars(event), *why))
    return IntentEvent(
        event.at, event.kind.value, words, differing_host_time(event.host_time, event.at)
    )


def _may_arrive_until(events: Sequence[Event]) -> datetime | None:
    """Return the time until which requests of an intent in doubt may arrive."""
    if standing(events) is not Standing.IN_DOUBT:
        return None
    told = [event.may_arrive_until for event in events if event.kind is EventKind.IN_DOUBT]
    return told[-1]


def _object_of(events: Sequence[Event]) -> str | None:
    """Return the last object that was named, of an open intent since it was settled last."""
    ends = [at for at, event in enumerate(events) if event.kind in SETTLING_EVENTS]
    since = ends[-1] + 1 if ends and standing(events).open else 0
    named = [event.object_id for event in events[since:] if event.object_id is not None]
    return named[-1] if named else None


FOLLOWED = 50
"""Maximum number of created objects of a kind that are read one by one, the newest first."""

Claim: TypeAlias = tuple[str, IntentId]  # An object, and the intent that became it

_INVITES_ANOTHER = (EventKind.NOT_EXECUTED, EventKind.REFUSED)


class Journal:
    """All intents with their events, in the outbox, in memory and in the store.

    Each event has the host's time beside the service's. `log`, if set, receives a copy of each
    line; a failure raises an alert. `held` is why nothing may be sent for a reason outside the
    outbox, or an empty string. `changed` is called with each intent that is recorded, or to which
    something happens.
    """

    def __init__(self, outbox: Outbox, store: Store, log: Syslog | None, clock: Clock) -> None:
        self._outbox = outbox
        self.check_ours = outbox.check_ours
        self.turn_away = partial(turn_away, store)
        self._log = log
        self._clock = clock
        self._store = store
        self._recorded: dict[IntentId, RecordedIntent] = {}
        self.get, self.all = self._recorded.get, self._recorded.values
        self._earlier: set[IntentId] = set()
        self._claims: defaultdict[Kind, dict[str, IntentId]] = defaultdict(dict)
        self._claimed: defaultdict[Kind, dict[Claim, None]] = defaultdict(dict)
        self._arrived: set[Doubt] = set()
        self._perhaps_there: list[Entry] = []
        self._unwritten: deque[tuple[IntentId, Event]] = deque()
        self._unread: Problem | None = Problem("read the outbox", "it was not read yet")
        self._fails = False
        self._told_of_log = False
        self._stopped: SendPermission | None = None
        self.held = self._held_short = ""
        self.changed: Callable[[IntentId], object] = lambda _: None

    def hold(self, why: str, short: str = "") -> None:
        """Disable sending for a reason outside the outbox; without one, enable it again."""
        if why != self.held:
            self.held, self._held_short = why, short
            self._permit()

    @property
    def has_unwritten(self) -> bool:
        return bool(self._unwritten)

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
        self._stopped = None
        self._permit()

    def standing(self, *standing_as: Standing) -> list[RecordedIntent]:
        """Return the intents with one of these statuses, oldest first."""
        return [known for known in self._recorded.values() if stands(known) in standing_as]

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
        self.changed(entry.intent_id)
        if self._log is not None:
            self._log.recorded(entry, self._outbox.head)
            self._tell_if_lost(self._log, entry.intent_id, entry.confirmed_at)
        self._store.notify()

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

    def cannot_arrive(self, recorded: RecordedIntent) -> None:
        """Allow the decision "not done": the intent's requests can no longer arrive."""
        self._arrived.add(doubt_of(recorded))
        self._keep(recorded)
        self._store.notify()

    def why_not(self, decision: Decision) -> str:
        """Return why a decision is too early or cannot be true, or an empty string."""
        row = self._store.intents.get(decision.intent_id)
        if row is not None and row.booked_otherwise:
            is_right = decision.verdict is Verdict.DONE and decision.object_id == row.object_id
            only = "It can only be settled as done"
            held = f"the service holds {row.object_id}, which carries its reference."
            return "" if is_right else f"{only}: {held}"
        if row is None or row.may_arrive_until is None or not decision.verdict.rests_on_absence:
            return ""
        why = "an abandoned request may still reach the service"
        return f"It could not be settled yet: {why}. Decide again later."

    def stop(self, problem: Problem, *, damaged: bool = False) -> None:
        """Disable sending: what cannot be recorded must not be done."""
        self._stopped = SendPermission(allowed=False, why=str(problem), damaged=damaged)
        self._permit()

    def _permit(self) -> None:
        """Tell whether anything can be sent."""
        if not self.is_loaded and self._stopped is None:
            return
        held = SendPermission(allowed=not self.held, why=self.held, short=self._held_short)
        self._store.set_sending(self._stopped or held)
        self._store.notify()

    def _write(self, last: Callable[[], None] | None = None) -> None:
        """Write pending events in order, then the last one; it is not after an OutboxError."""
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
            self._stopped = None
            self._permit()
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
                "the disk failed while it was recorded",
                remedy="Nothing was sent. Confirm it again if you still want it.",
            )
            event = Event(kind=EventKind.NOT_EXECUTED, at=entry.confirmed_at, problem=problem)
            self.note(entry.intent_id, event)

    def _show_also(self, intent_id: IntentId, event: Event) -> None:
        known = with_event(self._recorded[intent_id], event)
        self._keep(known)
        self.changed(intent_id)
        if self._log is not None:
            self._log.happened(known.entry, event, stands(known), self._outbox.head)
            self._tell_if_lost(self._log, intent_id, event.at)
        self._store.notify()

    def _tell_if_lost(self, log: Syslog, intent_id: IntentId, at: datetime) -> None:
        """Raise one alert if the log is incomplete; the outbox is complete."""
        if log.lost is None or self._told_of_log:
            return
        self._told_of_log = True
        words = f"The system log does not get a copy of all events: {log.lost}."
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


IN_DOUBT_NEXT = "It may have been executed. Do not confirm it again: see Activity (8)."
_EXISTS_NEXT = "It was executed. Do not confirm it again: accept it as it is in Activity (8)."


def note_booked_otherwise(
    journal: Journal,
    entry: Entry,
    object_id: str,
    found: Sequence[str],
    *,
    at: datetime,
    status: int | None = None,
) -> None:
    """Record doubt about an intent whose object is not what was confirmed, with its alerts.

    Only a trader settles it, as done: look-ups and repeats leave it alone.

    Args:
        object_id: the object, which carries the intent's identifier.
        found: its differences in words.
        at: service time.
        status: the HTTP status of the response that named it.
    """
    recorded = journal.get(entry.intent_id)
    known = () if recorded is None else row_of(recorded).alerts
    first, *others = [words for words in found if words not in known] or [""]
    what = f"the service holds {object_id}, which is not what was confirmed"
    doubt = Event(
        kind=EventKind.IN_DOUBT,
        at=at,
        status=status,
        object_id=object_id,
        problem=Problem(f"send {entry.title}", what, remedy=_EXISTS_NEXT),
        words=first,  # in one event: no crash leaves it without an alert
    )
    journal.note(entry.intent_id, doubt)
    for words in others:
        journal.note(entry.intent_id, Event(kind=EventKind.ALERT, at=at, words=words))


def created(store: Store, kind: Kind, most: int) -> Sequence[str]:
    """Return the identifiers of the newest objects of a kind that intents became, oldest first."""
    rows = (row for row in store.intents.rows() if row.action.becomes is kind)
    made = sorted((row.since, row.object_id) for row in rows if row.object_id is not None)
    return [*dict.fromkeys(identifier for _, identifier in made)][-most:]
