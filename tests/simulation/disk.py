"""The folder of an outbox, which survives its processes, and its failures."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from paytui.outbox import database
from paytui.outbox.database import Connect, Connection, Cursor
from paytui.outbox.entry import Value
from paytui.outbox.file import outbox_path
from tests.simulation.power import Power

PROFILE = "desk"
EXTRA = 3
"""Of `PRAGMA synchronous`: the one level at which a commit with a rollback journal survives a loss
of power, whenever it happens (SQLite, "PRAGMA synchronous")."""

Files = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Failure:
    """An error of the disk, as SQLite reports it.

    Attributes:
        statements: beginnings of those that meet it; empty: all.
    """

    name: str
    code: int
    words: str
    statements: tuple[str, ...] = ()


FULL = Failure(
    "disk full",
    sqlite3.SQLITE_FULL,
    "database or disk is full",
    ("INSERT", "CREATE", "ALTER", "COMMIT", "PRAGMA user_version ="),
)
FAILING = Failure("disk failing", sqlite3.SQLITE_IOERR, "disk I/O error")


class Disk:
    """What is durable: a crash leaves the files as they were at that moment, a loss of power only
    what SQLite had seen through to the disk.

    A statement that was not committed is taken back by SQLite itself, from the journal beside the
    database, when the next process opens them.

    Args:
        rng: for what a loss of power leaves of a journal, and how a commit fails.

    Attributes:
        troubled: whether any statement failed yet.
    """

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self._folder = folder
        self._rng = rng
        self._synced: Files = {}
        self._failure: Failure | None = None
        self._first = self._last = 0
        self.path = outbox_path(PROFILE, folder)
        self.troubled = False

    # What survives

    def copy(self) -> Files:
        """The database files as they are now."""
        return {path.name: path.read_bytes() for path in self._files()}

    def without_power(self) -> Files:
        """Return the files after a loss of power: synced data and part of a journal."""
        left = dict(self._synced)
        for name, content in self.copy().items():
            if name.endswith("-journal") and self._rng.random() < 0.5:
                left[name] = content[: self._rng.randint(0, len(content))]
        return left

    def put_back(self, copied: Files) -> None:
        """Make the folder hold what it held at the copy."""
        for path in self._files():
            path.unlink()
        for name, content in copied.items():
            path = self._folder / name
            path.touch(mode=0o600)
            path.write_bytes(content)

    def committed(self, connection: Connection) -> None:
        """A transaction of this connection ended well."""
        [[level]] = connection.execute("PRAGMA synchronous").fetchall()
        if level == EXTRA:
            self._synced = self.copy()

    def take_lock_away(self) -> None:
        """Somebody cleans up what looks left over."""
        for path in self._folder.glob("*.lock"):
            path.unlink()

    def departures(self, key: str) -> list[str]:
        """The paths to which an intent is known on disk to have been sent."""
        connection = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)
        try:
            query = (
                "SELECT events.path FROM events JOIN intents USING (intent_id)"
                " WHERE kind = 'sending' AND key = ? ORDER BY events.number"
            )
            return [path for (path,) in connection.execute(query, (key,))]
        finally:
            connection.close()

    def _files(self) -> list[Path]:
        names = os.listdir(self._folder)  # noqa: PTH208 - done at each commit: paths are slow
        return [self._folder / name for name in names if _is_of_database(name)]

    # How it fails

    def fail(self, failure: Failure, after: int, length: int) -> None:
        """Fail for so many statements, after so many that still work."""
        self._failure, self._first, self._last = failure, after, after + length

    def mend(self) -> None:
        """Fail no more."""
        self._failure = None

    def meets(self, statement: str) -> None:
        """A statement is about to be executed.

        Raises:
            sqlite3.OperationalError: it fails.
        """
        if self._failure is None or statement.startswith("ROLLBACK"):
            return
        if self._failure.statements and not statement.startswith(self._failure.statements):
            return
        self._first, self._last = self._first - 1, self._last - 1
        if self._last < 0:
            self._failure = None
        elif self._first < 0:
            self.troubled = True
            error = sqlite3.OperationalError(self._failure.words)
            error.sqlite_errorcode = self._failure.code
            raise error

    def fails_after_commit(self) -> bool:
        """Return True if a failing commit has taken effect all the same."""
        return self._rng.random() < 0.5


def _is_of_database(name: str) -> bool:
    return ".sqlite" in name and not name.endswith(".lock")


class Wired:
    """A connection whose every statement is a seam of its process, before and after."""

    def __init__(self, inner: Connection, power: Power, disk: Disk) -> None:
        self._inner = inner
        self._power = power
        self._disk = disk

    def execute(self, sql: str, parameters: Sequence[Value] = (), /) -> Cursor:
        statement = " ".join(sql.split()[:3])
        self._power.passes(f"before {statement}")
        try:
            self._disk.meets(statement)
        except sqlite3.OperationalError:
            if statement == "COMMIT" and self._disk.fails_after_commit():
                self._execute(sql, parameters)
            raise
        rows = self._execute(sql, parameters)
        self._power.passes(f"after {statement}")
        return rows

    def _execute(self, sql: str, parameters: Sequence[Value]) -> Cursor:
        rows = self._inner.execute(sql, parameters)
        if sql == "COMMIT":
            self._disk.committed(self._inner)
        return rows

    def close(self) -> None:
        """No seam: what closing does to the files after a crash is undone."""
        self._inner.close()


def wired(power: Power, disk: Disk, opened: Callable[[Connection], None]) -> Connect:
    """Opens connections of a process; each is told to `opened`."""

    def connect(path: Path) -> Connection:
        power.passes("before opening the outbox")
        inner: sqlite3.Connection = database.connect(path)
        opened(inner)
        return Wired(inner, power, disk)

    return connect
