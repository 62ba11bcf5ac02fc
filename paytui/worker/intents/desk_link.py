"""The link between the outbox of this process and the log that all outboxes of a desk share.

Each row of the outbox is handed in soon after it is written. An intent leaves only after the desk
confirmed its departure. While the desk does not answer, nothing new is confirmed. The intents of
colleagues are rows of the store, beside our own.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from paytui.api.errors import NotSent
from paytui.config.spending_limits import day_limit, needs_approval
from paytui.domain.desk_limits import OVER_REMEDY, DayUse, DeskLimits
from paytui.domain.intent import (
    NOTHING_IS_SENT,
    Action,
    Decision,
    IntentId,
    IntentRow,
    Proposal,
    Standing,
    Verdict,
)
from paytui.domain.models import Problem
from paytui.outbox import shared_log
from paytui.outbox.desk_record import DeskRecord
from paytui.outbox.entry import Entry, Event, EventKind, RecordedIntent, with_event
from paytui.outbox.file import OutboxError
from paytui.outbox.shared_log import Refusal
from paytui.platform.clock import Clock, ServiceTime
from paytui.store.store import Store
from paytui.worker.intents.journal import Journal, row_of, stands
from paytui.worker.intents.matching import TaggedObjects
from paytui.worker.sync.shared import unexpected

EVERY = 2.0  # Seconds between two looks
AFTER_NEWS = 0.25  # Seconds from a hint to a look
SOON = 1.0  # The same while the desk is away, or its log closed
RECENT = timedelta(days=7)
"""The age of intents that are handed in at the start, beside open ones and those it has."""

_UNREAD = "the desk's log was not read yet"
_CLOSED = (
    f"{NOTHING_IS_SENT}: the desk's database was replaced, and not all have handed in their intents"
)
_REFUSED = {
    Refusal.CLOSED: "the desk's database was replaced, and it waits for intents of others",
    Refusal.LEFT: "another dashboard has sent it, or holds it",
    Refusal.SETTLED: "it was settled on the desk",
    Refusal.UNKNOWN: "the desk's log lacks it since its database was replaced: start paytui there",
    Refusal.ALIVE: "the program that sent it is running: settle it there",
    Refusal.EARLY: "it may still arrive: decide again later",
    Refusal.OWN: "a colleague must approve it",
    Refusal.CHANGED: "its request is not the one that was confirmed",
    Refusal.UNAPPROVED: "no colleague has approved it, and the desk's limits require that",
    Refusal.EXPIRED: "it was not approved and sent in time",
    Refusal.OUTSIDE: "the desk's log has no approved mandate for it: see paytui desk status",
    Refusal.OVER: "it would exceed a limit of the desk for one day",
}
_SHORT = {
    "the desk's database is away": "desk away",
    "the desk's database does not answer": "desk away",
    "the desk's database confirms no commit": "desk confirms nothing",
    "it is an old primary": "old primary",
    "the desk's log was set back or changed": "desk set back",
}


def why_other_limits(ours: DeskLimits | None, of_desk: DeskLimits) -> str:
    """Return why nothing is sent if a profile has limits, and its desk has others; else empty."""
    if ours in (None, of_desk):
        return ""
    remedy = "Remove them from the profile, or the administrator runs: paytui desk init --dsn …"
    return f"{NOTHING_IS_SENT}: this profile has other limits than its desk. {remedy}"


_OLD_COPY = Problem(
    "use the desk",
    "this outbox is an older copy: the desk's log has rows of it that it lacks",
    remedy="Use the newer one, or move this one elsewhere: a new one begins.",
)
_ENDED = "its time is over"
_LOST_APPROVAL = (
    "the desk's log lacks the approval since its database was replaced: it must be given again"
)
_APPROVALS = (EventKind.PARTLY_APPROVED, EventKind.APPROVED)
_UNSENT = (Standing.PROPOSED, Standing.RECORDED)
_DECIDES = {
    Verdict.APPROVE: EventKind.APPROVED,
    Verdict.DONE: EventKind.DONE,
    Verdict.NOT_DONE: EventKind.NOT_DONE,
}
_DONE = {EventKind.APPROVED: "approved", EventKind.DONE: "settled", EventKind.NOT_DONE: "settled"}


class DeskLink:
    """A loop that hands in what happens here, and shows what happens elsewhere.

    Args:
        memory: keeps in the outbox what the log may lose.
        limits: those of the profile, if it has any; the desk must have the same.

    Attributes:
        has_looked: the log was read, or tried to be, since the outbox was read.
    """

    def __init__(
        self,
        log: shared_log.SharedLog,
        memory: DeskRecord,
        journal: Journal,
        store: Store,
        service_time: ServiceTime,
        *,
        limits: DeskLimits | None = None,
    ) -> None:
        self._limits = limits
        self._expires: dict[IntentId, float] = {}
        self._log = log
        self._memory = memory
        self._journal = journal
        self._store = store
        self._time = service_time
        self._colleagues = Colleagues(store, service_time.clock)
        self._handed_in: dict[IntentId, int] = {}
        self._changed: dict[IntentId, None] = {}
        self._departing: set[IntentId] = set()
        self._decisions: list[Decision] = []
        self._told: list[shared_log.LogRow] = []
        self._is_anew = False
        self._woken = asyncio.Event()
        self._is_in_step = False
        self._is_away = False
        self.has_looked = False
        self._looks: asyncio.TimerHandle | None = None
        journal.hold("The desk's log is being read: wait a moment.", "desk not read yet")
        journal.changed = self._note

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        self._log.listen(partial(loop.call_soon_threadsafe, self._look_soon))
        while True:
            began = loop.time()
            try:
                await self.take_turn()
            except Exception as error:  # noqa: BLE001 - a bug must not stop the feeds
                self._journal.hold(str(unexpected("use the desk's log", error).problem))
            self.has_looked = self._journal.is_loaded
            pause = began + SOON - loop.time() if self._is_away else EVERY
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, pause)):
                    await self._woken.wait()

    async def take_turn(self) -> None:
        """Hand in, show and decide what there is by now; hold sending if the log is away."""
        try:
            await self._take_turn()
        except (shared_log.LogAway, OutboxError) as error:
            self._is_away = True
            self._hold(error.problem)
            self._give_up(error.problem)

    def close(self) -> None:
        if self._looks is not None:
            self._looks.cancel()
        with suppress(OutboxError):
            self._memory.write()
        self._log.close()

    async def depart(self, intent_id: IntentId) -> float:
        """Let an intent leave, whose last event is the attempt.

        Returns:
            The boot time before which its first byte must leave.

        Raises:
            NotSent: it must not leave; `written` if it may have left from elsewhere.
        """
        recorded = self._journal.get(intent_id)
        assert recorded is not None
        # A screen may have let it pass before, and a colleague may have settled it since.
        if held := self._journal.held or ("" if self._is_in_step else _UNREAD):
            raise NotSent(Problem(f"send {recorded.entry.title}", held), written=False)
        rows = self._rows_of(recorded)
        self._departing.add(intent_id)
        try:
            answer = await self._log.depart(rows[self._handed_in.get(intent_id, 0) :])
        except shared_log.LogAway as error:
            self._hold(error.problem)
            problem = replace(error.problem, attempted=f"send {recorded.entry.title}")
            raise NotSent(problem, written=False) from None
        finally:
            self._departing.discard(intent_id)
        if isinstance(answer, Refusal):
            problem = Problem(f"send {recorded.entry.title}", _REFUSED[answer])
            if answer is Refusal.OVER:
                found = day_limit(self._store, recorded.entry.terms, self._time.latest())
                what = f"over {found[1]}" if found and found[0] else problem.what
                problem = replace(problem, what=what, remedy=OVER_REMEDY)
            raise NotSent(problem, written=answer is Refusal.LEFT)
        self._handed_in[intent_id] = len(rows)
        return answer

    def proposal(self, entry: Entry) -> Event | None:
        """Return the event that proposes an intent; None if no colleague has to approve it."""
        at, limits = self._time.latest(), self._store.desk_limits
        colleagues = "a colleague" if limits.needs == 1 else f"{limits.needs} colleagues"
        if entry.action is Action.MANDATE:
            words = f"{colleagues} must approve it; it ends at {entry.terms.expires_at:%H:%M}"
        elif entry.terms.mandate_id is not None or not needs_approval(self._store, entry.terms):
            return None
        else:
            until = at + limits.within
            words = f"{colleagues} must approve it, and it must be sent, by {until:%H:%M}"
        return Event(kind=EventKind.PROPOSED, at=at, words=f"{words} UTC")

    def decide(self, decision: Decision) -> None:
        """Settle a colleague's intent, or approve it."""
        self._decisions.append(decision)
        self._woken.set()

    def _look_soon(self) -> None:
        """Look after a moment, once for all that is told within it."""
        if self._looks is None:
            self._looks = asyncio.get_running_loop().call_later(AFTER_NEWS, self._woken.set)

    def _note(self, intent_id: IntentId) -> None:
        self._changed[intent_id] = None
        self._woken.set()

    async def _take_turn(self) -> None:
        self._woken.clear()
        self._looks = None
        if not self._journal.is_loaded:
            return
        news = await self._log.look()
        self._take_in(news)
        self._memory.note(news.head)
        if news.anew:
            self._is_in_step = False
        if not (news.is_replayed and self._is_in_step):
            await self._replay()
            if self._changed:
                return  # the disk fails, or one departs just now: some rows are not handed in
            await self._log.hand_in_decisions(self._memory.decisions())
            self._is_in_step = True
            await self._log.replayed(news.epoch)
            news = await self._log.look()
            self._take_in(news)
            self._memory.note(news.head)
        self._expire()
        await self._hand_in()
        await self._settle()
        waits_for = f": {news.waits_for}." if news.waits_for else "."
        self._is_away = not news.is_open
        if news.is_open:
            other = why_other_limits(self._limits, self._store.desk_limits)
            self._journal.hold(other, "other limits" if other else "")
        else:
            self._journal.hold(f"{_CLOSED}{waits_for}", f"waits for {news.waits_for or 'others'}")

    def _hold(self, problem: Problem) -> None:
        short = _SHORT.get(problem.what, "desk unusable")
        self._journal.hold(f"{NOTHING_IS_SENT}: {problem.happened}", short)

    async def _replay(self) -> None:
        """Hand in what the log lacks of intents that it knows, or that are open or recent.

        Raises:
            LogAway: the log has rows of this outbox that it lacks itself.
        """
        known, since = await self._log.known(), self._time.latest() - RECENT
        for intent_id, kinds in known.items():
            recorded = self._journal.get(intent_id)
            ours = (
                ()
                if recorded is None
                else (shared_log.RECORDED, *(each.kind for each in recorded.events))
            )
            if Counter(kinds) - Counter(ours):
                raise shared_log.LogAway(_OLD_COPY)
        self._changed |= dict.fromkeys(
            intent_id
            for recorded in self._journal.all()
            for intent_id in (recorded.entry.intent_id,)
            if intent_id in known or stands(recorded).open or recorded.entry.confirmed_at > since
            if len(known.get(intent_id, ())) <= len(recorded.events)
        )
        self._handed_in.clear()  # each is handed in as a whole
        await self._hand_in()

    def _rows_of(self, recorded: RecordedIntent) -> list[shared_log.HandedIn]:
        at = self._time.earliest() if self._time.known else None
        return shared_log.rows_of(recorded, at)

    async def _hand_in(self) -> None:
        if self._journal.has_unwritten:
            return  # their numbers are not certain yet
        found = [
            (intent_id, self._rows_of(recorded))
            for intent_id in self._changed
            if intent_id not in self._departing
            if (recorded := self._journal.get(intent_id)) is not None
        ]
        new = [
            row for intent_id, rows in found for row in rows[self._handed_in.get(intent_id, 0) :]
        ]
        if new:
            await self._log.hand_in(new)
        for intent_id, rows in found:
            self._handed_in[intent_id] = len(rows)
            recorded = self._journal.get(intent_id)
            if recorded is not None and len(recorded.events) < len(rows):
                del self._changed[intent_id]

    def _take_in(self, news: shared_log.News) -> None:
        """Show rows; decisions only once they are on disk: nobody acts on one that may be lost."""
        self._is_anew = self._is_anew or news.anew
        self._told = [*news.rows] if news.anew else [*self._told, *news.rows]
        colleagues = (row for row in self._told if self._journal.get(row.intent) is None)
        decisions = map(shared_log.told_decision, colleagues)
        self._memory.keep([each for each in decisions if each is not None])
        if self._is_anew:
            self._colleagues.clear()
        told, self._told, self._is_anew = self._told, [], False
        for row in told:
            recorded = self._journal.get(row.intent)
            if recorded is None:
                self._colleagues.add(row)
            elif row.kind == EventKind.PROPOSED and row.leaves_for is not None:
                self._expires[row.intent] = self._time.clock.boot() + row.leaves_for
            elif row.local is None and not row.is_ours:
                self._colleagues.add_approval(row)
                self._adopt(recorded, row)
        self._colleagues.show()
        if news.charges is not None:
            self._store.day_use = DayUse(news.charges, self._time.latest())
        self._recount()

    def _adopt(self, recorded: RecordedIntent, row: shared_log.LogRow) -> None:
        """Record a colleague's decision on an intent of ours, once."""
        try:
            decided = shared_log.event_of(row)
        except (KeyError, TypeError, ValueError):
            return  # no paytui of this version wrote it
        is_known = any(  # who told it may have changed with a failover
            (event.kind, event.at) == (decided.kind, decided.at)
            and (event.user == decided.user or decided.kind in shared_log.DECISIONS)
            for event in recorded.events
        )
        stood = stands(recorded)
        is_due = stood is Standing.PROPOSED if decided.kind in _APPROVALS else stood.open
        if is_due and not is_known:
            self._journal.note(recorded.entry.intent_id, decided)

    def _recount(self) -> None:
        """Record it if the log's approvals of a proposal of ours are enough, or are not any more.

        The desk's limits may have changed, or a failover may have lost approvals.
        """
        needs = self._store.desk_limits.needs
        for intent_id in self._expires:
            recorded, given = self._journal.get(intent_id), self._colleagues.approvals(intent_id)
            stood = None if recorded is None else stands(recorded)
            if stood is Standing.RECORDED and given < needs:
                kind = EventKind.PARTLY_APPROVED
            elif stood is Standing.PROPOSED and given >= needs:
                kind = EventKind.APPROVED
            else:
                continue
            words = "" if given else _LOST_APPROVAL
            self._journal.note(intent_id, Event(kind=kind, at=self._time.latest(), words=words))

    def _expire(self) -> None:
        """Settle our proposals that were not approved and sent in time."""
        now = self._time.clock.boot()
        for intent_id in [each for each, until in self._expires.items() if now >= until]:
            del self._expires[intent_id]
            recorded = self._journal.get(intent_id)
            if recorded is not None and stands(recorded) in _UNSENT:
                is_mandate = recorded.entry.action is Action.MANDATE
                what = _ENDED if is_mandate else _REFUSED[Refusal.EXPIRED]
                verb = "use" if is_mandate else "send"
                problem = Problem(f"{verb} {recorded.entry.title}", what)
                at = self._time.latest()
                event = Event(kind=EventKind.NOT_EXECUTED, at=at, problem=problem)
                self._journal.note(intent_id, event)

    async def _settle(self) -> None:
        while self._decisions:
            decision = self._decisions[0]
            kind = _DECIDES.get(decision.verdict)
            if kind is None:
                words = "Only the outbox that holds it can send it."
            else:
                event = Event(kind=kind, at=self._time.latest(), object_id=decision.object_id)
                refusal = await self._record(decision, event)
                if refusal is None and kind in shared_log.DECISIONS:
                    self._memory.keep([shared_log.made_decision(decision.intent_id, event)])
                words = f"It was not {_DONE[kind]}: {_REFUSED[refusal]}." if refusal else ""
                self._woken.set()
            self._decisions.pop(0)
            if words:
                self._colleagues.alert(decision.intent_id, words)

    def _give_up(self, problem: Problem) -> None:
        """Forget decisions that failed: nobody may be there when they could be carried out."""
        for decision in self._decisions:
            words = f"It is not known whether your decision was recorded: {problem.happened}"
            self._colleagues.alert(decision.intent_id, words)
        self._decisions.clear()
        self._colleagues.show()

    async def _record(self, decision: Decision, event: Event) -> Refusal | None:
        intent_id = decision.intent_id
        if event.kind is EventKind.APPROVED:
            return await self._log.approve(intent_id, decision.body, event)
        if event.kind is EventKind.NOT_DONE and self._colleagues.is_proposed(intent_id):
            return await self._log.refuse_proposal(intent_id, event)
        return await self._log.settle(intent_id, event)


@dataclass(slots=True)
class _Intent:
    """A colleague's intent, and the boot and host times that its attempts end at.

    Attributes:
        handed_in: what its outbox told of it.
        decided: decisions of others that its outbox has not told yet.
        proposal: what it proposed, to be approved until the boot time `approved_until`.
        is_lost: the log does not have it any more.
    """

    handed_in: RecordedIntent
    decided: dict[str, Event] = field(default_factory=dict)
    is_lost: bool = False
    proposal: Proposal | None = None
    approved_until: float = 0.0
    leaves_until: float = 0.0
    arrives_until: float = 0.0
    arrives_at: datetime | None = None
    alerts: tuple[str, ...] = ()

    @property
    def recorded(self) -> RecordedIntent:
        """Return the intent; decisions count until its outbox has told them, or another end."""
        found = self.handed_in
        if stands(found).open:
            for event in self.decided.values():
                found = with_event(found, event)
        return found


class DeskReader:
    """A loop that shows colleagues' intents beside an outbox that another process may own.

    `tell` is called with why they are not current, and with an empty string once they are.
    """

    def __init__(
        self, log: shared_log.SharedLog, store: Store, clock: Clock, tell: Callable[[str], None]
    ) -> None:
        self._log = log
        self.close = log.close
        self._colleagues = Colleagues(store, clock)
        self._tell = tell

    async def run(self) -> None:
        while True:
            try:
                news = await self._log.look()
            except shared_log.LogAway as error:
                self._tell(f"Colleagues' intents are not current: {error.problem.happened}")
            else:
                if news.anew:
                    self._colleagues.clear()
                for row in news.rows:
                    if not row.is_ours or row.local is None:
                        self._colleagues.add(row)
                self._colleagues.show()
                self._tell("")
            await asyncio.sleep(EVERY)


class Colleagues:
    """The intents of other outboxes, as rows of the store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._tagged_objects = TaggedObjects(store)
        self._intents: dict[IntentId, _Intent] = {}
        self._early: dict[IntentId, list[shared_log.LogRow]] = {}
        self._before: dict[IntentId, _Intent] = {}
        self._due: dict[IntentId, None] = {}
        self._approvals: dict[IntentId, tuple[str, ...]] = {}

    def clear(self) -> None:
        """Expect all rows anew; `show` then tells of open intents that were not among them."""
        self._store.desk_limits = DeskLimits()
        self._approvals.clear()
        self._before |= self._intents
        self._intents = {}
        self._early.clear()
        self._due.clear()

    def add(self, row: shared_log.LogRow) -> None:
        """Add a row. One that no paytui of this version wrote is left out."""
        self.add_approval(row)
        with suppress(KeyError, TypeError, ValueError):
            if row.kind == shared_log.LIMITS:
                self._store.desk_limits = shared_log.limits_of(row.document)
                return
            if row.kind == shared_log.RECORDED:
                self._intents[row.intent] = _Intent(RecordedIntent(shared_log.entry_of(row)))
                for early in self._early.pop(row.intent, ()):
                    self.add(early)
            elif row.intent not in self._intents and row.local is None:
                self._early.setdefault(row.intent, []).append(row)
            elif row.kind in _APPROVALS and row.local is not None:
                if shared_log.event_of(row).words != _LOST_APPROVAL:
                    return  # its outbox adopted it
                self._add_event(self._intents[row.intent], row)
            elif row.intent in self._intents:
                self._add_event(self._intents[row.intent], row)
            self._due[row.intent] = None

    def add_approval(self, row: shared_log.LogRow) -> None:
        """Add the trader of an approval; what its outbox told of it does not count."""
        given = self._approvals.get(row.intent, ())
        if row.kind in _APPROVALS and row.local is None and row.who not in given:
            self._approvals[row.intent] = (*given, row.who)

    def approvals(self, intent_id: IntentId) -> int:
        return len(self._approvals.get(intent_id, ()))

    def alert(self, intent_id: IntentId, words: str) -> None:
        if intent_id in self._intents:
            self._intents[intent_id].alerts = (words,)

    def is_proposed(self, intent_id: IntentId) -> bool:
        """Return True if an intent was proposed and never left."""
        of = self._intents.get(intent_id)
        return of is not None and of.proposal is not None and stands(of.recorded) in _UNSENT

    def show(self) -> None:
        """Put the rows that changed, and those of open intents, into the store."""
        self._tagged_objects.scan()
        for intent_id, before in self._before.items():
            if intent_id not in self._intents and stands(before.recorded).open:
                self._intents[intent_id] = replace(before, is_lost=True)
                self._due[intent_id] = None
        self._before.clear()
        rows = [self._row(self._intents[each]) for each in self._due if each in self._intents]
        self._store.approvals = dict(self._approvals)
        self._store.intents.put(rows)
        self._due = {row.intent_id: None for row in rows if row.standing.open}
        self._store.notify()

    def _add_event(self, of: _Intent, row: shared_log.LogRow) -> None:
        boot, event = self._clock.boot(), shared_log.event_of(row)
        of.alerts = ()
        if row.local is None and event.kind in shared_log.DECISIONS:
            of.decided[shared_log.decision_of(event)] = event
        else:
            of.handed_in = with_event(of.handed_in, event)
            of.decided.pop(shared_log.decision_of(event), None)
        if row.kind == EventKind.PROPOSED and row.leaves_for is not None:
            of.approved_until = boot + row.leaves_for
            until = self._clock.now() + timedelta(seconds=row.leaves_for)
            of.proposal = Proposal(shared_log.proposed_body(row), until)
        elif row.leaves_for is not None:
            of.leaves_until = max(of.leaves_until, boot + row.leaves_for)
        if row.arrives_for is not None and boot + row.arrives_for > of.arrives_until:
            of.arrives_until = boot + row.arrives_for
            of.arrives_at = self._clock.now() + timedelta(seconds=row.arrives_for)

    def _row(self, of: _Intent) -> IntentRow:
        boot = self._clock.boot()
        row = replace(row_of(of.recorded), is_colleagues=True, repeat_until=None)
        if of.proposal is not None and row.standing in _UNSENT:
            is_enough = self.approvals(row.intent_id) >= self._store.desk_limits.needs
            row = replace(row, standing=Standing.RECORDED if is_enough else Standing.PROPOSED)
        if row.standing is Standing.SENDING and boot >= of.leaves_until:
            what = f"nothing was heard from {row.user} on {row.host} since it was sent"
            problem = Problem(f"send {row.title}", what)
            row = replace(row, standing=Standing.IN_DOUBT, problem=problem)
        has_ended = of.proposal is not None and boot >= of.approved_until
        if row.is_mandate and row.standing in _UNSENT and has_ended:
            problem = Problem(f"use {row.title}", _ENDED)  # its program may say so later
            since = row.terms.expires_at or row.since
            row = replace(row, standing=Standing.NOT_EXECUTED, since=since, problem=problem)
        if of.is_lost:
            what = "the desk's log lacks it since its database was replaced"
            problem = Problem(f"send {row.title}", what, remedy=f"Start paytui on {row.host}.")
            row = replace(row, problem=problem)
        is_proposed = row.standing is Standing.PROPOSED and boot < of.approved_until
        may_arrive = row.standing is Standing.IN_DOUBT and boot < of.arrives_until
        is_open = row.standing.open
        candidates = self._tagged_objects.of(of.recorded.entry) if is_open else {}
        return replace(
            row,
            proposal=of.proposal if is_proposed else None,
            may_arrive_until=of.arrives_at if may_arrive else None,
            candidates=tuple(sorted(candidates)),
            alerts=(*row.alerts, *of.alerts) if is_open else row.alerts,
        )
