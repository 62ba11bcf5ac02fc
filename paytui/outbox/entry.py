"""The content of the outbox: an entry for each intent, and append-only events.

An entry is written before the first byte leaves; an event before (`SENDING`) and after each thing
that happens to it. `standing` reads an intent's events as one state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from paytui.domain.intent import Action, IntentId, IntentTerms, Standing
from paytui.domain.models import IdempotencyKey, Problem

CLOCKS_APART = timedelta(minutes=1)
"""Difference between the service's time and the host's from which both are shown."""


@dataclass(frozen=True, slots=True)
class Purged:
    """A body that is gone, since it held personal data and its intent is settled."""

    sha256: str


def sha256_of(body: bytes | Purged) -> str:
    """The hash of a body, which stays."""
    return body.sha256 if isinstance(body, Purged) else hashlib.sha256(body).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An intent as it will be sent, to the byte; never changed once it is written.

    Attributes:
        profile, base_url: which service it is for: it goes to no other.
        client_id: as whom: the service knows keys of one client alone (service.md,
            "Idempotency"). Empty where it is not known, as before version 2.
        method, path: of its first attempt, the path with prefix and identifiers filled in.
        key_header: the header that carries the key.
        body: the exact bytes, while they are kept.
        replay_safe: whether the dialect said, when it was confirmed, that a repeat with the same
            key is answered and not executed.
        resend_until: service time until which it may be repeated without asking; None: never.
        host_time: the host's own time when it was confirmed; None in rows before version 8.
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
    body: bytes | Purged = field(repr=False)
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

    SENDING = "sending"
    ELSEWHERE = "goes to another path"
    """The service does not have the path that it was recorded with; the event names the one that it
    goes to instead. Earlier versions wrote this after a 404 or 405 to a request."""
    ACCEPTED = "accepted"
    REFUSED = "refused"
    NOT_EXECUTED = "not executed"
    IN_DOUBT = "in doubt"
    FOUND = "found"
    """A look-up found the one object that it became."""
    SIGHTED = "sighted"
    """A look-up found objects that may be it; they are for the trader."""
    DONE = "settled as done"
    NOT_DONE = "settled as not done"
    ALERT = "alert"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened to an intent.

    Attributes:
        at: service time; the latest that it can have been.
        method, path: of an attempt; of the next one, where it goes elsewhere.
        status: the HTTP status, where there was an answer.
        object_id: what it became.
        problem: what went wrong.
        words: anything else that a person is told.
        candidates: objects that may be it.
        user: who decided, where somebody did.
        may_arrive_until: of an attempt in doubt, by the host's clock: the request may still reach
            the service until then. None in rows before version 5, and for any other event.
        not_before: of an attempt, the earliest service time at which it can have left: the clock
            of the service may be known to minutes alone. None in rows before version 7.
        host_time: the host's own time; the journal sets it. None in rows before version 8.
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


def if_apart(host_time: datetime | None, at: datetime) -> datetime | None:
    """Return the host's time of something if the service's is more than a minute off."""
    return host_time if host_time is not None and abs(host_time - at) > CLOCKS_APART else None


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry with all that happened to it, oldest first."""

    entry: Entry
    events: tuple[Event, ...] = ()


_STANDINGS = {
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
"""Events that are not here say something of an intent and leave it standing as it does."""

ENDS = frozenset(kind for kind, stands in _STANDINGS.items() if not stands.open)
"""Events after which nothing more is to come of an intent."""


def standing(events: Iterable[Event]) -> Standing:
    """Return the status of an intent after its events; `RECORDED` before the first."""
    stands = [_STANDINGS[event.kind] for event in events if event.kind in _STANDINGS]
    return stands[-1] if stands else Standing.RECORDED


def with_event(recorded: Recorded, event: Event) -> Recorded:
    """Return an intent with one more event; a personal body is dropped at its end."""
    entry = recorded.entry
    if entry.action.is_personal and event.kind in ENDS:
        entry = replace(entry, body=Purged(sha256_of(entry.body)))
    return Recorded(entry, (*recorded.events, event))


def to_be_kept(entry: Entry, event: Event) -> Event:
    """An event as it is written down: a service may repeat personal data in what it says."""
    if event.problem is None or not entry.action.is_personal:
        return event
    return replace(event, problem=replace(event.problem, said="", fields=(), code=""))
