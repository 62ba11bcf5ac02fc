"""The outbox: what was confirmed and what came of it, on disk before anything is sent."""

from __future__ import annotations

import os
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from paytui.api.models import Problem
from paytui.intent import IntentId
from paytui.outbox.database import Connect, Connection, connect
from paytui.outbox.entry import Entry, Event, Recorded
from paytui.outbox.errors import OutboxDamaged, OutboxError, outbox_error
from paytui.outbox.rows import (
    ENTRY_COLUMNS,
    EVENT_COLUMNS,
    NotOurs,
    Value,
    entry_row,
    event_row,
    read_entry,
    read_event,
)
from paytui.outbox.schema import NewerSchema, migrate


class Outbox:
    """An append-only file of intents and of what happened to them, used by one thread at a time.

    When `record` or `add` returns, what it wrote survives a loss of power. When it raises, nothing
    may be sent on the strength of it; after a failed disk it may be there all the same.

    Args:
        path: of the file; a new one is made where there is none.
        connect: opens it; every statement passes the connection that this returns.

    Raises:
        OutboxError: it cannot be used; the problem says why and what to do.
    """

    def __init__(self, path: Path, connect: Connect = connect) -> None:
        self.path = path
        self._process = os.getpid()
        with self._attempting("open the outbox"):
            if not path.exists():
                _create(path, connect)
            self._connection = _open(path, connect)

    def record(self, entry: Entry) -> None:
        """Write down an intent.

        Raises:
            OutboxError: it is not written down.
        """
        with self._writing(f"record {entry.intent_id}"):
            self._connection.execute(_INSERT_ENTRY, entry_row(entry))

    def add(self, intent_id: IntentId, event: Event) -> None:
        """Write down what happened to an intent that was recorded.

        Raises:
            OutboxError: it is not written down.
        """
        with self._writing(f"record what happened to {intent_id}"):
            self._connection.execute(_INSERT_EVENT, event_row(intent_id, event))

    def read(self) -> list[Recorded]:
        """Everything, the oldest intent first.

        Raises:
            OutboxError: it cannot be read, or is not as it was written.
        """
        with self._attempting("read the outbox"):
            return read_all(self._connection)

    def close(self) -> None:
        """Give the file back; nothing can be recorded after this."""
        self._connection.close()

    @contextmanager
    def _writing(self, attempted: str) -> Iterator[None]:
        with self._attempting(attempted):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except (sqlite3.Error, UnicodeEncodeError):
                with suppress(sqlite3.Error):  # SQLite may have rolled back already
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _attempting(self, attempted: str) -> Iterator[None]:
        if os.getpid() != self._process:
            raise OutboxError(Problem(attempted, "the outbox is another process's"))
        try:
            yield
        except NotOurs as error:
            raise OutboxDamaged(attempted, self.path, str(error)) from None
        except NewerSchema:
            what = f"{self.path} was written by a later paytui"
            remedy = "Use that version; nothing is sent by this one."
            raise OutboxError(Problem(attempted, what, remedy=remedy)) from None
        except UnicodeEncodeError as error:
            what = "a text cannot be written"
            raise OutboxError(Problem(attempted, what, said=str(error))) from None
        except sqlite3.Error as error:
            raise outbox_error(error, attempted, self.path) from error


def read_all(connection: Connection) -> list[Recorded]:
    """Everything in a file, the oldest intent first.

    Raises:
        NotOurs: it is not as it was written.
    """
    connection.execute("BEGIN")  # both tables as they are at one moment
    try:
        entries = connection.execute(_SELECT_ENTRIES).fetchall()
        events = connection.execute(_SELECT_EVENTS).fetchall()
    finally:
        connection.execute("COMMIT")
    return _joined(entries, events)


def _joined(
    entries: Sequence[Sequence[Value]], events: Sequence[Sequence[Value]]
) -> list[Recorded]:
    happened: defaultdict[IntentId, list[Event]] = defaultdict(list)
    for row in events:
        intent_id, event = read_event(row)
        happened[intent_id].append(event)
    found = [read_entry(row) for row in entries]
    recorded = [Recorded(entry, tuple(happened.pop(entry.intent_id, ()))) for entry in found]
    if happened:
        raise NotOurs(f"{', '.join(happened)} has events and was never recorded")
    return recorded


def _create(path: Path, connect: Connect) -> None:
    """Make a file that is whole from the first moment: one that is empty has lost what it held."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    _open_new(fresh, connect)
    fresh.rename(path)


def _open_new(path: Path, connect: Connect) -> None:
    connection = connect(path)
    try:
        _set_up(connection)
        migrate(connection)
    finally:
        connection.close()


def _open(path: Path, connect: Connect) -> Connection:
    connection = connect(path)
    try:
        _set_up(connection)
        _check(connection)
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _set_up(connection: Connection) -> None:
    connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    connection.execute("PRAGMA synchronous = EXTRA")
    connection.execute("PRAGMA foreign_keys = ON")


def _check(connection: Connection) -> None:
    found = [row[0] for row in connection.execute("PRAGMA quick_check(3)").fetchall()]
    if found != ["ok"]:
        raise NotOurs("; ".join(str(words) for words in found))
    [[tables]] = connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    if not tables:
        raise NotOurs("it is empty")
    # A disk or a folder that cannot be written is found before anything is confirmed.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("COMMIT")


def _insert(table: str, columns: Sequence[str]) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - our names


def _select(table: str, columns: Sequence[str]) -> str:
    return f"SELECT {', '.join(columns)} FROM {table} ORDER BY number"  # noqa: S608 - our names


_INSERT_ENTRY = _insert("intents", ENTRY_COLUMNS)
_INSERT_EVENT = _insert("events", EVENT_COLUMNS)
_SELECT_ENTRIES = _select("intents", ENTRY_COLUMNS)
_SELECT_EVENTS = _select("events", EVENT_COLUMNS)
