"""Access to an outbox without its lock: read-only views, and the quarantine of a damaged file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from paytui.domain.models import Problem
from paytui.outbox.chain import Chain
from paytui.outbox.database import check_current, check_whole, open_file, read_all, read_chained
from paytui.outbox.entry import RecordedIntent
from paytui.outbox.errors import AlteredFile, NoOutbox, OutboxDamaged, OutboxError, as_outbox_error
from paytui.outbox.outbox import OutboxLock, is_owned
from paytui.outbox.paths import check_place
from paytui.outbox.rows import Connect, Connection, Value, connect


class OutboxReader:
    """A read-only view of an outbox that another process may be writing.

    Args:
        path: its file.
        connect: opens it.

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
            self._connection: Connection = connect(path)
            self._connection.execute("PRAGMA query_only = ON")
            check_whole(self._connection)
            check_current(self._connection)

    def changed(self) -> bool:
        """Return True on the first call, and if something was written since the last call.

        Raises:
            OutboxError: the file cannot be read.
        """
        with as_outbox_error("read the outbox", self._path):
            [[version]] = self._connection.execute("PRAGMA data_version").fetchall()
        before, self._seen = self._seen, version
        return version != before

    def read(self) -> list[RecordedIntent]:
        """Return all intents, oldest first.

        Raises:
            OutboxError: the file cannot be read or a row was altered.
        """
        with as_outbox_error("read the outbox", self._path):
            recorded, chain = read_chained(self._connection)
        broken = isinstance(chain, AlteredFile)
        self.damage = OutboxDamaged("read the outbox", self._path, str(chain)) if broken else None
        return recorded

    def verify(self) -> Chain:
        """Verify every row and the chain, and return the chain.

        Raises:
            OutboxError: a row or the chain was altered.
        """
        with as_outbox_error("verify the outbox", self._path):
            _, chain = read_all(self._connection)
            return chain

    def is_owned(self) -> bool:
        """Return True if a process holds its lock and may send."""
        return is_owned(self._path)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def set_aside(path: Path, host: str, now: datetime) -> Path:
    """Rename a damaged outbox, never deleted, so that a new one can be created.

    Args:
        path: its file.
        host: our host name, for the lock.
        now: part of the new name.

    Returns:
        The new path.

    Raises:
        LockedElsewhere: a process holds its lock.
        OutboxError: it is not damaged, or cannot be renamed.
    """
    if not path.exists():
        raise NoOutbox("put the outbox aside", path)
    check_place(path)
    lock = OutboxLock(path, host, now)
    try:
        _refuse_sound(path)
        aside = path.with_name(f"{path.name}.damaged-{now.astimezone(UTC):%Y%m%dT%H%M%S%fZ}")
        with as_outbox_error("put the outbox aside", path):
            path.rename(aside)
    finally:
        lock.release()
    return aside


def _refuse_sound(path: Path) -> None:
    """Raise unless the outbox is damaged after SQLite rolled back unfinished transactions."""
    try:
        with as_outbox_error("look at the outbox", path):
            connection, _ = open_file(path, connect)
            connection.close()
    except OutboxDamaged:
        return
    raise OutboxError(
        Problem(
            "put the outbox aside",
            f"{path} is not damaged",
            remedy="Nothing was changed: what is open in it can be settled in the dashboard.",
        )
    )
