"""Carries out what people confirmed: each intent once, or not at all.

Why money cannot move twice, and nothing is made twice:

1. An intent is on disk, to the byte and with its key, before anything of it leaves (`_carry_out`),
   and each attempt is on disk before its first byte does (`departure.py`).
2. By itself an intent is sent once; again only where the service itself refuses the token (a 401
   with a code that the dialect names). Which spelling of a path it goes to is learnt by reads
   (`_send`). What an attempt may have done is judged by one table (`verdict.py`): where it may have
   been executed, the intent is in doubt.
3. A repeat sends the same bytes under the same key, never a new rendering, and as the same client
   (`_send_kept`). A trader asks for it; or `resolve.py`, after a look that found nothing, where the
   service is known to answer a key that it has seen before, and for ten minutes at the most after
   it was confirmed in this process.
4. An intent has one attempt under way at a time (`_begin`), and one process owns the outbox: when
   the connection stands, before the first byte, it looks whether it still does (`departure.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence, Set
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from paytui.api.errors import ApiError, Effect
from paytui.api.sending import Sender, SendResult
from paytui.domain.intent import Decision, Intent, IntentId, IntentTerms, Standing, Verdict
from paytui.domain.models import Problem, Record
from paytui.domain.requests import PreparedRequest
from paytui.outbox.entry import Entry, Event, EventKind, RecordedIntent
from paytui.outbox.errors import OutboxError
from paytui.platform.clock import ServiceTime
from paytui.worker.intents.entry_builder import EntryBuilder, QuoteCheck, no_check
from paytui.worker.intents.journal import Journal, OutcomeRecorder
from paytui.worker.intents.matching import CreationMatcher
from paytui.worker.intents.rows import row_of, stands
from paytui.worker.sync.health import unexpected
from paytui.worker.tasks import Jobs

# One attempt to send an intent: whether it may leave, when it did, and what may have arrived.
#
# A letter leaves after a last look, and is on disk before its first byte.

TOKEN_TIMEOUT = 20.0
"""Seconds that a letter waits for its token: a trader who waits for longer wants to be told."""


class Withdrawn(Exception):
    """A trader has settled the intent while the attempt had not left yet: it does not leave."""


class Attempt:
    """An attempt of one intent, as a `Passage` of its letters.

    Its departures are dated when the token is at hand: only then has the service told its time.

    Args:
        letter: what goes out; `switch_path` changes it.
        final_check: raises `NotSent` where the letter must not leave.

    Attributes:
        is_first: whether no earlier attempt may have arrived.
        may_have_arrived: whether a letter of this one may have; not one that came back.
        is_written: whether any departure of it is on disk.
    """

    def __init__(
        self,
        journal: Journal,
        intent_id: IntentId,
        letter: PreparedRequest,
        final_check: Callable[[], None],
        time: ServiceTime,
    ) -> None:
        self._journal = journal
        self._intent_id = intent_id
        self._final_check = final_check
        self._time = time
        self._letter = letter
        self._patience: asyncio.Timeout | None = None
        self._stands = self._standing()
        self.is_first = self._stands is Standing.RECORDED
        self.may_have_arrived = False
        self.is_written = False

    @asynccontextmanager
    async def patience(self) -> AsyncIterator[None]:
        """Inside, it has so long to leave; once it has, the answer has all the time that it takes.

        Raises:
            TimeoutError: it has not left in time, and will not.
        """
        async with asyncio.timeout(TOKEN_TIMEOUT) as self._patience:
            yield

    def before_send(self) -> None:
        """Let it leave.

        Raises:
            NotSent: it must not.
            OutboxError: it cannot be written down.
            Withdrawn: it is settled.
        """
        if not self._stands.open or self._standing() is not self._stands:
            raise Withdrawn
        self._final_check()
        sending = Event(
            kind=EventKind.SENDING,
            at=self._time.latest(),
            not_before=self._time.earliest(),
            method=self._letter.method,
            path=self._letter.path,
        )
        self._journal.add(self._intent_id, sending)
        self._stands = Standing.SENDING
        self.is_written = True
        self._final_check()  # a disk may have taken its time
        self.may_have_arrived = True
        self._give(None)

    def connected(self) -> None:
        """Look once more: connecting takes seconds, and the first byte is next.

        Raises:
            NotSent, OutboxError: it must not leave.
        """
        self._journal.check_ours()
        self._final_check()

    def token_refused(self) -> None:
        """The service refused its token, and did nothing with it."""
        self.may_have_arrived = False
        self._give(TOKEN_TIMEOUT)

    def switch_path(self, letter: PreparedRequest) -> None:
        """Send this letter instead, before anything has left; a later process will know it too."""
        elsewhere = Event(
            kind=EventKind.ELSEWHERE,
            at=self._time.latest(),
            method=letter.method,
            path=letter.path,
        )
        self._journal.note(self._intent_id, elsewhere)
        self._stands = self._standing()
        self._letter = letter

    def _give(self, seconds: float | None) -> None:
        if self._patience is not None:
            now = asyncio.get_running_loop().time()
            self._patience.reschedule(None if seconds is None else now + seconds)

    def _standing(self) -> Standing:
        recorded = self._journal.get(self._intent_id)
        assert recorded is not None
        return stands(recorded)


# The meaning of each failure for money (architecture.md).
#
# What one attempt may have done by itself is said by `ApiError.effect`, failure by failure. This
# adds what an intent's earlier attempts make of it: "insufficient funds" may be our own first
# attempt.

_FIRST = {
    Effect.NONE: EventKind.NOT_EXECUTED,
    Effect.REFUSED: EventKind.REFUSED,
    Effect.UNKNOWN: EventKind.IN_DOUBT,
}


def failure_outcome(error: ApiError, *, first: bool) -> EventKind:
    """Return the event that a failed attempt causes.

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
        error: how the attempt failed.
        first: whether no earlier attempt of the same intent may have arrived.
    """
    if first:
        return _FIRST[error.effect]
    told_before = error.effect is Effect.REFUSED and error.replayed
    return EventKind.REFUSED if told_before else EventKind.IN_DOUBT


class Submitter:
    """Sends intents, and writes down what comes of them.

    Args:
        journal: where all of it stands.
        sender: the way to the service.
        entry_builder: writes what is to be kept.
        quotes: judges confirmed rates.
        service_time: dates what happens.
        booked: called with each object that came of an intent.
        creation_matcher: knows what is there already.
        refusal: tells why what was confirmed is above a limit; empty where it is not. Screens ask
            the same before; here nothing gets past it.
    """

    def __init__(
        self,
        *,
        journal: Journal,
        sender: Sender,
        entry_builder: EntryBuilder,
        quotes: QuoteCheck,
        service_time: ServiceTime,
        booked: Callable[[Record], None],
        creation_matcher: CreationMatcher,
        refusal: Callable[[IntentTerms], str],
    ) -> None:
        self._refusal = refusal
        self._creation_matcher = creation_matcher
        self._journal = journal
        self._sender = sender
        self._entry_builder = entry_builder
        self._quotes = quotes
        self._time = service_time
        self._outcomes = OutcomeRecorder(journal, entry_builder, service_time, booked)
        self._under_way: set[IntentId] = set()
        self._confirmed: dict[IntentId, tuple[float, datetime]] = {}
        self._jobs = Jobs()

    def submit(self, intent: Intent) -> None:
        """Carry out an intent; one that is known already is not carried out again."""
        if self._journal.get(intent.intent_id) is None:
            clock = self._time.clock
            self._confirmed[intent.intent_id] = clock.boot(), clock.now()
            self._begin(intent.intent_id, self._carry_out(intent))

    async def _carry_out(self, intent: Intent) -> None:
        try:
            if words := self._refusal(intent.terms):
                problem = Problem(f"send {intent.title}", "nothing was sent", remedy=words)
                self._journal.turn_away(intent, problem)
                return
            intent = self._creation_matcher.with_snapshot(intent)
            known = self._creation_matcher.known(intent.action)
            letters = self._sender.prepare(intent.action.value, intent.request, intent.key)
            entry = self._entry_builder.entry(intent, letters[0])
            self._journal.record(entry)
        except (ApiError, OutboxError) as error:
            self._journal.turn_away(intent, error.problem)
            return
        except Exception as error:  # noqa: BLE001 - whatever it was, a trader is told of it
            self._journal.turn_away(intent, _bug(intent.title, error))
            return
        await self._attempt(entry, letters, self._quotes.just_confirmed(intent), known)

    async def _attempt(
        self,
        entry: Entry,
        letters: Sequence[PreparedRequest],
        final_check: Callable[[], None],
        known: Set[str] = frozenset(),
    ) -> None:
        """Send one of the letters, which differ in the spelling of their path.

        Args:
            entry: what is sent.
            letters: it, as it may go out.
            final_check: raises `NotSent` where it must not leave.
            known: objects that were there before: none of them is what it becomes.
        """
        attempt = Attempt(self._journal, entry.intent_id, letters[0], final_check, self._time)
        try:
            async with attempt.patience():
                result = await self._send(entry, letters, attempt)
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
                self._outcomes.failed(entry, kind, error.problem, error.status)
            elif attempt.is_written or attempt.is_first:
                self._record_unsent(entry, attempt, error.problem)
        except Exception as error:  # noqa: BLE001 - whatever it was, the letter may have arrived
            mistake = _bug(entry.title, error)
            self._outcomes.failed(entry, EventKind.IN_DOUBT, mistake)
        else:
            self._outcomes.answered(entry, result, known)

    async def _send(
        self, entry: Entry, letters: Sequence[PreparedRequest], attempt: Attempt
    ) -> SendResult:
        operation = entry.action.value
        letter = await self._sender.likeliest(letters, operation)
        if letter is not letters[0]:
            attempt.switch_path(letter)
        return await self._sender.send(letter, operation, attempt)

    def _record_unsent(self, entry: Entry, attempt: Attempt, problem: Problem) -> None:
        """Nothing of this attempt has arrived; what earlier ones left in doubt stays so.

        Nor does it change what a trader settled meanwhile.
        """
        now = self._journal.get(entry.intent_id)
        if now is not None and not stands(now).open:
            return
        kind = EventKind.NOT_EXECUTED if attempt.is_first else EventKind.IN_DOUBT
        self._outcomes.failed(entry, kind, problem)

    def _begin(self, intent_id: IntentId, work: Coroutine[object, object, None]) -> None:
        """Start an attempt, unless one of the same intent is under way."""
        if intent_id in self._under_way:
            work.close()
            return
        self._under_way.add(intent_id)
        task = self._jobs.begin(work)
        task.add_done_callback(lambda _: self._under_way.discard(intent_id))

    async def run(self) -> None:
        """Let intents be carried out, until cancelled; what is on its way then may have arrived."""
        await self._jobs.run()

    # Once more, and by a trader's word

    def repeat(self, recorded: RecordedIntent) -> None:
        """Send an intent in doubt once more by itself: the same bytes, the same key.

        One that is above a limit by now, or that cannot be judged, is left to a trader.
        """
        try:
            if not self._refusal(recorded.entry.terms):
                self._send_kept(recorded, self._quotes.of(recorded.entry.terms, None))
        except Exception as error:  # noqa: BLE001 - whatever it was, others are followed
            words = _not_done("It is not sent again by itself", recorded.entry, error)
            if words not in row_of(recorded).alerts:  # it is tried again every few seconds
                self._outcomes.alert(recorded.entry, words)

    def decide(self, decision: Decision) -> None:
        """Do what a trader decided of an intent that is open; else it is past deciding."""
        recorded = self._journal.get(decision.intent_id)
        if recorded is None:
            return
        try:
            self._do(decision, recorded)
        except Exception as error:  # noqa: BLE001 - whatever it was, others are decided
            words = _not_done("What was decided of it was not done", recorded.entry, error)
            self._outcomes.alert(recorded.entry, words)

    def _do(self, decision: Decision, recorded: RecordedIntent) -> None:
        if why_not := self._journal.why_not_yet(decision):
            self._outcomes.alert(recorded.entry, why_not)
            return
        match stands(recorded), decision.verdict:
            case Standing.RECORDED, Verdict.SEND:
                self._send_kept(recorded, self._quotes.of(recorded.entry.terms, None))
            case Standing.IN_DOUBT, Verdict.REPEAT:
                self._send_kept(recorded, no_check)
            case Standing.IN_DOUBT, Verdict.DONE:
                self._outcomes.settled(decision, EventKind.DONE)
            case Standing.IN_DOUBT | Standing.RECORDED, Verdict.NOT_DONE:
                self._outcomes.settled(decision, EventKind.NOT_DONE)

    def is_under_way(self, intent_id: IntentId) -> bool:
        """Return True if an attempt is under way."""
        return intent_id in self._under_way

    def age(self, intent_id: IntentId) -> timedelta | None:
        """Return how long ago an intent was confirmed, by the host clock that says more.

        None for an intent of an earlier process.
        """
        if intent_id not in self._confirmed:
            return None
        boot, now = self._confirmed[intent_id]
        clock = self._time.clock
        return max(timedelta(seconds=clock.boot() - boot), clock.now() - now)

    def _send_kept(self, recorded: RecordedIntent, final_check: Callable[[], None]) -> None:
        entry = recorded.entry
        if words := self._refusal(entry.terms):
            self._outcomes.alert(entry, f"It is not sent: {words}")
        elif self._entry_builder.is_for_this_service(entry):
            letter = _letter_of(recorded)
            self._begin(entry.intent_id, self._attempt(entry, [letter], final_check))
        else:
            who = f"{entry.profile} at {entry.base_url} as {entry.client_id or 'an unknown client'}"
            self._outcomes.alert(entry, f"It was confirmed for {who}: send it from there.")


_NO_TOKEN = Problem("send what was confirmed", "there was no token in time")


def _letter_of(recorded: RecordedIntent) -> PreparedRequest:
    """The letter that was sent last, or that was to be sent next."""
    entry = recorded.entry
    assert isinstance(entry.body, bytes)  # what is open has its body
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
    """A mistake of ours; unlike a read, what it happened to is not tried again by itself."""
    problem = unexpected(f"send {title}", error).problem
    return replace(problem, remedy="Please report it.")


def _not_done(what: str, entry: Entry, error: Exception) -> str:
    """Return a problem: something was not done by our mistake, and what to do next."""
    return f"{what}: {_bug(entry.title, error).happened}"
