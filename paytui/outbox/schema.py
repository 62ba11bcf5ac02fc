"""The outbox's tables, and how an older file becomes one of today."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from paytui.outbox.chain import begin
from paytui.outbox.database import Connection
from paytui.outbox.errors import NewerSchema, OlderSchema

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
"""Bodies that hold personal data stand apart, and go once their intent is settled."""

_V4: Sequence[str] = ()
"""Terms may tell which account was paid, which keeps a program away that does not know of it."""

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
"""The steps that lead from each version to the next; a file of no version has no tables.

Only ever added to: files of every earlier version are out there.
"""


def version(connection: Connection) -> int:
    """The version of a file's tables; 0 where there are none."""
    [[found]] = connection.execute("PRAGMA user_version").fetchall()
    assert isinstance(found, int)
    return found


def check_current(connection: Connection) -> None:
    """Make sure that a file that is only read is of today's version.

    Raises:
        NewerSchema: it is of a later one.
        OlderSchema: it is of an earlier one.
    """
    found = version(connection)
    if found > len(MIGRATIONS):
        raise NewerSchema
    if found < len(MIGRATIONS):
        raise OlderSchema


def migrate(connection: Connection, steps: Sequence[Sequence[Step]] = MIGRATIONS) -> None:
    """Bring a file to the version of the last step, one transaction a step.

    Raises:
        NewerSchema: it is of a later one.
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
