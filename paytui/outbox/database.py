"""The outbox's tables: schema, migrations, opening and reading."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from paytui.domain.intent import IntentId
from paytui.outbox.chain import Chain, begin, read_chain
from paytui.outbox.entry import Event, PurgedBody, RecordedIntent, standing
from paytui.outbox.errors import AlteredFile, NewerSchema, OlderSchema
from paytui.outbox.rows import (
    ENTRY_COLUMNS,
    EVENT_COLUMNS,
    Connect,
    Connection,
    Value,
    read_entry,
    read_event,
)
from paytui.platform.files import create_private

Step: TypeAlias = "str | Callable[[Connection], None]"
"""A statement, or a function that writes what SQL cannot compute."""

_V1 = (
    """
    CREATE TABLE intents (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        intent_id TEXT NOT NULL UNIQUE,
        key TEXT NOT NULL UNIQUE,
        profile TEXT NOT NULL,
        base_url TEXT NOT NULL,
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
        row_hash TEXT NOT NULL
    )
    """,
    *(
        f"CREATE TRIGGER {table}_{change} BEFORE {change} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'the outbox is append-only'); END"
        for table in ("intents", "events")
        for change in ("UPDATE", "DELETE")
    ),
)

_V2 = ("ALTER TABLE intents ADD COLUMN client_id TEXT NOT NULL DEFAULT ''",)

_V3 = (
    """
    CREATE TABLE bodies (
        intent_id TEXT PRIMARY KEY REFERENCES intents (intent_id),
        body BLOB NOT NULL
    )
    """,
    """
    CREATE TRIGGER bodies_UPDATE BEFORE UPDATE ON bodies
    BEGIN SELECT RAISE(ABORT, 'the outbox is append-only'); END
    """,
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
"""Bodies with personal data get a table of their own and are deleted once their intent is settled.
"""

_V4: Sequence[str] = ()
"""Terms may name the account that was paid. The version keeps earlier programs away."""

_V5 = ("ALTER TABLE events ADD COLUMN may_arrive_until TEXT",)

_V6: Sequence[Step] = (
    """
    CREATE TABLE chain (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        of TEXT NOT NULL,
        row INTEGER NOT NULL,
        hash TEXT NOT NULL
    )
    """,
    *(
        f"CREATE TRIGGER chain_{change} BEFORE {change} ON chain "
        "BEGIN SELECT RAISE(ABORT, 'the outbox is append-only'); END"
        for change in ("UPDATE", "DELETE")
    ),
    begin,
)
"""Adds the chain over all rows; existing rows are adopted as they are."""

_V7 = ("ALTER TABLE events ADD COLUMN not_before TEXT",)

_V8 = (
    "ALTER TABLE intents ADD COLUMN host_time TEXT",
    "ALTER TABLE events ADD COLUMN host_time TEXT",
)

MIGRATIONS: Sequence[Sequence[Step]] = (_V1, _V2, _V3, _V4, _V5, _V6, _V7, _V8)
"""The steps from each version to the next; version 0 has no tables.

Only append to it: files of every earlier version exist.
"""


def version(connection: Connection) -> int:
    """Return the version of a file's tables; 0 if there are none."""
    [[found]] = connection.execute("PRAGMA user_version").fetchall()
    assert isinstance(found, int)
    return found


def check_current(connection: Connection) -> None:
    """Check that a file to be read only has the current version.

    Raises:
        NewerSchema: its version is later.
        OlderSchema: its version is earlier.
    """
    found = version(connection)
    if found > len(MIGRATIONS):
        raise NewerSchema
    if found < len(MIGRATIONS):
        raise OlderSchema


def migrate(connection: Connection, steps: Sequence[Sequence[Step]] = MIGRATIONS) -> None:
    """Migrate a file to the version of the last step, with one transaction for each step.

    Raises:
        NewerSchema: its version is later.
    """
    found = version(connection)
    if found > len(steps):
        raise NewerSchema
    for number, step in enumerate(steps[found:], start=found + 1):
        connection.execute("BEGIN IMMEDIATE")
        for statement in step:
            if isinstance(statement, str):
                connection.execute(statement)
            else:
                statement(connection)
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")


def read_all(connection: Connection) -> tuple[list[RecordedIntent], Chain]:
    """Return all intents in a file, oldest first, and the verified chain.

    Raises:
        AlteredFile: a row or the chain was altered.
        NewerSchema: the rows are intact but hold values that this version does not know.
    """
    recorded, chain = read_chained(connection)
    if isinstance(chain, AlteredFile):
        raise chain
    return recorded, chain


def read_chained(connection: Connection) -> tuple[list[RecordedIntent], Chain | AlteredFile]:
    """Return all intents in a file, oldest first, and the chain or its damage.

    Raises:
        AlteredFile: a row was altered.
        NewerSchema: the rows are intact but hold values that this version does not know.
    """
    connection.execute("BEGIN")  # one snapshot of all tables
    try:
        entries = connection.execute(_select("intents", ENTRY_COLUMNS)).fetchall()
        apart = connection.execute("SELECT intent_id, body FROM bodies").fetchall()
        events = connection.execute(_select("events", EVENT_COLUMNS)).fetchall()
        recorded = _joined(entries, {row[0]: row[1] for row in apart}, events)
        return recorded, _chain(connection)
    except AlteredFile:
        raise
    except (KeyError, TypeError, ValueError):
        raise NewerSchema from None
    finally:
        connection.execute("COMMIT")


def _chain(connection: Connection) -> Chain | AlteredFile:
    try:
        return read_chain(connection)
    except AlteredFile as error:
        return error


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


def _select(table: str, columns: Sequence[str]) -> str:
    return f"SELECT {', '.join(columns)} FROM {table} ORDER BY number"  # noqa: S608 - our names


def open_file(path: Path, connect: Connect) -> tuple[Connection, Chain]:
    """Open a file for writing, or create it, and verify all of it.

    Raises:
        AlteredFile: the file is damaged.
        NewerSchema: a later paytui wrote it.
    """
    if not path.exists():
        _create(path, connect)
    connection = connect(path)
    try:
        _set_up(connection)
        check_whole(connection)
        migrate(connection)
        _, chain = read_all(connection)  # never append to an altered file
        _try_to_write(connection)
    except BaseException:
        connection.close()
        raise
    return connection, chain


def check_whole(connection: Connection) -> None:
    """Run SQLite's integrity check.

    Raises:
        AlteredFile: the file is damaged.
    """
    found = [row[0] for row in connection.execute("PRAGMA quick_check(3)").fetchall()]
    if found != ["ok"]:
        raise AlteredFile("; ".join(str(words) for words in found))
    if version(connection) == 0:
        raise AlteredFile("it has lost what it held")


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
        migrate(connection)
    finally:
        connection.close()
    fresh.rename(path)


def _set_up(connection: Connection) -> None:
    connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    connection.execute("PRAGMA synchronous = EXTRA")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON").fetchall()  # overwrite purged bodies


def _try_to_write(connection: Connection) -> None:
    """Detect an unwritable disk before anything is confirmed."""
    connection.execute("BEGIN IMMEDIATE")
    touch(connection)
    connection.execute("COMMIT")
