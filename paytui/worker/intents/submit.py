"""Submission of intents: each is executed once, or not at all.

Reasons why money cannot move twice:

1. The outbox holds an intent, with its exact body and key, before anything is sent (`_carry_out`).
   It holds each attempt before the attempt's first byte is sent (`Attempt.before_send`).
2. Without asking, an intent is sent once. It is sent again only if the service refuses the token (a
   401 with a code that the dialect names). Reads tell which spelling of a path works (`_send`). One
   table maps failures to outcomes (`failure_outcome`): if a request may have been executed, the
   intent is in doubt.
3. A repeat sends the same bytes under the same key as the same client (`_send_kept`). Either the
   trader asks for it, or `resolve.py` does: after a look-up that found nothing, if the service
   recognises a key that it has seen, and for at most ten minutes after this process confirmed it.
4. An intent has at most one attempt under way (`_begin`). One process owns the outbox; it checks
   that again when the connection stands, before the first byte (`Attempt.connected`).
5. On a desk, an attempt leaves only after the desk's log has it, once for all outboxes, and within
   a time after which others may settle it (`Attempt.before_send`, `desk_link.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence, Set
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeAlias

from paytui.api.errors import ApiError, Effect, NotSent
from paytui.api.http.request_sender import Sender, SendHooks, SendResult
from paytui.api.resources import identifier_of
from paytui.domain.desk_limits import OVER_REMEDY
from paytui.domain.intent import Action, Decision, Intent, IntentId, IntentRow, Standing, Verdict
from paytui.domain.mandate import Mandate
from paytui.domain.models import Payment, Problem, Record, Trade
from paytui.domain.requests import PreparedRequest
from paytui.outbox.entry import Entry, Event, EventKind, RecordedIntent
from paytui.outbox.file import OutboxError
from paytui.platform.clock import ServiceTime
from paytui.worker.intents.journal import (
    IN_DOUBT_NEXT,
    Journal,
    note_booked_otherwise,
    row_of,
    stands,
)
from paytui.worker.intents.matching import CreationMatcher, differences, why_another, with_parents
from paytui.worker.intents.retry_rules import RetryRules, just_confirmed, rate_check
from paytui.worker.sync.shared import Jobs, unexpected

if TYPE_CHECKING:  # without a desk it is not loaded
    from paytui.worker.intents.desk_link import DeskLink

Depart: TypeAlias = Callable[[IntentId], Awaitable[float]]

TOKEN_TIMEOUT = 20.0
"""Seconds that a request waits for its token; longer waits are reported to the trader."""


class Withdrawn(Exception):
    """An attempt that is not sent: its intent was settled, proposed again, or seen first."""


class Attempt(SendHooks):
    """One attempt to send an intent, as the hooks of its requests.

    The attempt is recorded once the token is there: only then is the service's time known.
    `final_check` raises `NotSent` if the request must not be sent. So does `depart`, if there is a
    desk; it returns the boot time before which the first byte must leave.

    Attributes:
        is_first: True if no earlier attempt may have arrived.
        may_have_arrived: True if a request of this attempt may have arrived.
        is_written: True if the outbox holds this attempt.
        status: that of a response that refused the token, until the next attempt.
    """

    def __init__(
        self,
        journal: Journal,
        intent_id: IntentId,
        prepared: PreparedRequest,
        final_check: Callable[[], None],
        time: ServiceTime,
        *,
        depart: Depart | None = None,
    ) -> None:
        self._depart = depart
        self._leave_by: float | None = None
        self._journal = journal
        self._intent_id = intent_id
        self._final_check = final_check
        self._time = time
        self._prepared = prepared
        self._has_begun = False
        self._timeout: asyncio.Timeout | None = None
        self._stands = self._row().standing
        self.is_first = self._stands is Standing.RECORDED
        self.may_have_arrived = False
        self.is_written = False
        self.status: int | None = None

    @asynccontextmanager
    async def limit_wait(self) -> AsyncIterator[None]:
        """Limit the time until the request is sent; the response may take longer.

        Raises:
            TimeoutError: the request was not sent in time, and will not be.
        """
        async with asyncio.timeout(TOKEN_TIMEOUT) as self._timeout:
            yield

    async def before_send(self) -> None:
        """Record the attempt before its first byte, here and then at the desk.

        Raises:
            NotSent: it must not be sent.
            OutboxError: it cannot be recorded.
            Withdrawn: the intent is settled, or the service holds its object.
        """
        self._check_unsettled()
        self._final_check()
        sending = Event(
            kind=EventKind.SENDING,
            at=self._time.latest(),
            not_before=self._time.earliest() if self._time.known else None,
            method=self._prepared.method,
            path=self._prepared.path,
        )
        self._journal.add(self._intent_id, sending)
        self._stands = Standing.SENDING
        self.is_written, self.status = True, None
        if self._depart is not None:
            try:
                self._leave_by = await self._depart(self._intent_id)
            except ApiError as error:
                self.may_have_arrived = error.written  # from elsewhere
                raise
            self._check_unsettled()
        self._final_check()  # again, since writing to disk may have been slow
        self.may_have_arrived = True
        self._set_timeout(None)

    def connected(self) -> None:
        """Check again just before the first byte, since connecting may take seconds.

        On a desk the rest leaves in time, too: this program may have been stopped after the first
        byte, and a colleague may have settled the intent meanwhile.

        Raises:
            NotSent, OutboxError: the request must not be sent; `written` if a part of it was.
        """
        if not self._has_begun:
            self._journal.check_ours()
        if self._leave_by is not None and self._time.clock.boot() >= self._leave_by:
            raise NotSent(_TOO_LATE, written=self._has_begun)
        if not self._has_begun:
            self._final_check()
            self._has_begun = True

    def token_refused(self) -> None:
        """Note that the service refused the token and did nothing."""
        self.may_have_arrived = self._has_begun = False
        self.status = HTTPStatus.UNAUTHORIZED
        self._set_timeout(TOKEN_TIMEOUT)

    def switch_path(self, prepared: PreparedRequest) -> None:
        """Send this request instead, and record its path for a later process.

        Raises:
            Withdrawn: the intent is settled.
        """
        self._check_unsettled()
        elsewhere = Event(
            kind=EventKind.ELSEWHERE,
            at=self._time.latest(),
            method=prepared.method,
            path=prepared.path,
        )
        self._journal.note(self._intent_id, elsewhere)
        self._stands = self._row().standing
        self._prepared = prepared

    def _check_unsettled(self) -> None:
        row = self._row()
        is_changed = row.standing is not self._stands or row.standing is Standing.PROPOSED
        if not row.standing.open or is_changed or row.booked_otherwise:
            raise Withdrawn

    def _set_timeout(self, seconds: float | None) -> None:
        if self._timeout is not None:
            now = asyncio.get_running_loop().time()
            self._timeout.reschedule(None if seconds is None else now + seconds)

    def _row(self) -> IntentRow:
        recorded = self._journal.get(self._intent_id)
        assert recorded is not None
        return row_of(recorded)


_TOO_LATE = Problem("send the intent", "the desk's confirmation that it may leave has expired")

_FIRST = {
    Effect.NONE: EventKind.NOT_EXECUTED,
    Effect.REFUSED: EventKind.REFUSED,
    Effect.UNKNOWN: EventKind.IN_DOUBT,
}


def failure_outcome(error: ApiError, *, first: bool) -> EventKind:
    """Return the event that a failed attempt causes (architecture.md).

    `ApiError.effect` tells the effect of one attempt by itself. Earlier attempts change its
    meaning: "insufficient funds" may be due to our own first attempt.

    | The attempt                                              | as the first | later    |
    |----------------------------------------------------------|--------------|----------|
    | nothing written: no connection, DNS, TLS, no token       | not executed | in doubt |
    | time-out, cut, 5xx, 408, 499, 3xx, unreadable 2xx        | in doubt     | in doubt |
    | any 4xx that is not in the service's error shape         | in doubt     | in doubt |
    | any 4xx that speaks of the idempotency key               | in doubt     | in doubt |
    | 409 that says when to come back: the key is at work      | in doubt     | in doubt |
    | 401 with a code for the token, that cannot be renewed    | not executed | in doubt |
    | 429 in the service's error shape                         | not executed | in doubt |
    | any other 4xx in the service's error shape               | refused      | in doubt |
    | the same, marked as an answer given before               | refused      | refused  |

    Args:
        first: True if no earlier attempt of the same intent may have arrived.
    """
    if first:
        return _FIRST[error.effect]
    told_before = error.effect is Effect.REFUSED and error.replayed
    return EventKind.REFUSED if told_before else EventKind.IN_DOUBT


class Submitter:
    """A sender of intents that records each outcome.

    `refusal` returns why an intent exceeds a limit, or an empty string. Screens check the same
    before; this check cannot be bypassed. An intent that a colleague of the desk must approve first
    is sent by the trader's decision then.
    """

    def __init__(
        self,
        *,
        journal: Journal,
        sender: Sender,
        retry_rules: RetryRules,
        booked: Callable[[Record], None],
        creation_matcher: CreationMatcher,
        refusal: Callable[[Intent | Entry], str],
        desk: DeskLink | None = None,
    ) -> None:
        self._refusal = refusal
        self._desk = desk
        self._creation_matcher = creation_matcher
        self._journal = journal
        self._sender = sender
        self._rules = retry_rules
        self._time = retry_rules.time
        self._booked = booked
        self._under_way: set[IntentId] = set()
        self.is_under_way = self._under_way.__contains__
        self._confirmed: dict[IntentId, tuple[float, datetime]] = {}
        self._jobs = Jobs()

    def submit(self, intent: Intent) -> None:
        """Start sending an intent. A known one is ignored."""
        if self._journal.get(intent.intent_id) is None:
            clock = self._time.clock
            self._confirmed[intent.intent_id] = clock.boot(), clock.now()
            self._begin(intent.intent_id, self._carry_out(intent))

    async def _carry_out(self, intent: Intent) -> None:
        try:
            if words := self._journal.held or self._refusal(intent):
                problem = Problem(f"send {intent.title}", "nothing was sent", remedy=words)
                self._journal.turn_away(intent, problem)
                return
            intent = self._creation_matcher.with_snapshot(intent)
            known = self._creation_matcher.known(intent.action)
            variants = self._prepare(intent)
            entry = self._rules.entry(intent, variants[0])
            proposal = None if self._desk is None else self._desk.proposal(entry)
            if proposal is None and isinstance(intent.request, Mandate):
                self._journal.turn_away(intent, _NO_DESK)
                return
            self._journal.record(entry)
        except (ApiError, OutboxError) as error:
            self._journal.turn_away(intent, error.problem)
            return
        except Exception as error:  # noqa: BLE001 - the trader is told of any bug
            self._journal.turn_away(intent, _bug(intent.title, error))
            return
        if proposal is not None:
            self._journal.note(entry.intent_id, proposal)
        else:
            await self._attempt(entry, variants, just_confirmed(self._time, intent), known)

    def _prepare(self, intent: Intent) -> Sequence[PreparedRequest]:
        """Return the request in each spelling of its path; a mandate has none, and never leaves."""
        request, key = intent.request, intent.key
        if isinstance(request, Mandate):
            attempted, body = f"propose {intent.title}", request.body
            return [
                PreparedRequest(
                    attempted=attempted, method="", path="", key_header="", key=key, body=body
                )
            ]
        return self._sender.prepare(intent.action.value, request, key)

    async def _attempt(
        self,
        entry: Entry,
        variants: Sequence[PreparedRequest],
        final_check: Callable[[], None],
        known: Set[str] = frozenset(),
    ) -> None:
        """Send one of several requests, which differ in the spelling of their path.

        Args:
            final_check: raises `NotSent` if the request must not be sent.
            known: objects that existed before; the intent became none of them.
        """
        attempt = Attempt(
            self._journal,
            entry.intent_id,
            variants[0],
            final_check,
            self._time,
            depart=None if self._desk is None else self._desk.depart,
        )
        try:
            async with attempt.limit_wait():
                result = await self._send(entry, variants, attempt)
        except Withdrawn:
            return
        except TimeoutError:
            self._record_unsent(entry, attempt, _NO_TOKEN)
        except OutboxError as error:
            if attempt.is_written:
                self._record_unsent(entry, attempt, error.problem)
        except ApiError as error:
            if attempt.may_have_arrived:
                kind = failure_outcome(error, first=attempt.is_first)
                self._failed(entry, kind, error.problem, error.status)
            elif attempt.is_written or attempt.is_first:
                self._record_unsent(entry, attempt, error.problem)
        except Exception as error:  # noqa: BLE001 - after any bug, the request may have arrived
            mistake = _bug(entry.title, error)
            self._failed(entry, EventKind.IN_DOUBT, mistake)
        else:
            self._answered(entry, result, known)

    async def _send(
        self, entry: Entry, variants: Sequence[PreparedRequest], attempt: Attempt
    ) -> SendResult:
        operation = entry.action.value
        prepared = await self._sender.likeliest(variants, operation)
        if prepared is not variants[0]:
            attempt.switch_path(prepared)
        return await self._sender.send(prepared, operation, attempt)

    def _record_unsent(self, entry: Entry, attempt: Attempt, problem: Problem) -> None:
        """Record that nothing of this attempt has arrived.

        Doubt from earlier attempts remains, and so does a decision of the trader.
        """
        now = self._journal.get(entry.intent_id)
        if now is not None and (not stands(now).open or row_of(now).booked_otherwise):
            return
        kind = EventKind.NOT_EXECUTED if attempt.is_first else EventKind.IN_DOUBT
        self._failed(entry, kind, problem, attempt.status)

    def _begin(self, intent_id: IntentId, work: Coroutine[object, object, None]) -> None:
        """Start an attempt, unless another one of the intent is under way."""
        if intent_id in self._under_way:
            work.close()
            return
        self._under_way.add(intent_id)
        task = self._jobs.begin(work)
        task.add_done_callback(lambda _: self._under_way.discard(intent_id))

    async def run(self) -> None:
        """Send intents, until cancelled. Requests under way may then have arrived."""
        await self._jobs.run()

    # Repeats and decisions

    def repeat(self, recorded: RecordedIntent) -> None:
        """Send an intent in doubt again without asking: the same bytes, the same key.

        An intent that exceeds a limit by now, or cannot be checked, is left to the trader.
        """
        try:
            if not self._refusal(recorded.entry):
                self._send_kept(recorded, rate_check(self._time, recorded.entry.terms, None))
        except Exception as error:  # noqa: BLE001 - a bug must not stop other intents
            words = _not_done("It is not resent automatically", recorded.entry, error)
            if words not in row_of(recorded).alerts:  # this is retried every few seconds
                self._alert(recorded.entry, words)

    def decide(self, decision: Decision) -> None:
        """Carry out a decision of the trader, if the intent is still open."""
        recorded = self._journal.get(decision.intent_id)
        if recorded is None:
            return
        try:
            self._do(decision, recorded)
        except Exception as error:  # noqa: BLE001 - a bug must not stop other decisions
            words = _not_done("The decision was not carried out", recorded.entry, error)
            self._alert(recorded.entry, words)

    def _do(self, decision: Decision, recorded: RecordedIntent) -> None:
        if why_not := self._journal.why_not(decision):
            self._alert(recorded.entry, why_not)
            return
        match stands(recorded), decision.verdict:
            case Standing.RECORDED, Verdict.SEND if recorded.entry.action is not Action.MANDATE:
                self._send_kept(recorded, rate_check(self._time, recorded.entry.terms, None))
            case Standing.IN_DOUBT, Verdict.REPEAT:
                self._send_kept(recorded, lambda: None)  # at any rate: the trader asks for it
            case Standing.IN_DOUBT, Verdict.DONE:
                self._settled(decision, EventKind.DONE)
            case ((Standing.IN_DOUBT | Standing.RECORDED | Standing.PROPOSED), Verdict.NOT_DONE):
                self._settled(decision, EventKind.NOT_DONE)

    def age(self, intent_id: IntentId) -> timedelta | None:
        """Return the age of an intent: the larger of boot time and host time.

        None for an intent of an earlier process.
        """
        if intent_id not in self._confirmed:
            return None
        boot, now = self._confirmed[intent_id]
        clock = self._time.clock
        return max(timedelta(seconds=clock.boot() - boot), clock.now() - now)

    def _send_kept(self, recorded: RecordedIntent, final_check: Callable[[], None]) -> None:
        entry = recorded.entry
        if words := self._journal.held or self._refusal(entry):
            self._alert(entry, f"It is not sent: {words}")
        elif self._rules.is_for_this_service(entry):
            prepared = _last_request(recorded)
            self._begin(entry.intent_id, self._attempt(entry, [prepared], final_check))
        else:
            who = f"{entry.profile} at {entry.base_url} as {entry.client_id or 'an unknown client'}"
            self._alert(entry, f"It was confirmed for {who}: send it from there.")

    # Outcomes, as events

    def _answered(self, entry: Entry, result: SendResult, known: Set[str]) -> None:
        """Record a success, or doubt if the named object is not the intent's or differs from it."""
        if (words := self._not_its_own(entry, result.record, known)) is None:
            self._accepted(entry, result)
        else:
            problem = Problem(f"send {entry.title}", words.rstrip("."))
            recorded = self._journal.get(entry.intent_id)
            # A repeat may get the same response.
            if recorded is None or words not in row_of(recorded).alerts:
                self._alert(entry, words)
            untold = isinstance(result.record, Payment | Trade) and not result.record.reference
            named = (identifier_of(result.record),) if untold else ()
            self._failed(entry, EventKind.IN_DOUBT, problem, result.status, named)

    def _failed(
        self,
        entry: Entry,
        kind: EventKind,
        problem: Problem,
        status: int | None = None,
        named: tuple[str, ...] = (),
    ) -> None:
        """Record a failure of this kind, or doubt; `named` is an object whose tag is not known."""
        if kind in _NEXT and problem.remedy != OVER_REMEDY:  # unlike a read, money is not retried
            problem = replace(problem, remedy=_NEXT[kind])
        is_in_doubt = kind is EventKind.IN_DOUBT
        failed = Event(
            kind=kind,
            at=self._time.latest(),
            status=status,
            problem=problem,
            candidates=named,
            may_arrive_until=self._rules.may_arrive_until() if is_in_doubt else None,
        )
        self._journal.note(entry.intent_id, failed)

    def _settled(self, decision: Decision, kind: EventKind) -> None:
        """Record a decision of the trader; it has no effect if it cannot be written."""
        settled = Event(
            kind=kind,
            at=self._time.latest(),
            object_id=decision.object_id,
            user=self._rules.user,
        )
        with suppress(OutboxError):
            self._journal.add(decision.intent_id, settled)

    def _alert(self, entry: Entry, words: str) -> None:
        """Record an alert, which stays for the trader to see."""
        alert = Event(kind=EventKind.ALERT, at=self._time.latest(), words=words)
        self._journal.note(entry.intent_id, alert)

    def _accepted(self, entry: Entry, result: SendResult) -> None:
        at, status, object_id = self._time.latest(), result.status, identifier_of(result.record)
        found = differences(entry.terms, result.record)
        if found and entry.action.moves_money:
            note_booked_otherwise(self._journal, entry, object_id, found, at=at, status=status)
        else:
            # Alerts first: a crash in between leaves it in doubt, never without its alert.
            for words in found:
                self._alert(entry, words)
            accepted = Event(kind=EventKind.ACCEPTED, at=at, status=status, object_id=object_id)
            self._journal.note(entry.intent_id, accepted)
        self._booked(with_parents(result.record, entry.terms))

    def _not_its_own(self, entry: Entry, record: Record, known: Set[str]) -> str | None:
        """Return in words why the named object cannot be the intent's; None if it can."""
        identifier = identifier_of(record)
        claims = self._journal.claims(entry.action.becomes)
        claimed_by = claims.get(identifier, entry.intent_id)
        if claimed_by != entry.intent_id:
            return f"The service answers with {identifier}, the result of {claimed_by}."
        recorded = self._journal.get(entry.intent_id)
        if recorded is not None and (words := why_another(recorded, record)) is not None:
            return f"The service answers with {identifier}, which {words.rstrip('.')}."
        if identifier in known:
            return f"The service answers with {identifier}, which was there before it was sent."
        return None


_NO_DESK = Problem("propose a mandate", "it takes a desk, whose colleagues approve it")
_NO_TOKEN = Problem("send the intent", "there was no token in time")


def _last_request(recorded: RecordedIntent) -> PreparedRequest:
    """Return the last request that was sent, or that was to be sent."""
    entry = recorded.entry
    assert isinstance(entry.body, bytes)  # the body of an open intent is never purged
    named = [event for event in recorded.events if event.path is not None]
    method, path = (named[-1].method, named[-1].path) if named else (None, None)
    return PreparedRequest(
        attempted=f"send {entry.title}",
        method=method or entry.method,
        path=path or entry.path,
        key_header=entry.key_header,
        key=entry.key,
        body=entry.body,
    )


def _bug(title: str, error: Exception) -> Problem:
    """Return a problem for a bug in paytui. Unlike a read, sending is not retried."""
    problem = unexpected(f"send {title}", error).problem
    return replace(problem, remedy="Please report it.")


def _not_done(what: str, entry: Entry, error: Exception) -> str:
    """Return an alert: a bug in paytui prevented something."""
    return f"{what}: {_bug(entry.title, error).happened}"


_NEXT = {
    EventKind.IN_DOUBT: IN_DOUBT_NEXT,
    EventKind.NOT_EXECUTED: "Nothing was executed. Confirm it again if you still want it.",
}
