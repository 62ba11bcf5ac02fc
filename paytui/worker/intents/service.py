"""All that is done with intents, put together: one outbox, one service, one store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from paytui.api.resources import TRACKED
from paytui.api.sending import Sender
from paytui.config.settings import Profile
from paytui.config.spending_limits import intent_refusal_reason
from paytui.domain.intent import Decision, Intent, IntentRow, IntentTerms, SendPermission, Standing
from paytui.domain.models import Kind, Problem, Record
from paytui.outbox.errors import OutboxError
from paytui.outbox.history import OutboxReader
from paytui.outbox.outbox import Outbox
from paytui.outbox.syslog import Syslog
from paytui.platform.clock import Clock, ServiceTime
from paytui.store.store import Store
from paytui.worker.intents.created_objects import created
from paytui.worker.intents.entry_builder import EntryBuilder, QuoteCheck
from paytui.worker.intents.journal import FOLLOWED, Journal
from paytui.worker.intents.matching import CreationMatcher
from paytui.worker.intents.resolve import Resolver
from paytui.worker.intents.rows import left_in_doubt, row_of, row_turned_away
from paytui.worker.intents.submit import Submitter


@dataclass(frozen=True, slots=True)
class SendContext:
    """The parts that sending needs beside a client: outbox, log, entry builder.

    Attributes:
        log: gets a copy of each line, where that is set.
        profile: whose limits hold, whatever a screen has let through; None: there are none.
    """

    outbox: Outbox
    entry_builder: EntryBuilder
    log: Syslog | None = None
    profile: Profile | None = None


class IntentService:
    """Submits intents, and follows each to its end.

    Args:
        read_now: has the list of a kind read now.
        in_doubt: told in which kinds something is looked for.
        booked: called with each object that came of an intent.
    """

    def __init__(
        self,
        context: SendContext,
        sender: Sender,
        store: Store,
        service_time: ServiceTime,
        *,
        read_now: Callable[[Kind], None],
        in_doubt: Callable[[Collection[Kind]], None],
        booked: Callable[[Record], None],
    ) -> None:
        self._journal = Journal(context.outbox, store, context.log, service_time.clock)
        creation_matcher = CreationMatcher(sender, store, service_time)
        self._submitter = Submitter(
            journal=self._journal,
            sender=sender,
            entry_builder=context.entry_builder,
            quotes=QuoteCheck(service_time),
            service_time=service_time,
            booked=booked,
            creation_matcher=creation_matcher,
            refusal=partial(_refusal, context.profile, store),
        )
        self._resolver = Resolver(
            journal=self._journal,
            submitter=self._submitter,
            entry_builder=context.entry_builder,
            store=store,
            service_time=service_time,
            creation_matcher=creation_matcher,
            read_now=read_now,
            in_doubt=in_doubt,
        )
        self._context = context

    def submit(self, intent: Intent) -> None:
        """See `Port`."""
        self._submitter.submit(intent)

    def decide(self, decision: Decision) -> None:
        """See `Port`."""
        self._submitter.decide(decision)

    def made(self) -> Mapping[Kind, Sequence[str]]:
        """Return the objects that intents became, to be read one by one without a list."""
        return self._journal.made()

    def open(self) -> None:
        """Show what the outbox holds; what a process that ended left under way is in doubt."""
        self._resolver.take_over()

    async def run(self) -> None:
        """Carry out intents and follow them, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._submitter.run())
            group.create_task(self._resolver.run())

    def close(self) -> None:
        """Let the outbox go, with all that could not be written into it before."""
        self._journal.catch_up()
        self._context.outbox.close()
        if self._context.log is not None:
            self._context.log.close()


def _refusal(profile: Profile | None, store: Store, terms: IntentTerms) -> str:
    return "" if profile is None else intent_refusal_reason(profile, store, terms)


# Following what another process does with an outbox, as it writes it down.

MAX_FAILED_READS = 3
"""Looks that may fail one after the other, as beside a busy writer, before it is said."""


class OutboxFollower:
    """Shows intents that this process does not send.

    Args:
        history: of the outbox; closed with `close`.
        clock: tells how old what is shown is, where it cannot be read any more.
    """

    def __init__(self, history: OutboxReader, store: Store, clock: Clock) -> None:
        self._history = history
        self._store = store
        self._clock = clock
        self._on_their_way: Sequence[IntentRow] = ()
        self._is_behind = True
        self._failures = 0
        self._as_of: datetime | None = None

    def look(self) -> str:
        """Show what is new.

        Returns:
            How old what is shown is, and why, where it cannot be read for long; how the outbox is
            damaged; else nothing.
        """
        try:
            self._read()
        except OutboxError as error:
            self._failures += 1
            return self._what_fails(error.problem) if self._failures >= MAX_FAILED_READS else ""
        self._failures, self._as_of = 0, self._clock.now()
        return str(self._history.damage.problem) if self._history.damage else ""

    @property
    def damaged(self) -> bool:
        """Return True if the outbox is damaged."""
        return self._history.damage is not None

    def close(self) -> None:
        """Let go of the outbox."""
        self._history.close()

    def _read(self) -> None:
        owned = self._history.is_owned()  # asked first: what an owner wrote at its end is then seen
        self._is_behind = self._history.changed() or self._is_behind
        if self._is_behind:
            self._take_in([row_of(recorded) for recorded in self._history.read()])
            self._is_behind = False
        left = self._on_their_way if owned else map(left_in_doubt, self._on_their_way)
        self._store.intents.put(left)

    def _take_in(self, rows: Sequence[IntentRow]) -> None:
        self._on_their_way = [row for row in rows if row.standing is Standing.SENDING]
        self._store.intents.put(row for row in rows if row.standing is not Standing.SENDING)

    def _what_fails(self, problem: Problem) -> str:
        if self._as_of is None:
            return f"What was sent from here cannot be shown. {problem}"
        return f"What was sent is shown as it was at {self._as_of:%H:%M:%S} UTC. {problem}"


# A read-only stand-in for orders: says why, and shows what others sent.

EVERY = 5.0
"""Seconds between two looks for what another process has written."""


@dataclass(frozen=True, slots=True)
class SendingDisabled:
    """Nothing may be sent.

    Attributes:
        why: shown wherever something could be sent.
        history: of the outbox that another process may send from.
        damaged: see `Sending`.
    """

    why: str
    history: OutboxReader | None = None
    damaged: bool = False


READS_ONLY = SendingDisabled("This program only reads.")


class ReadOnlyIntents:
    """Takes intents and turns each away."""

    def __init__(self, store: Store, closed: SendingDisabled, clock: Clock) -> None:
        self._store = store
        self._closed = closed
        history = closed.history
        self._follower = None if history is None else OutboxFollower(history, store, clock)
        self._made: Mapping[Kind, Sequence[str]] = {}
        self._made_at = 0
        self._has_looked = False
        store.set_sending(SendPermission(allowed=False, why=closed.why, damaged=closed.damaged))

    def submit(self, intent: Intent) -> None:
        """Show that nothing was sent."""
        problem = Problem(f"send {intent.title}", "nothing was sent", remedy=self._closed.why)
        self._store.intents.put([row_turned_away(intent, problem)])
        self._store.notify()

    def decide(self, decision: Decision) -> None:
        """Nothing is decided here."""

    def made(self) -> Mapping[Kind, Sequence[str]]:
        """Return the objects that another process created, to be read one by one."""
        intents = self._store.intents
        if not self._has_looked:
            self.open()
        if intents.version != self._made_at:
            self._made_at = intents.version
            self._made = {kind: created(self._store, kind, FOLLOWED) for kind in TRACKED}
        return self._made

    def open(self) -> None:
        """Show the content of the outbox, if it can be read."""
        self._has_looked = True
        if self._follower is not None:
            words = self._follower.look()
            is_said = self._closed.damaged and self._follower.damaged
            why = f"{self._closed.why} {words}" if words and not is_said else self._closed.why
            damaged = self._closed.damaged or self._follower.damaged
            self._store.set_sending(SendPermission(allowed=False, why=why, damaged=damaged))
            self._store.notify()

    async def run(self) -> None:
        """Follow what another process does, until cancelled."""
        while self._follower is not None:
            await asyncio.sleep(EVERY)
            self.open()

    def close(self) -> None:
        """Let go of the outbox."""
        if self._follower is not None:
            self._follower.close()
