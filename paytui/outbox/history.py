"""Looking at an outbox that another process may be writing: nothing is changed, no lock is held."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from paytui.domain.models import Problem
from paytui.outbox.chain import Chain
from paytui.outbox.database import check_current, check_whole, open_file, read_all, read_chained
from paytui.outbox.entry import Recorded
from paytui.outbox.errors import NoOutbox, NotOurs, OutboxDamaged, OutboxError, explained
from paytui.outbox.outbox import Owner, is_owned
from paytui.outbox.paths import check_place
from paytui.outbox.rows import Connect, Connection, Value, connect


class History:
    """A read-only view of an outbox.

    Args:
        path: of its file.
        connect: opens it.

    Attributes:
        damage: the chain over all rows is broken, as far as is known. The rows can be read.

    Raises:
        NoOutbox: there is none.
        OutboxError: it cannot be read.
    """

    def __init__(self, path: Path, connect: Connect = connect) -> None:
        self._path = path
        self._seen: Value = None
        self.damage: OutboxDamaged | None = None
        if not path.exists():
            raise NoOutbox("read the outbox", path)
        check_place(path)
        with explained("read the outbox", path):
            # Opened for writing: only so can SQLite take back what a dead process left half done.
            self._connection: Connection = connect(path)
            self._connection.execute("PRAGMA query_only = ON")
            check_whole(self._connection)
            check_current(self._connection)

    def changed(self) -> bool:
        """Return True if something was written since the last call, or at the first call.

        Raises:
            OutboxError: it cannot be told.
        """
        with explained("read the outbox", self._path):
            [[version]] = self._connection.execute("PRAGMA data_version").fetchall()
        before, self._seen = self._seen, version
        return version != before

    def read(self) -> list[Recorded]:
        """Everything, the oldest intent first.

        Raises:
            OutboxError: it cannot be read, or is not as it was written.
        """
        with explained("read the outbox", self._path):
            recorded, chain = read_chained(self._connection)
        broken = isinstance(chain, NotOurs)
        self.damage = OutboxDamaged("read the outbox", self._path, str(chain)) if broken else None
        return recorded

    def verify(self) -> Chain:
        """Check every row and the chain over them, and return the chain.

        Raises:
            OutboxError: it is not as it was written.
        """
        with explained("verify the outbox", self._path):
            _, chain = read_all(self._connection)
            return chain

    def is_owned(self) -> bool:
        """Return True if a process owns it now, and may send."""
        return is_owned(self._path)

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()


# Putting a damaged outbox aside, by its user's word alone: it is renamed, never deleted.


def set_aside(path: Path, host: str, now: datetime) -> Path:
    """Rename a damaged outbox, so that a new one can be made in its place.

    Args:
        path: of its file.
        host: ours, told to whoever wants the outbox meanwhile.
        now: part of the new name.

    Returns:
        Where it is now.

    Raises:
        OwnedElsewhere: a process sends from it.
        OutboxError: it is not damaged, or cannot be renamed.
    """
    if not path.exists():
        raise NoOutbox("put the outbox aside", path)
    check_place(path)
    owner = Owner(path, host, now)
    try:
        _refuse_sound(path)
        aside = path.with_name(f"{path.name}.damaged-{now.astimezone(UTC):%Y%m%dT%H%M%S%fZ}")
        with explained("put the outbox aside", path):
            path.rename(aside)
    finally:
        owner.release()
    return aside


def _refuse_sound(path: Path) -> None:
    """Open it once more: SQLite then also takes back what a dead process left half done."""
    try:
        with explained("look at the outbox", path):
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
