"""The log of a desk as an outbox uses it: what it hands in, what it is told, who may leave.

Each outbox hands in its rows: an intent's entry is its row 0, its events follow. Handing in a row
twice changes nothing. Neither keys nor bodies are handed in, beside that of a proposal, and of a
creation nothing that was asked for: it names people and bank accounts.

A decision on a colleague's intent is a row, too. Each outbox keeps those that it made or saw, and
hands them in after a failover: the intent's own outbox may be closed, and not know of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from functools import cache
from types import UnionType
from typing import Any, Protocol, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from paytui.domain.desk_limits import Charge, DeskLimits
from paytui.domain.intent import IntentId
from paytui.domain.models import IdempotencyKey, ProblemError
from paytui.domain.money import CurrencyCode, plain
from paytui.domain.rates import parse_day_start
from paytui.outbox.entry import (
    Entry,
    Event,
    EventKind,
    PurgedBody,
    RecordedIntent,
    columns_of,
    parse_columns,
    sha256_of,
    without_service_words,
    write_time,
)
from paytui.platform.text import clean

T = TypeVar("T")

RECORDED = "recorded"  # The kind of an intent's first row; the others have those of their events
LIMITS = "limits"  # The kind of a row with the desk's limits of a service
BODY = "body"  # Of a proposal, which its colleagues review
TRIED_AGAIN = "paytui connects again by itself."  # A remedy while a dashboard runs
_KEPT_HERE = ("key", "body")
_BESIDE_EVENT = (BODY, "body_hash")
_TOLD_THERE = "See it on the host that sent it."
DECISIONS = (EventKind.DONE, EventKind.NOT_DONE)
LONGEST_DOCUMENT = 65_536  # Bytes; the schema has it too


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A row of an outbox for the log.

    Attributes:
        local: its number among the rows of its intent.
        departure: of an attempt, its number among the attempts.
        body_hash: of an attempt, the hash of what it sends.
        decision: see `decision_of`; also of a colleague's that the outbox adopted.
        age: seconds since it was proposed, after which a proposal lapses so much earlier.
    """

    intent: IntentId
    local: int
    kind: str
    document: str
    departure: int | None = None
    body_hash: str | None = None
    decision: str | None = None
    age: float = 0.0


def rows_of(recorded: RecordedIntent, at: datetime | None = None) -> list[HandedIn]:
    """Return an intent as rows for the log, at a service time if that is known."""
    entry = recorded.entry
    moves_money = entry.action.moves_money
    told = entry
    if not moves_money:  # nor is the list of what was there before of use elsewhere
        told = replace(entry, terms=replace(entry.terms, asked=(), before=()))
    named = {name: each for name, each in columns_of(told).items() if name not in _KEPT_HERE}
    document = json.dumps({**named, "body_hash": sha256_of(entry.body)})
    rows = [HandedIn(entry.intent_id, 0, RECORDED, document)]
    attempts = 0
    for local, event in enumerate(recorded.events, start=1):
        is_attempt = event.kind is EventKind.SENDING
        attempts += is_attempt
        document, age = event_document(event if moves_money else _without_details(event)), 0.0
        if event.kind is EventKind.PROPOSED and isinstance(entry.body, bytes):
            document = json.dumps({**columns_of(event), BODY: entry.body.decode()})
            age = 0.0 if at is None else max(0.0, (at - event.at).total_seconds())
        if len(document) > LONGEST_DOCUMENT:
            document = event_document(replace(_without_details(event), candidates=()))
        departure = attempts if is_attempt else None
        body_hash = sha256_of(entry.body) if is_attempt else None
        decision = decision_of(event) if event.kind in DECISIONS else None
        kind = event.kind.value
        rows.append(
            HandedIn(entry.intent_id, local, kind, document, departure, body_hash, decision, age)
        )
    return rows


def decision_of(event: Event) -> str:
    """Return a text that tells decisions on one intent apart; adopting one keeps it."""
    return f"{event.kind.value} {write_time(event.at)}"


def _without_details(event: Event) -> Event:
    """Return an event without words that may repeat what a creation asked for."""
    return replace(without_service_words(event), words=_TOLD_THERE if event.words else "")


def event_document(event: Event) -> str:
    return json.dumps(columns_of(event))


@dataclass(frozen=True, slots=True)
class LogRow:
    """A row of the log as it is told.

    Attributes:
        is_ours: this outbox handed it in, or decided it.
        local: None if somebody decided on another outbox's intent.
        who, host: the trader's database role and the host of the outbox.
        leaves_for, arrives_for: seconds after the read for which the attempt may leave, and arrive.
    """

    number: int
    intent: IntentId
    is_ours: bool
    local: int | None
    kind: str
    document: str
    who: str
    host: str
    leaves_for: float | None = None
    arrives_for: float | None = None


@dataclass(frozen=True, slots=True)
class ToldDecision:
    """A decision on another outbox's intent, as an outbox keeps it and hands it in again.

    Attributes:
        document: of its event; `user` names who decided, if another outbox did.
    """

    intent: IntentId
    kind: str
    decision: str
    document: str


def made_decision(intent: IntentId, event: Event) -> ToldDecision:
    """Return a decision that this outbox made."""
    return ToldDecision(intent, event.kind.value, decision_of(event), event_document(event))


def told_decision(row: LogRow) -> ToldDecision | None:
    """Return the decision of a row; None if it is none, or no paytui of this version wrote it."""
    if row.local is not None or row.kind not in DECISIONS:
        return None
    try:
        event = event_of(row)
        first = str(json.loads(row.document).get("user") or f"{row.who} on {row.host}")
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return made_decision(row.intent, replace(event, user=first))


def entry_of(row: LogRow) -> Entry:
    """Return the entry of an intent's first row, confirmed by the trader's role on its host.

    Raises:
        KeyError, TypeError, ValueError: a later version wrote it.
    """
    named = json.loads(row.document)
    body = PurgedBody(named.pop("body_hash"))
    entry = Entry(**parse_columns(named), key=IdempotencyKey(""), body=body)
    return replace(_checked(entry), intent_id=row.intent, user=row.who, host=row.host)


def event_of(row: LogRow) -> Event:
    """Return the event of a row; a colleague's decision names the trader and the host.

    After a failover another outbox may have handed it in.

    Raises:
        KeyError, TypeError, ValueError: no paytui of this version wrote it.
    """
    named = json.loads(row.document)
    said = {name: each for name, each in named.items() if name not in _BESIDE_EVENT}
    event = _checked(Event(**parse_columns(said)))
    if event.kind != row.kind:  # the database checks that of the row alone
        raise ValueError("an event of another kind than its row")
    if row.local is not None:
        return event
    teller = f"{row.who} on {row.host}"
    is_told = event.user not in ("", teller)
    return replace(event, user=f"{event.user}, told by {teller}" if is_told else teller)


def proposed_body(row: LogRow) -> str:
    """Return the body that a row proposes, as it is.

    Raises:
        KeyError, ValueError: no paytui of this version wrote it.
    """
    body = str(json.loads(row.document)[BODY])
    body.encode()  # half a surrogate pair has no bytes
    return body


def limits_document(limits: DeskLimits) -> str:
    """Return limits as a row of the log has them."""
    named: dict[str, object] = {
        name: {code: plain(amount) for code, amount in getattr(limits, name).items()}
        for name in _AMOUNTS
    }
    named |= {"needs": limits.needs, "within": limits.within.total_seconds()}
    named |= {"starts": f"{limits.starts.at:%H:%M}", "zone": limits.starts.zone_name}
    return json.dumps(named)


_AMOUNTS = ("above", "at_most", "per_trader", "per_recipient")


def limits_of(document: str) -> DeskLimits:
    """Return the limits that `limits_document` wrote.

    Raises:
        KeyError, TypeError, ValueError: a later version wrote it.
    """
    named = json.loads(document)
    amounts = {
        name: {CurrencyCode(code): Decimal(amount) for code, amount in named[name].items()}
        for name in _AMOUNTS
    }
    return DeskLimits(
        **amounts,
        needs=named["needs"],
        within=timedelta(seconds=named["within"]),
        starts=parse_day_start(f"{named['starts']} {named['zone']}"),
    )


_LONGEST = 30  # Digits before or after the point of a number


def _checked(value: T) -> T:
    """Return a value with all texts fit to be shown: another trader's program chose them.

    Raises:
        TypeError: a field is of another type.
        ValueError: a time is without its zone, or a number is none or too long.
    """
    made: object = value
    match value:
        case Enum():
            pass
        case str():
            made = clean(value)
        case tuple():
            made = tuple(map(_checked, value))
        case datetime() if value.tzinfo is None:
            raise ValueError("a time without its zone")
        case Decimal() if not value.is_finite() or abs(value.adjusted()) > _LONGEST:
            raise ValueError("a number without a value, or too long")
        case _ if is_dataclass(value) and not isinstance(value, type):
            found = {each.name: _checked(getattr(value, each.name)) for each in fields(value)}
            for name, hint in _hints(type(value)).items():
                if not isinstance(found[name], hint):
                    raise TypeError(f"{name} is of another type")
            made = type(value)(**found)
    return cast("T", made)


@cache
def _hints(of: type) -> Mapping[str, tuple[type, ...]]:
    """Return the types that each field of a dataclass may have."""
    return {name: tuple(_types(hint)) for name, hint in get_type_hints(of).items()}


def _types(hint: Any) -> Iterator[type]:  # noqa: ANN401 - any annotation
    if get_origin(hint) in (Union, UnionType):
        for each in get_args(hint):
            yield from _types(each)
    else:
        named = getattr(hint, "__supertype__", hint)
        yield get_origin(named) or named


@dataclass(frozen=True, slots=True)
class Epoch:
    """A time for which one server is the primary.

    Attributes:
        server: the system identifier, which a primary and its standbys share.
    """

    number: int
    server: str
    timeline: int

    def is_before(self, other: Epoch) -> bool:
        """Return True for the epoch of a primary that `other` has replaced.

        A server that was set back to an earlier time counts its epochs again, on a newer timeline.
        """
        if self.server == other.server and self.timeline != other.timeline:
            return self.timeline < other.timeline
        return self.number < other.number


@dataclass(frozen=True, slots=True)
class Head:
    """The newest row of the log in an epoch; its number is 0 before the first one."""

    epoch: Epoch
    number: int
    hash: str


@dataclass(frozen=True, slots=True)
class News:
    """The answer to a look at the log.

    Attributes:
        rows: the rows since the last look, oldest first; at first those of recent intents.
        is_open: intents may leave.
        is_replayed: all rows of this outbox were handed in during this epoch.
        waits_for: the outboxes that a closed epoch waits for, in words.
        anew: the rows replace all that was told before.
        charges: what counts for the limits of today; None without rows.
    """

    rows: Sequence[LogRow]
    head: Head
    is_open: bool
    is_replayed: bool
    waits_for: str
    anew: bool
    charges: tuple[Charge, ...] | None = None

    @property
    def epoch(self) -> Epoch:
        return self.head.epoch


class Refusal(StrEnum):
    """A reason for which an intent must not leave, or is not settled."""

    CLOSED = "closed"
    """The server was replaced, and outboxes have not handed in their rows yet."""
    LEFT = "left"  # It has left before, or another outbox holds it
    SETTLED = "settled"
    UNKNOWN = "unknown"  # A failover lost it, and its outbox has not handed it in again
    ALIVE = "alive"  # The program that sent it is running
    EARLY = "early"  # It may still arrive
    OWN = "own"  # Its maker does not approve it
    CHANGED = "changed"  # Its body is not the one that was confirmed, or approved
    UNAPPROVED = "unapproved"
    EXPIRED = "expired"  # It was not approved and sent in time
    OUTSIDE = "outside"  # A trade is not within an approved mandate of its maker
    OVER = "over"  # A limit of the day would be exceeded


class LogAway(ProblemError):
    """A log that cannot be used now, or that did not confirm; `problem` says why."""


class SharedLog(Protocol):
    """The log of a desk, for one outbox. Each call may raise LogAway."""

    def listen(self, hint: Callable[[], object]) -> None:
        """Call `hint`, in another thread, when there may be news, if anything tells it."""
        ...

    async def look(self) -> News:
        """Return what is new since the last look."""
        ...

    async def known(self) -> Mapping[IntentId, Sequence[str]]:
        """Return the kinds of the rows of each of this outbox's intents."""
        ...

    async def hand_in(self, rows: Sequence[HandedIn]) -> None: ...

    async def hand_in_decisions(self, decisions: Sequence[ToldDecision]) -> None:
        """Hand in decisions on others' intents that a failover may have lost, before `replayed`."""
        ...

    async def replayed(self, epoch: Epoch) -> None:
        """Tell that the log has all rows of this outbox."""
        ...

    async def depart(self, rows: Sequence[HandedIn]) -> float | Refusal:
        """Let an intent leave, whose last row is the attempt.

        Returns:
            The boot time before which its first byte must leave.
        """
        ...

    async def settle(self, intent: IntentId, event: Event) -> Refusal | None:
        """Settle what the program of another outbox left."""
        ...

    async def approve(self, intent: IntentId, body: str, event: Event) -> Refusal | None:
        """Approve the body of a colleague's proposal."""
        ...

    async def refuse_proposal(self, intent: IntentId, event: Event) -> Refusal | None: ...

    def close(self) -> None: ...
