"""The outbox: a durable, append-only log of intents, and the lock on it."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from paytui.domain.intent import IntentId
from paytui.domain.models import Problem
from paytui.outbox import database
from paytui.outbox.database import Connect, connect
from paytui.outbox.entry import Entry, Event, RecordedIntent, Value, write_time
from paytui.outbox.file import (
    AlteredFile,
    NoOutbox,
    OutboxDamaged,
    OutboxError,
    as_outbox_error,
    check_place,
    make_folder,
)
from paytui.platform.files import take_lock
from paytui.platform.text import clean


class Outbox:
    """An append-only file of intents and their events, used by one thread at a time.

    Only bodies with personal data are deleted, once their intents are settled.

    When `record` or `add` returns, its row survives a loss of power. When it raises, the caller
    must not send; after a disk failure the row may exist all the same.

    Args:
        connect: opens the file; every statement goes through the connection that this returns.
        lock: is released by `close`; without one, nothing may be sent.

    Attributes:
        head: the head of its chain.
        beside: called in each transaction, to write to other tables what needs no transaction.

    Raises:
        OutboxError: the file cannot be used; the problem says why and what to do.
    """

    def __init__(
        self, path: Path, connect: Connect = connect, lock: OutboxLock | None = None
    ) -> None:
        self.path = path
        self._lock = lock
        self.beside: Callable[[database.Connection], None] | None = None
        self._process = os.getpid()
        with as_outbox_error("open the outbox", path):
            self._connection, chain = database.open_file(path, connect)
            self.head = chain.head
            self._written_elsewhere = database.data_version(self._connection)

    def record(self, entry: Entry) -> None:
        """Write an intent; raise OutboxError if it is not written."""
        with self._writing(f"record {entry.intent_id}"):
            head = database.write_entry(self._connection, entry)
        self.head = head

    def add(self, intent_id: IntentId, event: Event) -> None:
        """Write an event of a recorded intent; one that settles it deletes a personal body.

        Raise OutboxError if it is not written.
        """
        with self._writing(f"record an event of {intent_id}"):
            head = database.write_event(self._connection, intent_id, event)
        self.head = head

    def check_ours(self) -> None:
        """Check that no other process may send from it; without a lock this does nothing.

        Raise OutboxError if another process may send.
        """
        if self._lock is not None:
            self._lock.check()

    def probe(self) -> None:
        """Test that the file can be written; add nothing.

        Raise OutboxError if it cannot be written.
        """
        with self._writing("write to the outbox"):
            database.touch(self._connection)

    def read(self) -> list[RecordedIntent]:
        """Return all intents, oldest first.

        Raise OutboxError if the file cannot be read or was altered.
        """
        with self._attempting("read the outbox"):
            recorded, _ = database.read_all(self._connection)
            return recorded

    @contextmanager
    def transaction(self, attempted: str) -> Iterator[database.Connection]:
        """Yield the connection for statements on other tables, as one durable transaction.

        Raise OutboxError if it is not written.
        """
        with self._writing(attempted):
            yield self._connection

    def close(self) -> None:
        """Close the file; nothing can be recorded after this."""
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def _check_nobody_else_wrote(self) -> None:
        """Verify the whole file again if another connection has changed it.

        Raise AlteredFile if rows that this process knows were altered.
        """
        version = database.data_version(self._connection)
        if version == self._written_elsewhere:
            return
        _, chain = database.read_all(self._connection)
        if not chain.holds(self.head):
            raise AlteredFile("its last rows were removed or changed while it was open")
        self._written_elsewhere = version

    @contextmanager
    def _writing(self, attempted: str) -> Iterator[None]:
        self.check_ours()
        with self._attempting(attempted):
            self._check_nobody_else_wrote()
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                if self.beside is not None:
                    self.beside(self._connection)
                self._connection.execute("COMMIT")
            except (sqlite3.Error, UnicodeEncodeError):
                with suppress(sqlite3.Error):  # SQLite may have rolled back already
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _attempting(self, attempted: str) -> Iterator[None]:
        if os.getpid() != self._process:
            # SQLite forbids the use of a connection after a fork.
            raise OutboxError(Problem(attempted, "the outbox was opened by another process"))
        with as_outbox_error(attempted, self.path):
            yield


_LONGEST = 1_000  # Bytes read of the lock file's description of its owner


class LockedElsewhere(OutboxError):
    """An outbox that another process has locked."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that keeps others from owning an outbox.

    Attributes:
        name: names it in a few words; empty if it has ended.
        since: the time from which it owns the outbox, in words, if it is known.
    """

    name: str = ""
    since: str = ""

    @property
    def problem(self) -> Problem:
        if not self.name:
            what, remedy = "the process that sent from it has ended", "Start again to send here."
            return Problem("own the outbox", what, remedy=remedy)
        since = f", since {self.since}," if self.since else ""
        what, remedy = f"{self.name}{since} sends from it", "End it and start again to send here."
        return Problem("own the outbox", what, remedy=remedy)

    @property
    def brief(self) -> str:
        """The remedy in a few words, for a line that has no room for the problem."""
        return f"end {self.name} to send here" if self.name else "start again to send here"


class OutboxLock:
    """The exclusive lock on an outbox, held from construction until `release`.

    Only its holder may send. The operating system frees it when the process ends, so a leftover
    lock file means nothing. Processes that find it locked show our host and `since`, the time now.

    Raises:
        LockedElsewhere: another process holds it.
        OutboxError: the file system does not support locks.
    """

    def __init__(self, path: Path, host: str, since: datetime) -> None:
        self._path = _lock_path(path)
        self._handle: int | None = None
        try:
            self._handle = take_lock(self._path)
            self._prove(self._handle, host, since)
        except BlockingIOError:
            raise LockedElsewhere(_owner_at(self._path).problem) from None
        except OSError as error:
            self.release()
            what = f"{self._path} cannot be locked"
            remedy = "Set outbox.folder to a folder on a disk of this machine."
            raise OutboxError(Problem("own the outbox", what, str(error), remedy)) from None

    def check(self) -> None:
        """Check that the lock file was not replaced: the lock is on a file, not on its name.

        Raise OutboxError if another process could lock the file that has the name now.
        """
        try:
            found = self._path.stat()
        except OSError as error:
            raise self._gone(error.strerror or str(error)) from None
        if (found.st_dev, found.st_ino) != self._file:
            raise self._gone("another file is in its place")

    def release(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def _prove(self, handle: int, host: str, since: datetime) -> None:
        """Check that the lock is not granted twice, and say who holds it; raise OSError."""
        with suppress(BlockingIOError):
            os.close(take_lock(self._path))
            raise OSError("it is granted twice")
        held = os.fstat(handle)
        self._file = (held.st_dev, held.st_ino)
        said = {"pid": os.getpid(), "host": host, "since": write_time(since)}
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(said).encode(), 0)

    def _gone(self, said: str) -> OutboxError:
        what = f"{self._path}, by which this process owns the outbox, was removed or replaced"
        remedy = "Quit and start again: another process may be sending from the outbox."
        return OutboxError(Problem("own the outbox", what, said, remedy))


def is_owned(path: Path) -> bool:
    """Return True if a process is known to hold the lock now. The lock is not taken."""
    try:
        handle = os.open(_lock_path(path), os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return isinstance(error, BlockingIOError)
    finally:
        os.close(handle)
    return False


def _lock_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _owner_at(path: Path) -> Owner:
    """Read who holds a lock; its description may be incomplete after a crash."""
    try:
        with path.open("rb") as file:
            said = json.loads(file.read(_LONGEST))
        since = datetime.fromisoformat(said["since"])
        name = f"process {int(said['pid'])} on {clean(said['host'], 80)}"
        return Owner(name, f"{since:%Y-%m-%d %H:%M %Z}")
    except (OSError, ValueError, KeyError, TypeError):
        return Owner("another process")


def open_outbox(path: Path, *, host: str, since: datetime, connect: Connect = connect) -> Outbox:
    """Open an outbox in a private folder together with its lock, for sending.

    Raises:
        LockedElsewhere: another process holds the lock.
        OutboxError: the file cannot be used; the problem says why and what to do.
    """
    make_folder(path)
    check_place(path)
    lock = OutboxLock(path, host, since)
    try:
        return Outbox(path, connect, lock)
    except BaseException:
        lock.release()
        raise


class OutboxReader:
    """A read-only view of an outbox that another process may be writing.

    Attributes:
        damage: the damage of the chain that the last `read` found; its rows are intact.

    Raises:
        NoOutbox: the file does not exist.
        OutboxError: the file cannot be read.
    """

    def __init__(self, path: Path, connect: Connect = connect) -> None:
        self._path = path
        self._seen: Value = None
        self.damage: OutboxDamaged | None = None
        if not path.exists():
            raise NoOutbox("read the outbox", path)
        check_place(path)
        with as_outbox_error("read the outbox", path):
            # Opened for writing: else SQLite could not roll back a dead process's transaction.
            self._connection: database.Connection = connect(path)
            self._connection.execute("PRAGMA query_only = ON")
            database.check_file(self._connection)

    def changed(self) -> bool:
        """Return True on the first call, and if something was written since the last call.

        Raise OutboxError if the file cannot be read.
        """
        with as_outbox_error("read the outbox", self._path):
            version = database.data_version(self._connection)
        before, self._seen = self._seen, version
        return version != before

    def read(self) -> list[RecordedIntent]:
        """Return all intents, oldest first.

        Raise OutboxError if the file cannot be read or a row was altered.
        """
        with as_outbox_error("read the outbox", self._path):
            recorded, chain = database.read_chained(self._connection)
        broken = isinstance(chain, AlteredFile)
        self.damage = OutboxDamaged("read the outbox", self._path, str(chain)) if broken else None
        return recorded

    def verify(self) -> database.Chain:
        """Verify every row and the chain, and return the chain.

        Raise OutboxError if a row or the chain was altered.
        """
        with as_outbox_error("verify the outbox", self._path):
            _, chain = database.read_all(self._connection)
            return chain

    def is_owned(self) -> bool:
        """Return True if a process holds its lock and may send."""
        return is_owned(self._path)

    def owner(self) -> Owner:
        """Return the process that holds its lock now."""
        return _owner_at(_lock_path(self._path)) if self.is_owned() else Owner()

    def close(self) -> None:
        self._connection.close()


def set_aside(path: Path, host: str, now: datetime) -> Path:
    """Rename a damaged outbox so that a new one can be created; return its new path.

    Raises:
        LockedElsewhere: a process holds its lock.
        OutboxError: it is not damaged, or cannot be renamed.
    """
    if not path.exists():
        raise NoOutbox("put the outbox aside", path)
    check_place(path)
    lock = OutboxLock(path, host, now)
    try:
        try:
            with as_outbox_error("look at the outbox", path):
                # Opening it rolls back unfinished transactions.
                connection, _ = database.open_file(path, connect)
        except OutboxDamaged:
            pass
        else:
            connection.close()
            remedy = "Nothing was changed: its open intents can be settled in the dashboard."
            raise OutboxError(Problem("put the outbox aside", f"{path} is not damaged", "", remedy))
        aside = path.with_name(f"{path.name}.damaged-{now.astimezone(UTC):%Y%m%dT%H%M%S%fZ}")
        with as_outbox_error("put the outbox aside", path):
            path.rename(aside)
    finally:
        lock.release()
    return aside
