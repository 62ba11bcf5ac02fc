"""The outbox: what was confirmed and what came of it, on disk before anything is sent."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from paytui.domain.intent import IntentId
from paytui.domain.models import Problem
from paytui.outbox.chain import append
from paytui.outbox.database import Connect, connect
from paytui.outbox.entry import ENDS, Entry, Event, Recorded
from paytui.outbox.errors import NotOurs, OutboxError, explained
from paytui.outbox.opening import open_file, touch
from paytui.outbox.reading import read_all
from paytui.outbox.rows import ENTRY_COLUMNS, EVENT_COLUMNS, Value, entry_row, event_row


class Outbox:
    """An append-only file of intents and of what happened to them, used by one thread at a time.

    Only the bodies of settled intents that hold personal data are taken out again.

    When `record` or `add` returns, what it wrote survives a loss of power. When it raises, nothing
    may be sent on the strength of it; after a failed disk it may be there all the same.

    Args:
        path: of the file; a new one is made where there is none.
        connect: opens it; every statement passes the connection that this returns.

    Attributes:
        head: of its chain.

    Raises:
        OutboxError: it cannot be used; the problem says why and what to do.
    """

    def __init__(self, path: Path, connect: Connect = connect) -> None:
        self.path = path
        self._process = os.getpid()
        with explained("open the outbox", path):
            self._connection, chain = open_file(path, connect)
            self.head = chain.head
            self._written_elsewhere = self._data_version()

    def record(self, entry: Entry) -> None:
        """Write down an intent.

        Raises:
            OutboxError: it is not written down.
        """
        with self._writing(f"record {entry.intent_id}"):
            self._connection.execute(_insert("intents", ENTRY_COLUMNS), entry_row(entry))
            if entry.action.is_personal:
                assert isinstance(entry.body, bytes)
                apart = (entry.intent_id, entry.body)
                self._connection.execute(_insert("bodies", ("intent_id", "body")), apart)
            head = append(self._connection, "intents")
        self.head = head

    def add(self, intent_id: IntentId, event: Event) -> None:
        """Write down what happened to an intent that was recorded; a personal body goes at its end.

        Raises:
            OutboxError: it is not written down.
        """
        with self._writing(f"record what happened to {intent_id}"):
            self._connection.execute(_insert("events", EVENT_COLUMNS), event_row(intent_id, event))
            if event.kind in ENDS:
                self._connection.execute("DELETE FROM bodies WHERE intent_id = ?", (intent_id,))
            head = append(self._connection, "events")
        self.head = head

    def check_ours(self) -> None:
        """Make sure that no other process may send from it; of one without an owner, none does.

        Raises:
            OutboxError: one may.
        """

    def probe(self) -> None:
        """Try whether it can be written, and add nothing.

        Raises:
            OutboxError: it cannot.
        """
        with self._writing("write to the outbox"):
            touch(self._connection)

    def read(self) -> list[Recorded]:
        """Everything, the oldest intent first.

        Raises:
            OutboxError: it cannot be read, or is not as it was written.
        """
        with self._attempting("read the outbox"):
            recorded, _ = read_all(self._connection)
            return recorded

    def close(self) -> None:
        """Give the file back; nothing can be recorded after this."""
        self._connection.close()

    def _check_nobody_else_wrote(self) -> None:
        """Read all of the file again if something else has changed it.

        Raises:
            NotOurs: it does not hold what was written.
        """
        version = self._data_version()
        if version == self._written_elsewhere:
            return
        _, chain = read_all(self._connection)
        if not chain.holds(self.head):
            raise NotOurs("its last rows were removed or changed while it was open")
        self._written_elsewhere = version

    def _data_version(self) -> Value:
        """Return a number that only commits of other connections change."""
        [[version]] = self._connection.execute("PRAGMA data_version").fetchall()
        return version

    @contextmanager
    def _writing(self, attempted: str) -> Iterator[None]:
        with self._attempting(attempted):
            self._check_nobody_else_wrote()
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
            # SQLite forbids it: both would write through one connection.
            raise OutboxError(Problem(attempted, "the outbox was opened by another process"))
        with explained(attempted, self.path):
            yield


def _insert(table: str, columns: Sequence[str]) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - our names
