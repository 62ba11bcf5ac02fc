"""The part of an outbox's file for its desk: its identity, and what a failover could lose.

The tables are made when the outbox is first used on a desk. A copy of the file has the same
identity; the desk lets only one program use it at a time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random, SystemRandom

from paytui.domain.intent import IntentId
from paytui.outbox.database import Connection
from paytui.outbox.outbox import Outbox
from paytui.outbox.shared_log import Epoch, Head, ToldDecision
from paytui.platform.files import open_sqlite

_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS desk (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        identity TEXT NOT NULL,
        epoch INTEGER,
        server TEXT,
        timeline INTEGER
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS desk_head (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        number INTEGER NOT NULL,
        hash TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS desk_decisions (
        intent TEXT NOT NULL,
        kind TEXT NOT NULL,
        decision TEXT NOT NULL,
        document TEXT NOT NULL,
        PRIMARY KEY (intent, decision)
    )
    """,
)
_RECORD = """
    SELECT identity, epoch, server, timeline, coalesce(number, 0), coalesce(hash, '')
    FROM desk LEFT JOIN desk_head USING (one)
"""
_READ_TIMEOUT = 1.0  # Seconds


class DeskRecord:
    """The desk as an outbox remembers it.

    Attributes:
        identity: a random text, made once.
        seen: the newest epoch and row of the log that were seen; None before the first.

    Creating one raises OutboxError if the file cannot be written.
    """

    def __init__(self, outbox: Outbox, rng: Random | None = None) -> None:
        self._outbox = outbox
        made = f"{(rng or SystemRandom()).getrandbits(128):032x}"
        with outbox.transaction("prepare the outbox for its desk") as connection:
            for statement in _TABLES:
                connection.execute(statement)
            sql = "INSERT OR IGNORE INTO desk (one, identity) VALUES (1, ?)"
            connection.execute(sql, (made,))
            [record] = connection.execute(_RECORD).fetchall()
            rows = connection.execute(
                "SELECT intent, kind, decision, document FROM desk_decisions"
            ).fetchall()
        self.identity, self.seen = _as_read(record)
        self._is_kept = False
        outbox.beside = self._write
        self._decisions: dict[tuple[str, str], ToldDecision] = {
            (intent, decision): ToldDecision(IntentId(intent), kind, decision, document)
            for intent, kind, decision, document in (map(str, row) for row in rows)
        }

    def note(self, head: Head) -> None:
        """Keep a newer epoch, and the first head, at once; another head with what is written next.

        Raise OutboxError if it is not written.
        """
        is_kept = self._is_kept and self.seen is not None and self.seen.epoch == head.epoch
        self.seen = head
        if not is_kept:
            self.write()

    def write(self) -> None:
        """Keep what was seen; raise OutboxError if it is not written."""
        self._is_kept = False
        with self._outbox.transaction("keep the head of the desk's log"):
            pass
        self._is_kept = True

    def _write(self, connection: Connection) -> None:
        if (seen := self.seen) is not None:
            epoch = (seen.epoch.number, seen.epoch.server, seen.epoch.timeline)
            connection.execute("UPDATE desk SET epoch = ?, server = ?, timeline = ?", epoch)
            sql = "INSERT OR REPLACE INTO desk_head (one, number, hash) VALUES (1, ?, ?)"
            connection.execute(sql, (seen.number, seen.hash))

    def keep(self, decisions: Sequence[ToldDecision]) -> None:
        """Keep decisions on colleagues' intents; raise OutboxError if they are not written."""
        new: dict[tuple[str, str], ToldDecision] = {
            (each.intent, each.decision): each
            for each in decisions
            if (each.intent, each.decision) not in self._decisions
        }
        if not new:
            return
        with self._outbox.transaction("keep a colleague's decision") as connection:
            for each in new.values():
                connection.execute(
                    "INSERT INTO desk_decisions (intent, kind, decision, document)"
                    " VALUES (?, ?, ?, ?)",
                    (each.intent, each.kind, each.decision, each.document),
                )
        self._decisions.update(new)

    def decisions(self) -> Sequence[ToldDecision]:
        """Return all decisions that were kept."""
        return [*self._decisions.values()]


def _as_read(record: Sequence[object]) -> tuple[str, Head | None]:
    """Return the identity of an outbox, and the newest row of the log that it has seen."""
    identity, epoch, server, timeline, number, hashed = record
    seen = None
    if isinstance(epoch, int) and isinstance(timeline, int) and isinstance(number, int):
        seen = Head(Epoch(epoch, str(server), timeline), number, str(hashed))
    return str(identity), seen


def read_record(path: Path) -> tuple[str, Head | None]:
    """Return both of an outbox that another program may own; "" for an identity that it lacks."""
    try:
        with closing(open_sqlite(path, "ro", _READ_TIMEOUT)) as connection:
            [record] = connection.execute(_RECORD).fetchall()
    except (sqlite3.Error, OSError, ValueError):
        return "", None
    return _as_read(record)
