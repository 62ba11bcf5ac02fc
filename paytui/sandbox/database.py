"""The sandbox's database: one connection, one writer, explicit transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib.resources import files
from pathlib import Path

from paytui.sandbox.clock import iso

MEMORY = ":memory:"
"""The path of a database without a file."""

SCHEMA_VERSION = 2
"""Incremented with every change of schema.sql."""


def connect(path: str, now: datetime) -> sqlite3.Connection:
    """Open the database, and create its tables if there are none.

    Raises:
        sqlite3.Error: the file is not a database of this version.

    Args:
        path: a file, or `MEMORY`.
        now: the epoch of a new database.
    """
    if path != MEMORY:
        with suppress(OSError):  # SQLite reports it better
            Path(path).touch(mode=0o600)  # it holds tokens
    # The app may be built in one thread and served in another; one thread at a time uses it.
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'clock'").fetchone():
        schema = files("paytui.sandbox").joinpath("schema.sql").read_text(encoding="utf-8")
        # One transaction: an interrupted start leaves an empty file, not half a database.
        epoch = f"INSERT INTO clock VALUES (0, '{iso(now)}');"  # noqa: S608 - our own time
        db.executescript(f"BEGIN;{schema}{epoch}COMMIT;")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != SCHEMA_VERSION:
        raise sqlite3.DatabaseError("it was written by another version of paytui")
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Run a block in a transaction."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@contextmanager
def savepoint(db: sqlite3.Connection) -> Iterator[None]:
    """Run a block in a savepoint; the transaction continues after an error."""
    db.execute("SAVEPOINT attempt")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK TO attempt")
        db.execute("RELEASE attempt")
        raise
    db.execute("RELEASE attempt")


def insert(db: sqlite3.Connection, table: str, row: dict[str, str | None]) -> None:
    """Insert a row; column names are never a caller's."""
    insert_all(db, table, [row])


def insert_all(db: sqlite3.Connection, table: str, rows: list[dict[str, str | None]]) -> None:
    """Insert rows that have the columns of the first."""
    if not rows:
        return
    names = ", ".join(rows[0])
    marks = ", ".join(f":{name}" for name in rows[0])
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - our own names
    db.executemany(statement, rows)
