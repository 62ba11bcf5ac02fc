"""Looking at an outbox that another process may be writing: nothing is changed, no lock is held."""

from __future__ import annotations

from pathlib import Path

from paytui.outbox.chain import Chain
from paytui.outbox.database import Connect, Connection, connect
from paytui.outbox.entry import Recorded
from paytui.outbox.errors import NoOutbox, NotOurs, OutboxDamaged, explained
from paytui.outbox.opening import check_whole
from paytui.outbox.owner import is_owned
from paytui.outbox.place import check_place
from paytui.outbox.reading import read_all, read_chained
from paytui.outbox.rows import Value
from paytui.outbox.schema import check_current


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
