"""The conversion of entries and events to database rows and back.

Each row carries a hash over its values. Terms and problems are JSON text: decimals are strings,
times are ISO 8601 with their offset.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Protocol, TypeAlias

from paytui.domain.intent import Action, IntentId, IntentTerms
from paytui.domain.models import FieldProblem, IdempotencyKey, Problem
from paytui.domain.money import plain
from paytui.outbox.entry import Entry, Event, EventKind, PurgedBody, sha256_of
from paytui.outbox.errors import AlteredFile

_DECIMALS = ("amount", "rate")
_TIMES = ("expires_at",)


def write_time(time: datetime) -> str:
    """Format a time in UTC: `2026-03-02T12:00:00+00:00`."""
    return time.astimezone(UTC).isoformat()


def write_terms(terms: IntentTerms) -> str:
    """Serialise terms, without the fields that have their default."""
    unsaid = IntentTerms()
    said = asdict(terms).items()
    return _text({name: value for name, value in said if value != getattr(unsaid, name)})


def read_terms(text: str) -> IntentTerms:
    """Parse terms that `write_terms` wrote.

    Raises:
        ValueError, TypeError: the text is not terms.
    """
    values = json.loads(text)
    for name in _DECIMALS:
        if name in values:
            values[name] = Decimal(values[name])
    for name in _TIMES:
        if name in values:
            values[name] = datetime.fromisoformat(values[name])
    asked = tuple((path, text) for path, text in values.pop("asked", ()))
    before = values.pop("before", None)
    return IntentTerms(**values, asked=asked, before=None if before is None else tuple(before))


def write_problem(problem: Problem) -> str:
    return _text(asdict(problem))


def read_problem(text: str) -> Problem:
    """Parse a problem that `write_problem` wrote.

    Raises:
        KeyError, ValueError, TypeError: the text is not a problem.
    """
    values = json.loads(text)
    values["fields"] = tuple(FieldProblem(**each) for each in values["fields"])
    return Problem(**values)


def _text(values: Mapping[str, object]) -> str:
    return json.dumps(values, default=_scalar)


def _scalar(value: object) -> str:
    match value:
        case Decimal():
            return plain(value)
        case datetime():
            return write_time(value)
    raise TypeError(f"{type(value).__name__} has no place in the outbox")


Value: TypeAlias = "str | bytes | int | None"
"""The value of a column."""


*_SINCE_V1, _SINCE_V8 = (field.name for field in fields(Entry))
ENTRY_COLUMNS = (*_SINCE_V1, "body_hash", _SINCE_V8, "row_hash")
EVENT_COLUMNS = ("intent_id", *(field.name for field in fields(Event)), "row_hash")


def entry_row(entry: Entry) -> tuple[Value, ...]:
    """Return the row of an entry, as `ENTRY_COLUMNS`; a personal body has a table of its own."""
    assert isinstance(entry.body, bytes)
    values: list[Value] = [
        entry.intent_id,
        entry.key,
        entry.profile,
        entry.base_url,
        entry.client_id,
        entry.action.value,
        entry.method,
        entry.path,
        entry.key_header,
        b"" if entry.action.is_personal else entry.body,
        entry.title,
        write_terms(entry.terms),
        write_time(entry.confirmed_at),
        entry.user,
        entry.host,
        int(entry.replay_safe),
        None if entry.resend_until is None else write_time(entry.resend_until),
        sha256_of(entry.body),
        None if entry.host_time is None else write_time(entry.host_time),
    ]
    return (*values, _row_hash(_hashed(ENTRY_COLUMNS, values)))


def read_entry(row: Sequence[Value], apart: Value) -> Entry:
    """Read and verify an entry.

    Args:
        row: a row of the table of intents.
        apart: its body in the table of personal bodies, if there is one.

    Raises:
        AlteredFile: the row was altered.
    """
    *values, row_hash = row
    named = dict(zip(ENTRY_COLUMNS, values, strict=False))
    _check(_hashed(ENTRY_COLUMNS, values), row_hash)
    text = _texts(named)
    action = Action(text["action"])
    body = _body(named, apart, text["body_hash"], is_personal=action.is_personal)
    return Entry(
        intent_id=IntentId(text["intent_id"]),
        key=IdempotencyKey(text["key"]),
        profile=text["profile"],
        base_url=text["base_url"],
        client_id=text["client_id"],
        action=action,
        method=text["method"],
        path=text["path"],
        key_header=text["key_header"],
        body=body,
        title=text["title"],
        terms=read_terms(text["terms"]),
        confirmed_at=datetime.fromisoformat(text["confirmed_at"]),
        user=text["user"],
        host=text["host"],
        replay_safe=bool(named["replay_safe"]),
        resend_until=_time(text.get("resend_until")),
        host_time=_time(text.get("host_time")),
    )


def _body(
    named: Mapping[str, Value], apart: Value, sha256: str, *, is_personal: bool
) -> bytes | PurgedBody:
    body = apart if is_personal else named["body"]
    if body is None and is_personal:
        return PurgedBody(sha256)
    if not isinstance(body, bytes) or sha256_of(body) != sha256:
        raise AlteredFile("the body of an intent is not as it was written")
    return body


def event_row(intent_id: IntentId, event: Event) -> tuple[Value, ...]:
    """Return the row of an intent's event, as `EVENT_COLUMNS`."""
    values: list[Value] = [
        intent_id,
        event.kind.value,
        write_time(event.at),
        event.method,
        event.path,
        event.status,
        event.object_id,
        None if event.problem is None else write_problem(event.problem),
        event.words,
        json.dumps(event.candidates),
        event.user,
        None if event.may_arrive_until is None else write_time(event.may_arrive_until),
        None if event.not_before is None else write_time(event.not_before),
        None if event.host_time is None else write_time(event.host_time),
    ]
    return (*values, _row_hash(_hashed(EVENT_COLUMNS, values)))


def read_event(row: Sequence[Value]) -> tuple[IntentId, Event]:
    """Read and verify an event; return its intent too.

    Raises:
        AlteredFile: the row was altered.
    """
    *values, row_hash = row
    _check(_hashed(EVENT_COLUMNS, values), row_hash)
    named = dict(zip(EVENT_COLUMNS, values, strict=False))
    text = _texts(named)
    status = named["status"]
    event = Event(
        kind=EventKind(text["kind"]),
        at=datetime.fromisoformat(text["at"]),
        method=text.get("method"),
        path=text.get("path"),
        status=status if isinstance(status, int) else None,
        object_id=text.get("object_id"),
        problem=read_problem(text["problem"]) if "problem" in text else None,
        words=text["words"],
        candidates=tuple(json.loads(text["candidates"])),
        user=text["user"],
        may_arrive_until=_time(text.get("may_arrive_until")),
        not_before=_time(text.get("not_before")),
        host_time=_time(text.get("host_time")),
    )
    return IntentId(text["intent_id"]), event


def _hashed(columns: Sequence[str], values: Sequence[Value]) -> list[Value]:
    """Return the values that a row's hash covers: all but columns that older rows lack."""
    named = [*zip(columns, values, strict=False)]
    while named[-1] in _UNSAID:
        named.pop()  # from the end alone, so that no value can move to the next column unseen
    return [value for column, value in named if (column, value) != ("client_id", "")]


_UNSAID: Sequence[tuple[str, Value]] = (
    ("may_arrive_until", None),
    ("not_before", None),
    ("host_time", None),
)
"""The last columns, of versions 5, 7 and 8, with the value of older rows."""


def _row_hash(values: Sequence[Value]) -> str:
    """Hash all values but the body, whose own hash is one of them."""
    said = [value for value in values if not isinstance(value, bytes)]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _check(values: Sequence[Value], row_hash: Value) -> None:
    if _row_hash(values) != row_hash:
        raise AlteredFile("a row is not as it was written")


def _texts(named: dict[str, Value]) -> dict[str, str]:
    return {name: value for name, value in named.items() if isinstance(value, str)}


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


BUSY_TIMEOUT = 2.0
"""Seconds to wait until a reader, such as `paytui audit`, has finished."""


class Cursor(Protocol):
    """The result of a statement."""

    def fetchall(self) -> list[tuple[Value, ...]]: ...


class Connection(Protocol):
    """The part of an SQLite connection that the outbox uses; transactions are explicit."""

    def execute(self, sql: str, parameters: Sequence[Value] = ..., /) -> Cursor: ...

    def close(self) -> None: ...


Connect: TypeAlias = Callable[[Path], Connection]


def connect(path: Path) -> sqlite3.Connection:
    """Open a file that exists."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,  # no implicit transactions
        check_same_thread=False,  # the thread that ends the process closes it
    )
