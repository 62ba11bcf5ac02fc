"""The sandbox's database, and the clock and random numbers that survive a restart."""

from __future__ import annotations

import hashlib
import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from importlib.resources import files
from pathlib import Path
from uuid import UUID

from paytui.platform.clock import Clock, utc


def iso(moment: datetime) -> str:
    """Format a time as ISO 8601 in UTC with milliseconds, which sorts as text."""
    return utc(moment, "milliseconds")


def http_date(moment: datetime) -> str:
    """Format a time as in a `Date` header (RFC 9110 §5.6.7)."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


class SandboxClock:
    """The injected clock plus an offset, which is in the database and survives a restart."""

    def __init__(self, clock: Clock, db: sqlite3.Connection) -> None:
        self._clock = clock
        self._db = db
        (seconds,) = db.execute("SELECT offsetSeconds FROM clock").fetchone()
        self._offset = timedelta(seconds=seconds)

    def now(self) -> datetime:
        return self._clock.now() + self._offset

    def advance(self, seconds: float) -> None:
        """Move the service's time forward permanently."""
        self._offset += timedelta(seconds=seconds)
        self._db.execute("UPDATE clock SET offsetSeconds = ?", (self._offset.total_seconds(),))


def happens(rng: random.Random, share: float) -> bool:
    return rng.random() < share


class SeededRandom:
    """Stateless random numbers: each follows from the seed and a label alone.

    A restart, the order of requests or a rolled-back transaction does not change them.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def draw(self, *label: object) -> random.Random:
        return random.Random(f"{self._seed}:{label}")  # noqa: S311 - a demo is reproducible

    def uuid(self, *label: object) -> str:
        """Return a UUID in the form of version 4 (RFC 9562)."""
        digest = hashlib.blake2b(f"{self._seed}:{label}".encode(), digest_size=16).digest()
        return str(UUID(bytes=digest, version=4))

    def noise(self, *label: object) -> float:
        """Return a number in [-1, 1), much faster than `draw`."""
        digest = hashlib.blake2b(f"{self._seed}:{label}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") / 2**63 - 1


MEMORY = ":memory:"  # The path of a database without a file
SCHEMA_VERSION = 2  # Incremented with every change of schema.sql


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
        # One transaction: an interrupted start leaves an empty file, not half a database.
        epoch = f"INSERT INTO clock VALUES (0, '{iso(now)}');"  # noqa: S608 - our own time
        db.executescript(f"BEGIN;{schema}{epoch}COMMIT;")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != SCHEMA_VERSION:
        raise sqlite3.DatabaseError("it was written by another version of paytui")
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
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
