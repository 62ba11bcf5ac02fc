"""The content of the outbox: an entry for each intent, append-only events, and their columns.

An entry is written before the first byte leaves. A `SENDING` event is written before each attempt,
another event after each result. `standing` reduces an intent's events to one status.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypeAlias

from paytui.domain.intent import Action, IntentId, IntentTerms, Standing
from paytui.domain.models import FieldProblem, IdempotencyKey, Problem
from paytui.domain.money import plain

CLOCK_DIFFERENCE = timedelta(minutes=1)
"""Difference between the service's time and the host's above which both are shown."""


@dataclass(frozen=True, slots=True)
class PurgedBody:
    """A body with personal data that was deleted when its intent was settled."""

    sha256: str


def sha256_of(body: bytes | PurgedBody) -> str:
    """Return the hash of a body, which is kept when the body is deleted."""
    return body.sha256 if isinstance(body, PurgedBody) else hashlib.sha256(body).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An intent exactly as it will be sent; immutable once it is written.

    Attributes:
        profile, base_url: the only service that it may be sent to.
        client_id: the client that sends it: the service knows keys of one client alone (service.md,
            "Idempotency"). Empty if unknown.
        method, path: of its first attempt, the path with prefix and identifiers filled in.
        body: the exact bytes, until they are purged.
        replay_safe: the dialect said, when it was confirmed, that a repeat with the same key is
            answered and not executed.
        resend_until: service time until which it may be repeated without asking; None: never.
        host_time: the host's own time when it was confirmed.
    """

    intent_id: IntentId
    key: IdempotencyKey
    profile: str
    base_url: str
    client_id: str
    action: Action
    method: str
    path: str
    key_header: str
    body: bytes | PurgedBody = field(repr=False)
    title: str
    terms: IntentTerms
    confirmed_at: datetime
    user: str
    host: str
    replay_safe: bool
    resend_until: datetime | None
    host_time: datetime | None


class EventKind(StrEnum):
    """The kinds of events after an intent was recorded."""

    PROPOSED = "proposed"  # A colleague must approve it before it is sent
    PARTLY_APPROVED = "partly approved"  # Another colleague must approve it too
    APPROVED = "approved"
    SENDING = "sending"
    ELSEWHERE = "goes to another path"
    """The service lacks the recorded path; the event names the path that is used instead."""
    ACCEPTED = "accepted"
    REFUSED = "refused"
    NOT_EXECUTED = "not executed"
    IN_DOUBT = "in doubt"
    FOUND = "found"  # A look-up found the one object that the intent created
    SIGHTED = "sighted"
    """A look-up found objects that the intent may have created; the trader decides."""
    DONE = "settled as done"
    NOT_DONE = "settled as not done"
    ALERT = "alert"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened to an intent.

    Attributes:
        at: service time, the latest possible.
        method, path: of an attempt; for `ELSEWHERE`, of the next one.
        status: the HTTP status of the response, if there was one.
        object_id: the object that the intent created. If this leaves it in doubt, the object is not
            what was confirmed, and `words` says how it differs.
        words: any other text for the trader.
        candidates: objects that the intent may have created; in doubt, one that a response named
            without its reference.
        user: the user who decided, if one did.
        may_arrive_until: of an attempt in doubt, by the host's clock: the request may still reach
            the service until then. None for any other event.
        not_before: of an attempt, the earliest service time at which it can have left: the
            service's clock may be known only to the minute. None if the service told no time.
        host_time: the host's own time; the journal sets it.
    """

    kind: EventKind
    at: datetime
    method: str | None = None
    path: str | None = None
    status: int | None = None
    object_id: str | None = None
    problem: Problem | None = None
    words: str = ""
    candidates: tuple[str, ...] = ()
    user: str = ""
    may_arrive_until: datetime | None = None
    not_before: datetime | None = None
    host_time: datetime | None = None


def differing_host_time(host_time: datetime | None, at: datetime) -> datetime | None:
    """Return the host's time of something if the service's is more than a minute off."""
    return host_time if host_time is not None and abs(host_time - at) > CLOCK_DIFFERENCE else None


@dataclass(frozen=True, slots=True)
class RecordedIntent:
    """An entry with its events, oldest first."""

    entry: Entry
    events: tuple[Event, ...] = ()


_STANDINGS = {
    EventKind.PROPOSED: Standing.PROPOSED,
    EventKind.PARTLY_APPROVED: Standing.PROPOSED,
    EventKind.APPROVED: Standing.RECORDED,
    EventKind.SENDING: Standing.SENDING,
    EventKind.ELSEWHERE: Standing.RECORDED,
    EventKind.ACCEPTED: Standing.ACCEPTED,
    EventKind.REFUSED: Standing.REFUSED,
    EventKind.NOT_EXECUTED: Standing.NOT_EXECUTED,
    EventKind.IN_DOUBT: Standing.IN_DOUBT,
    EventKind.FOUND: Standing.ACCEPTED,
    EventKind.DONE: Standing.DONE,
    EventKind.NOT_DONE: Standing.NOT_DONE,
}
"""The status after each event. Events that are not listed leave the status unchanged."""

SETTLING_EVENTS = frozenset(kind for kind, stands in _STANDINGS.items() if not stands.open)
"""The events that settle an intent."""


def standing(events: Iterable[Event]) -> Standing:
    """Return the status of an intent after its events; `RECORDED` before the first."""
    stands = [_STANDINGS[event.kind] for event in events if event.kind in _STANDINGS]
    return stands[-1] if stands else Standing.RECORDED


def particulars(event: Event) -> Iterator[str]:
    """Yield what was sent, what came back and who decided; not why it failed."""
    if event.method and event.path:
        yield f"{event.method} {event.path}"
    if event.status is not None:
        yield f"status {event.status}"
    if event.object_id:
        yield event.object_id
    if event.candidates:
        yield f"it may be {' or '.join(event.candidates)}"
    if event.words:
        yield event.words
    if event.user:
        yield f"by {event.user}"


def with_event(recorded: RecordedIntent, event: Event) -> RecordedIntent:
    """Return an intent with one more event; a personal body is dropped at its end."""
    entry = recorded.entry
    if entry.action.is_personal and event.kind in SETTLING_EVENTS:
        entry = replace(entry, body=PurgedBody(sha256_of(entry.body)))
    return RecordedIntent(entry, (*recorded.events, event))


def without_personal_data(entry: Entry, event: Event) -> Event:
    """Return an event without the service's own words if they may repeat personal data."""
    return without_service_words(event) if entry.action.is_personal else event


def without_service_words(event: Event) -> Event:
    """Return an event whose problem is told in our words alone."""
    bare = event.problem and replace(event.problem, said="", fields=(), code="")
    return replace(event, problem=bare)


Value: TypeAlias = "str | bytes | int | None"  # The value of a column


def write_time(time: datetime) -> str:
    """Format a time in UTC: `2026-03-02T12:00:00+00:00`."""
    return time.astimezone(UTC).isoformat()


def columns_of(record: Entry | Event) -> dict[str, Value]:
    """Return the columns of an entry or event, by field.

    Terms and problems are JSON text: decimals are strings, times ISO 8601 with their offset.
    """
    return {each.name: _column(getattr(record, each.name)) for each in fields(record)}


def _column(value: Any) -> Value:  # noqa: ANN401 - a field of any type
    match value:
        case datetime():
            return write_time(value)
        case bool():
            return int(value)
        case IntentTerms():
            unsaid = IntentTerms()
            said = asdict(value).items()
            return _text({name: each for name, each in said if each != getattr(unsaid, name)})
        case Problem():
            return _text(asdict(value))
        case tuple():
            return _text(value)
    assert value is None or isinstance(value, str | bytes | int)
    return value


def _text(value: object) -> str:
    return json.dumps(value, default=_scalar)


def _scalar(value: object) -> str:
    match value:
        case Decimal():
            return plain(value)
        case datetime():
            return write_time(value)
    raise TypeError(f"{type(value).__name__} has no place in the outbox")


def _problem(text: str) -> Problem:
    values = json.loads(text)
    values["fields"] = tuple(FieldProblem(**each) for each in values["fields"])
    return Problem(**values)


_TIMES = (
    *("confirmed_at", "resend_until", "host_time", "at", "may_arrive_until", "not_before"),
    "expires_at",
)
_PARSERS: Mapping[str, Callable[[Any], object]] = {
    **dict.fromkeys(_TIMES, datetime.fromisoformat),
    **dict.fromkeys(("amount", "rate"), Decimal),
    "action": Action,
    "kind": EventKind,
    "terms": lambda text: IntentTerms(**parse_columns(json.loads(text))),
    "problem": _problem,
    "replay_safe": bool,
    "candidates": lambda text: tuple(json.loads(text)),
    "asked": lambda pairs: tuple(map(tuple, pairs)),
    "before": tuple,
}
"""The inverse of `_column`, by field, for those that are not written as they are."""


def parse_columns(named: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an entry or event by its columns.

    Raises:
        KeyError, TypeError, ValueError: a value is none that `columns_of` writes.
    """
    return {
        name: _PARSERS[name](value) if name in _PARSERS and value is not None else value
        for name, value in named.items()
    }
