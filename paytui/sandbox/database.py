"""The database of a sandbox: a file, or memory."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from datetime import datetime
from importlib.resources import files
from pathlib import Path

from paytui.sandbox.context import iso
from paytui.sandbox.resources import RESOURCES

MEMORY = ":memory:"  # The path of a database without a file
SCHEMA_VERSION = 2  # Incremented with every change of the tables


def connect(path: str, now: datetime) -> sqlite3.Connection:
    """Open a database (a file, or `MEMORY`), and create its tables if there are none.

    Raise sqlite3.Error if it is not one of this version. A new one's epoch is `now`.
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
        tables = "".join(resource.definition() for resource in RESOURCES)
        # One transaction: an interrupted start leaves an empty file, not half a database.
        db.executescript(f"BEGIN;{tables}{schema}")
        db.execute("INSERT INTO clock VALUES (0, ?)", (iso(now),))
        for table in (resource.table for resource in RESOURCES):
            db.execute("INSERT INTO versions VALUES (?, 0)", (table,))
            for change in ("INSERT", "UPDATE", "DELETE"):
                db.execute(
                    f"CREATE TRIGGER {table}_{change} AFTER {change} ON {table} BEGIN "  # noqa: S608
                    f"UPDATE versions SET value = value + 1 WHERE name = '{table}'; END"
                )
        db.execute("COMMIT")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != SCHEMA_VERSION:
        raise sqlite3.DatabaseError("it was written by another version of paytui")
    return db
