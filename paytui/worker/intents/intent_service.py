"""The intents of one outbox: sent and followed here, or shown while another process sends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from paytui.api.http.request_sender import Sender
from paytui.api.resources import TRACKED
from paytui.config.settings import Profile
from paytui.config.spending_limits import desk_limits, intent_refusal_reason, needs_approval
from paytui.domain.intent import Action, Decision, Intent, IntentRow, SendPermission, Standing
from paytui.domain.models import Kind, Problem, Record
from paytui.outbox.entry import Entry
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox, OutboxReader
from paytui.outbox.syslog import Syslog
from paytui.platform.clock import Clock
from paytui.store.mandates import why_not_named
from paytui.store.store import Store
from paytui.worker.intents.journal import (
    FOLLOWED,
    Journal,
    created,
    left_in_doubt,
    row_of,
    turn_away,
)
from paytui.worker.intents.matching import CreationMatcher
from paytui.worker.intents.resolve_in_doubt import Resolver
from paytui.worker.intents.retry_rules import RetryRules
from paytui.worker.intents.submit import Submitter

if TYPE_CHECKING:  # without a desk, neither is loaded
    from paytui.outbox.shared_log import SharedLog
    from paytui.worker.intents.desk_link import DeskLink, DeskReader


@dataclass(frozen=True, slots=True)
class SendContext:
    """The parts that sending needs beside a client.

    `log`, if set, receives a copy of each entry and event. The limits of `profile` apply, whatever
    a screen allowed; None: no limits. Nothing leaves without the desk's confirmation, if there is a
    desk.
    """

    outbox: Outbox
    retry_rules: RetryRules
    log: Syslog | None = None
    profile: Profile | None = None
    desk: SharedLog | None = None


class IntentService:
    """A service that submits intents and follows each to its end.

    `in_doubt` receives the kinds in which an intent in doubt is looked for, `booked` each object
    that an intent became.
    """

    def __init__(
        self,
        context: SendContext,
        sender: Sender,
        store: Store,
        *,
        read_now: Callable[[Kind], None],
        in_doubt: Callable[[Collection[Kind]], None],
        booked: Callable[[Record], None],
    ) -> None:
        service_time = context.retry_rules.time
        self._journal = Journal(context.outbox, store, context.log, service_time.clock)
        profile = context.profile
        self._desk: DeskLink | None = None
        if context.desk is not None:
            from paytui.outbox.desk_record import DeskRecord
            from paytui.worker.intents.desk_link import DeskLink

            memory = DeskRecord(context.outbox)
            limits = None if profile is None else desk_limits(profile)
            self._desk = DeskLink(
                context.desk, memory, self._journal, store, service_time, limits=limits
            )
        creation_matcher = CreationMatcher(sender, store, service_time)
        self._submitter = Submitter(
            journal=self._journal,
            sender=sender,
            retry_rules=context.retry_rules,
            booked=booked,
            creation_matcher=creation_matcher,
            refusal=self._refusal,
            desk=self._desk,
        )
        self._resolver = Resolver(
            journal=self._journal,
            submitter=self._submitter,
            retry_rules=context.retry_rules,
            store=store,
            creation_matcher=creation_matcher,
            read_now=read_now,
            in_doubt=in_doubt,
            has_heard=lambda: self._desk is None or self._desk.has_looked,
        )
        self.submit = self._submitter.submit
        self.made = self._journal.made
        self.open = self._resolver.take_over
        self._context = context
        self._store, self._time = store, service_time

    def _refusal(self, of: Intent | Entry) -> str:
        """Return why an intent exceeds a limit, or is not within its mandate; empty if neither.

        A mandate counts what may have left, also once it has ended: a repeat uses no more of it.
        """
        profile, store, terms = self._context.profile, self._store, of.terms
        if profile is not None and (words := intent_refusal_reason(profile, store, terms)):
            return words
        row = store.intents.get(of.intent_id)
        is_repeat = row is not None and row.attempts > 0
        if of.action is not Action.BOOK_TRADE or is_repeat or not needs_approval(store, terms):
            return ""
        return why_not_named(store, terms, of.intent_id, self._time.latest())

    def decide(self, decision: Decision) -> None:
        if self._desk is not None and self._journal.get(decision.intent_id) is None:
            self._desk.decide(decision)
        else:
            self._submitter.decide(decision)

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._submitter.run())
            group.create_task(self._resolver.run())
            if self._desk is not None:
                group.create_task(self._desk.run())

    def close(self) -> None:
        """Write what could not be written before, and close the outbox."""
        self._journal.catch_up()
        if self._desk is not None:
            self._desk.close()
        self._context.outbox.close()
        if self._context.log is not None:
            self._context.log.close()


MAX_FAILED_READS = 3
"""Consecutive reads that fail, as beside a busy writer, before that is reported."""


class OutboxFollower:
    """A follower of an outbox that another process writes."""

    def __init__(self, history: OutboxReader, store: Store, clock: Clock) -> None:
        self._history = history
        self.close = history.close
        self._store = store
        self._clock = clock
        self._on_their_way: Sequence[IntentRow] = ()
        self._is_behind = True
        self._failures = 0
        self._as_of: datetime | None = None

    def poll(self) -> str:
        """Read and show changes. Return a message if reads keep failing or it is damaged."""
        try:
            self._read()
        except OutboxError as error:
            self._failures += 1
            if self._failures < MAX_FAILED_READS:
                return ""
            if self._as_of is None:
                return f"Intents cannot be shown. {error.problem}"
            return f"Intents are shown as they were at {self._as_of:%H:%M:%S} UTC. {error.problem}"
        self._failures, self._as_of = 0, self._clock.now()
        return str(self._history.damage.problem) if self._history.damage else ""

    @property
    def damaged(self) -> bool:
        return self._history.damage is not None

    def _read(self) -> None:
        owned = self._history.is_owned()  # first, so that the last writes of an owner are seen
        self._is_behind = self._history.changed() or self._is_behind
        if self._is_behind:
            rows = [row_of(recorded) for recorded in self._history.read()]
            self._on_their_way = [row for row in rows if row.standing is Standing.SENDING]
            self._store.intents.put(row for row in rows if row.standing is not Standing.SENDING)
            self._is_behind = False
        left = self._on_their_way if owned else map(left_in_doubt, self._on_their_way)
        self._store.intents.put(left)


EVERY = 5.0  # Seconds between reads of an outbox that another process writes


@dataclass(frozen=True, slots=True)
class SendingDisabled:
    """The reason why nothing may be sent, for all screens that could send.

    `history` reads the outbox that another process may send from, `desk` the desk's log. If it
    `is_owned`, another process owned the outbox at the start, and `why` is told of its owner now.
    """

    why: str
    history: OutboxReader | None = None
    damaged: bool = False
    desk: SharedLog | None = None
    is_owned: bool = False


READS_ONLY = SendingDisabled("This program only reads.")


class ReadOnlyIntents:
    """A read-only stand-in for `IntentService`: refuses intents, and shows those of others."""

    def __init__(self, store: Store, disabled: SendingDisabled, clock: Clock) -> None:
        self._store = store
        self._disabled = disabled
        history = disabled.history
        self._follower = None if history is None else OutboxFollower(history, store, clock)
        self._desk: DeskReader | None = None
        if disabled.desk is not None:
            from paytui.worker.intents.desk_link import DeskReader

            self._desk = DeskReader(disabled.desk, store, clock, self._note_desk)
        self._desk_words = ""
        self._made: Mapping[Kind, Sequence[str]] = {}
        self._made_at = 0
        self._is_open = False
        why, brief = self._why()
        store.set_sending(
            SendPermission(allowed=False, why=why, damaged=disabled.damaged, brief=brief)
        )

    def _why(self) -> tuple[str, str]:
        """Return why nothing may be sent, and what to do in a few words, if that is known."""
        if self._disabled.is_owned and self._disabled.history is not None:
            owner = self._disabled.history.owner()
            return str(owner.problem), owner.brief
        return self._disabled.why, ""

    def submit(self, intent: Intent) -> None:
        why, _ = self._why()
        problem = Problem(f"send {intent.title}", "nothing was sent", remedy=why)
        turn_away(self._store, intent, problem)

    def decide(self, decision: Decision) -> None:
        """Ignore the decision."""

    def made(self) -> Mapping[Kind, Sequence[str]]:
        """Return the objects that another process created, to be read one by one."""
        intents = self._store.intents
        if not self._is_open:
            self.open()
        if intents.version != self._made_at:
            self._made_at = intents.version
            self._made = {kind: created(self._store, kind, FOLLOWED) for kind in TRACKED}
        return self._made

    def open(self) -> None:
        """Show the content of the outbox, if it can be read."""
        self._is_open = True
        if self._follower is None and self._desk is None:
            return
        damaged, words = self._disabled.damaged, ""
        if self._follower is not None:
            words = self._follower.poll()
            if damaged and self._follower.damaged:
                words = ""  # it is said
            damaged = damaged or self._follower.damaged
        why, brief = self._why()
        why = " ".join(filter(None, (why, words, self._desk_words)))
        self._store.set_sending(
            SendPermission(allowed=False, why=why, damaged=damaged, brief=brief)
        )
        self._store.notify()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            if self._desk is not None:
                group.create_task(self._desk.run())
            while self._follower is not None:
                await asyncio.sleep(EVERY)
                self.open()

    def _note_desk(self, words: str) -> None:
        if words != self._desk_words:
            self._desk_words = words
            self.open()

    def close(self) -> None:
        if self._follower is not None:
            self._follower.close()
        if self._desk is not None:
            self._desk.close()
