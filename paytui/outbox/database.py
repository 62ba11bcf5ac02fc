"""The outbox's file: its tables, the hash of each row, and the chain over all rows."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Protocol, TypeAlias

from paytui.domain.intent import IntentId
from paytui.outbox.entry import (
    SETTLING_EVENTS,
    Entry,
    Event,
    PurgedBody,
    RecordedIntent,
    Value,
    columns_of,
    parse_columns,
    sha256_of,
    standing,
)
from paytui.outbox.file import NEWER, OLDER, AlteredFile, OtherVersion
from paytui.platform.files import create_private, open_sqlite

ENTRY_COLUMNS = (*(field.name for field in fields(Entry)), "body_hash", "row_hash")
EVENT_COLUMNS = ("intent_id", *(field.name for field in fields(Event)), "row_hash")


def write_entry(connection: Connection, entry: Entry) -> str:
    """Write an intent in the current transaction; return the new head of the chain."""
    named = columns_of(entry)
    named["body_hash"] = sha256_of(entry.body)
    body = named["body"]
    if entry.action.is_personal:
        named["body"] = b""
    _insert(connection, "intents", ENTRY_COLUMNS, [named[name] for name in ENTRY_COLUMNS[:-1]])
    if entry.action.is_personal:
        sql = "INSERT INTO bodies (intent_id, body) VALUES (?, ?)"
        connection.execute(sql, (entry.intent_id, body))
    return _append(connection, "intents")


def read_entry(row: Sequence[Value], apart: Value) -> Entry:
    """Read and verify an entry.

    Args:
        apart: its body in the table of personal bodies, if there is one.

    Raises:
        AlteredFile: the row was altered.
    """
    named = parse_columns(_checked(ENTRY_COLUMNS, row))
    sha256 = named.pop("body_hash")
    is_personal = named["action"].is_personal
    body = apart if is_personal else named["body"]
    if body is None and is_personal:
        body = PurgedBody(sha256)
    elif not isinstance(body, bytes) or sha256_of(body) != sha256:
        raise AlteredFile("the body of an intent is not as it was written")
    return Entry(**{**named, "body": body})


def write_event(connection: Connection, intent_id: IntentId, event: Event) -> str:
    """Write an event in the current transaction; return the new head of the chain.

    One that settles its intent deletes a personal body.
    """
    _insert(connection, "events", EVENT_COLUMNS, [intent_id, *columns_of(event).values()])
    if event.kind in SETTLING_EVENTS:
        connection.execute("DELETE FROM bodies WHERE intent_id = ?", (intent_id,))
    return _append(connection, "events")


def _insert(
    connection: Connection, table: str, columns: Sequence[str], values: Sequence[Value]
) -> None:
    row = (*values, _row_hash(values))
    marks = ", ".join("?" * len(row))
    sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - our names
    connection.execute(sql, row)


def read_event(row: Sequence[Value]) -> tuple[IntentId, Event]:
    """Read and verify an event; return its intent too. Raise AlteredFile if the row was altered."""
    named = parse_columns(_checked(EVENT_COLUMNS, row))
    return named.pop("intent_id"), Event(**named)


def _checked(columns: Sequence[str], row: Sequence[Value]) -> dict[str, Value]:
    *values, row_hash = row
    if _row_hash(values) != row_hash:
        raise AlteredFile("a row is not as it was written")
    return dict(zip(columns, values, strict=False))


def _row_hash(values: Sequence[Value]) -> str:
    """Hash all values but the body, whose own hash is one of them."""
    return _hash([value for value in values if not isinstance(value, bytes)])


def _hash(said: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


BUSY_TIMEOUT = 2.0  # Seconds to wait until a reader, such as `paytui audit`, has finished


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
    return open_sqlite(path, "rw", BUSY_TIMEOUT)


ROWS = ("intents", "events")
BEGINS = "begins"  # The table name of the first link, which covers no row


@dataclass(frozen=True, slots=True)
class Chain:
    """The verified hash chain over the intents and events of a file, in the order of writing.

    Each link covers the link before it. A row that is removed, changed, added or moved breaks the
    chain, and so does a missing link. An attacker who also resets SQLite's counters can remove rows
    at the end with their links; the host's log detects that, since each line carries the head of
    the chain. The hashes, by number, are not keyed: a process that can write the file can make a
    new chain.
    """

    hashes: Mapping[int, str]

    @property
    def head(self) -> str:
        """The last link, as written to the host's log: `<number>.<hash>`."""
        number = len(self.hashes)
        return f"{number}.{self.hashes[number]}"

    def holds(self, head: str) -> bool:
        """Return True if `head` is or was the head of this chain."""
        return head in {f"{number}.{link}" for number, link in self.hashes.items()}


def _append(connection: Connection, table: str) -> str:
    """Link the newest row of a table to the chain; return the new head."""
    [[row, row_hash]] = _select(connection, f"number, row_hash FROM {table}", last=True)
    [[number, before]] = _select(connection, "number, hash FROM chain", last=True)
    assert isinstance(number, int)
    link = _hash([before, number + 1, table, row, row_hash])
    _add(connection, number + 1, table, row, link)
    return f"{number + 1}.{link}"


def read_chain(connection: Connection) -> Chain:
    """Read and verify the chain of a file, in the transaction that reads its rows.

    Raise AlteredFile if the chain is broken.
    """
    unlinked: dict[tuple[Value, Value], Value] = {
        (table, number): row_hash
        for table in ROWS
        for number, row_hash in _select(connection, f"number, row_hash FROM {table}")
    }
    links = _select(connection, "number, of, row, hash FROM chain")
    _check_counters(connection)
    hashes = {1: _hash([BEGINS])}
    if links[:1] != [(1, BEGINS, 0, hashes[1])]:
        raise AlteredFile("the beginning of its chain is missing")
    for expected, (number, table, row, link) in enumerate(links[1:], start=2):
        if number != expected:
            raise AlteredFile(f"link {expected} of its chain is missing")
        row_hash = unlinked.pop((table, row), None)
        if row_hash is None:
            raise AlteredFile(f"row {row!r} of its {table!s} is missing")
        hashes[expected] = _hash([hashes[expected - 1], number, table, row, row_hash])
        if hashes[expected] != link:
            raise AlteredFile(f"its chain is broken at link {number}: a row was changed or moved")
    if unlinked:
        raise AlteredFile("rows were added outside its chain")
    return Chain(hashes)


def _check_counters(connection: Connection) -> None:
    """Compare the rows with SQLite's counters, which keep the highest number ever used.

    Raise AlteredFile if rows at the end are missing.
    """
    found = connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    counters = {row[0]: row[1] for row in found}
    for table in (*ROWS, "chain"):
        last = _select(connection, f"number FROM {table}", last=True)
        if counters.get(table, 0) != (last[0][0] if last else 0):
            raise AlteredFile(f"the last rows of its {table} are missing")


def _add(connection: Connection, number: int, of: str, row: Value, link: str) -> None:
    sql = "INSERT INTO chain (number, of, row, hash) VALUES (?, ?, ?, ?)"
    connection.execute(sql, (number, of, row, link))


def _select(connection: Connection, what: str, *, last: bool = False) -> list[tuple[Value, ...]]:
    order = "number DESC LIMIT 1" if last else "number"
    return connection.execute(f"SELECT {what} ORDER BY {order}").fetchall()


VERSION = 9  # The version of the tables; files of another one are refused unchanged

_APPEND_ONLY = "BEGIN SELECT RAISE(ABORT, 'the outbox is append-only'); END"
_TABLES = (
    """
    CREATE TABLE intents (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        intent_id TEXT NOT NULL UNIQUE,
        key TEXT NOT NULL UNIQUE,
        profile TEXT NOT NULL,
        base_url TEXT NOT NULL,
        client_id TEXT NOT NULL,
        action TEXT NOT NULL,
        method TEXT NOT NULL,
        path TEXT NOT NULL,
        key_header TEXT NOT NULL,
        body BLOB NOT NULL,
        title TEXT NOT NULL,
        terms TEXT NOT NULL,
        confirmed_at TEXT NOT NULL,
        user TEXT NOT NULL,
        host TEXT NOT NULL,
        replay_safe INTEGER NOT NULL,
        resend_until TEXT,
        host_time TEXT,
        body_hash TEXT NOT NULL,
        row_hash TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE events (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        intent_id TEXT NOT NULL REFERENCES intents (intent_id),
        kind TEXT NOT NULL,
        at TEXT NOT NULL,
        method TEXT,
        path TEXT,
        status INTEGER,
        object_id TEXT,
        problem TEXT,
        words TEXT NOT NULL,
        candidates TEXT NOT NULL,
        user TEXT NOT NULL,
        may_arrive_until TEXT,
        not_before TEXT,
        host_time TEXT,
        row_hash TEXT NOT NULL
    )
    """,
    # Personal bodies are deleted once their intents are settled.
    """
    CREATE TABLE bodies (
        intent_id TEXT PRIMARY KEY REFERENCES intents (intent_id),
        body BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE chain (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        of TEXT NOT NULL,
        row INTEGER NOT NULL,
        hash TEXT NOT NULL
    )
    """,
    *(
        f"CREATE TRIGGER {table}_{change} BEFORE {change} ON {table} {_APPEND_ONLY}"
        for table in ("intents", "events", "chain")
        for change in ("UPDATE", "DELETE")
    ),
    f"CREATE TRIGGER bodies_UPDATE BEFORE UPDATE ON bodies {_APPEND_ONLY}",
    """
    CREATE TRIGGER bodies_DELETE BEFORE DELETE ON bodies
    WHEN NOT EXISTS (
        SELECT 1 FROM events WHERE intent_id = OLD.intent_id AND kind IN (
            'accepted', 'refused', 'not executed', 'found',
            'settled as done', 'settled as not done'
        )
    )
    BEGIN SELECT RAISE(ABORT, 'what is open keeps its body'); END
    """,
)


def version(connection: Connection) -> int:
    """Return the version of a file's tables; 0 if there are none."""
    [[found]] = connection.execute("PRAGMA user_version").fetchall()
    assert isinstance(found, int)
    return found


def read_all(connection: Connection) -> tuple[list[RecordedIntent], Chain]:
    """Return all intents in a file, oldest first, and the verified chain.

    Raises:
        AlteredFile: a row or the chain was altered.
        OtherVersion: see `read_chained`.
    """
    recorded, chain = read_chained(connection)
    if isinstance(chain, AlteredFile):
        raise chain
    return recorded, chain


def read_chained(connection: Connection) -> tuple[list[RecordedIntent], Chain | AlteredFile]:
    """Return all intents in a file, oldest first, and the chain or its damage.

    Raises:
        AlteredFile: a row was altered.
        OtherVersion: a later paytui changed the tables since the file was opened, or wrote values
            that this version does not know.
    """
    connection.execute("BEGIN")  # one snapshot of all tables
    try:
        if version(connection) > VERSION:  # row hashes may cover columns that are not read here
            raise OtherVersion(*NEWER)
        entries = _select(connection, f"{', '.join(ENTRY_COLUMNS)} FROM intents")
        apart = connection.execute("SELECT intent_id, body FROM bodies").fetchall()
        events = _select(connection, f"{', '.join(EVENT_COLUMNS)} FROM events")
        recorded = _joined(entries, {row[0]: row[1] for row in apart}, events)
        try:
            return recorded, read_chain(connection)
        except AlteredFile as error:
            return recorded, error
    except AlteredFile:
        raise
    except (KeyError, TypeError, ValueError):
        raise OtherVersion(*NEWER) from None
    finally:
        connection.execute("COMMIT")


def _joined(
    entries: Sequence[Sequence[Value]],
    apart: dict[Value, Value],
    events: Sequence[Sequence[Value]],
) -> list[RecordedIntent]:
    happened: defaultdict[IntentId, list[Event]] = defaultdict(list)
    for row in events:
        intent_id, event = read_event(row)
        happened[intent_id].append(event)
    found = [read_entry(row, apart.pop(row[0], None)) for row in entries]
    recorded = [RecordedIntent(entry, tuple(happened.pop(entry.intent_id, ()))) for entry in found]
    if happened:
        raise AlteredFile(f"{', '.join(happened)} has events and was never recorded")
    if apart:
        raise AlteredFile("there is a body whose intent was never recorded")
    for known in recorded:
        if isinstance(known.entry.body, PurgedBody) and standing(known.events).open:
            raise AlteredFile(f"{known.entry.intent_id} is open, and its body is gone")
    return recorded


def open_file(path: Path, connect: Connect) -> tuple[Connection, Chain]:
    """Open a file for writing, or create it, and verify all of it.

    Raises:
        AlteredFile: the file is damaged.
        OtherVersion: another version of paytui wrote it.
    """
    if not path.exists():
        _create(path, connect)
    connection = connect(path)
    try:
        _set_up(connection)
        check_file(connection)
        _, chain = read_all(connection)  # never append to an altered file
        connection.execute("BEGIN IMMEDIATE")  # detect an unwritable disk before any confirmation
        touch(connection)
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection, chain


def check_file(connection: Connection) -> None:
    """Check the version and the tables, and run SQLite's integrity check.

    Raises:
        AlteredFile: the file is damaged.
        OtherVersion: another version of paytui wrote it.
    """
    found = [row[0] for row in connection.execute("PRAGMA quick_check(3)").fetchall()]
    if found != ["ok"]:
        raise AlteredFile("; ".join(str(words) for words in found))
    written = version(connection)
    if written == 0:
        raise AlteredFile("its content is lost")
    if written != VERSION:
        raise OtherVersion(*(NEWER if written > VERSION else OLDER))
    for table, columns in _COLUMNS.items():
        there = {row[1] for row in connection.execute(f"PRAGMA table_info({table})").fetchall()}
        if not there.issuperset(columns):
            raise AlteredFile(f"its table {table} is missing or lacks columns")


_COLUMNS = {
    "intents": ENTRY_COLUMNS,
    "events": EVENT_COLUMNS,
    "bodies": ("intent_id", "body"),
    "chain": ("number", "of", "row", "hash"),
}


def data_version(connection: Connection) -> Value:
    """Return a number that only commits of other connections change."""
    [[version]] = connection.execute("PRAGMA data_version").fetchall()
    return version


def touch(connection: Connection) -> None:
    """Write the version again, so that a transaction writes and changes nothing."""
    connection.execute(f"PRAGMA user_version = {version(connection)}")


def _create(path: Path, connect: Connect) -> None:
    """Create a complete file atomically, so that an empty file is always a damaged one."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    os.close(create_private(fresh))
    connection = connect(fresh)
    try:
        _set_up(connection)
        connection.execute("BEGIN IMMEDIATE")
        for statement in _TABLES:
            connection.execute(statement)
        _add(connection, 1, BEGINS, 0, _hash([BEGINS]))
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    finally:
        connection.close()
    fresh.rename(path)


def _set_up(connection: Connection) -> None:
    connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    connection.execute("PRAGMA synchronous = EXTRA")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON").fetchall()  # overwrite purged bodies
