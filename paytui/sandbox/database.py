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
"""Stands for no file at all."""

SCHEMA_VERSION = 2
"""Raised with every change of schema.sql."""


def connect(path: str, now: datetime) -> sqlite3.Connection:
    """Open the database, and lay out its tables where there are none yet.

    Raises:
        sqlite3.Error: it is none, or not one of this version.

    Args:
        path: a file, or `MEMORY`.
        now: where the time of a new database begins.
    """
    if path != MEMORY:
        with suppress(OSError):  # SQLite says it better
            Path(path).touch(mode=0o600)  # it holds tokens, if only for practice
    # The app may be built in one thread and served in another; only one ever uses it at a time.
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'clock'").fetchone():
        schema = files("paytui.sandbox").joinpath("schema.sql").read_text(encoding="utf-8")
        # One transaction: a start that is cut short leaves an empty file, not half a database.
        epoch = f"INSERT INTO clock VALUES (0, '{iso(now)}');"  # noqa: S608 - our own time
        db.executescript(f"BEGIN;{schema}{epoch}COMMIT;")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != SCHEMA_VERSION:
        raise sqlite3.DatabaseError("it was written by another version of paytui")
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@contextmanager
def savepoint(db: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing, inside a transaction that goes on either way."""
    db.execute("SAVEPOINT attempt")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK TO attempt")
        db.execute("RELEASE attempt")
        raise
    db.execute("RELEASE attempt")


def insert(db: sqlite3.Connection, table: str, row: dict[str, str | None]) -> None:
    """Add one row; the names of the columns are ours, never a caller's."""
    insert_all(db, table, [row])


def insert_all(db: sqlite3.Connection, table: str, rows: list[dict[str, str | None]]) -> None:
    """Add rows that all have the columns of the first."""
    if not rows:
        return
    names = ", ".join(rows[0])
    marks = ", ".join(f":{name}" for name in rows[0])
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - our own names
    db.executemany(statement, rows)
