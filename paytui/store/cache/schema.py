"""The tables of a cache; one of another kind or time is no cache."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from zlib import crc32

from paytui.store.cache.codec import signature

LONGEST_VALUE = 100_000
"""Bytes of one value that SQLite hands out; ours are a few hundred."""

PATIENCE = 0.2
"""Seconds to wait for another process that writes."""

_TABLES = """
CREATE TABLE format (signature TEXT NOT NULL);
CREATE TABLE feeds (
  kind TEXT PRIMARY KEY, as_of TEXT NOT NULL, read_at TEXT NOT NULL, total INTEGER,
  tracked INTEGER NOT NULL, skipped INTEGER NOT NULL, cut INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE records (
  kind TEXT NOT NULL, id TEXT NOT NULL, open INTEGER NOT NULL, at INTEGER NOT NULL,
  body TEXT NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE INDEX newest ON records (kind, open, at);
"""


class NotOurs(Exception):
    """It holds something else than what this paytui writes."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a file that is there already."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,  # no transaction that nobody began
        check_same_thread=False,  # what one thread read first, another reads on
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    return connection


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever written."""
    return not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()


def check_schema(connection: sqlite3.Connection) -> None:
    """Make sure that it is what we would write.

    Raises:
        NotOurs: it is not.
        sqlite3.Error: it cannot even be read.
    """
    if connection.execute("SELECT signature FROM format LIMIT 2").fetchall() != [(_format(),)]:
        raise NotOurs


def make_schema(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty file.

    Raises:
        sqlite3.Error: they cannot be made.
    """
    connection.executescript(f"BEGIN; {_TABLES} COMMIT;")
    connection.execute("INSERT INTO format VALUES (?)", (_format(),))


def _format() -> str:
    """Names the tables and what stands in them."""
    return f"{signature()}-{crc32(_TABLES.encode()):08x}"
