"""The folder of an outbox, which survives the processes that write into it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from paytui.outbox import database
from paytui.outbox.database import Connect, Connection, Rows
from paytui.outbox.place import outbox_path
from paytui.outbox.rows import Value
from tests.simulation.power import Power

PROFILE = "desk"


class Disk:
    """What is durable: a crash leaves the files as they were at that moment.

    A statement that was not committed is taken back by SQLite itself, from the journal beside the
    database, when the next process opens them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.path = outbox_path(PROFILE, folder)

    def copy(self) -> dict[str, bytes]:
        """The database files as they are now."""
        return {path.name: path.read_bytes() for path in self._files()}

    def put_back(self, copied: dict[str, bytes]) -> None:
        """Make the folder hold what it held at the copy."""
        for path in self._files():
            path.unlink()
        for name, content in copied.items():
            path = self._folder / name
            path.touch(mode=0o600)
            path.write_bytes(content)

    def _files(self) -> list[Path]:
        return [path for path in self._folder.glob("*.sqlite*") if path.suffix != ".lock"]


class Wired:
    """A connection whose every statement is a seam of its process, before and after."""

    def __init__(self, inner: Connection, power: Power) -> None:
        self._inner = inner
        self._power = power

    def execute(self, sql: str, parameters: Sequence[Value] = (), /) -> Rows:
        statement = " ".join(sql.split()[:3])
        self._power.passes(f"before {statement}")
        rows = self._inner.execute(sql, parameters)
        self._power.passes(f"after {statement}")
        return rows

    def close(self) -> None:
        """No seam: what closing does to the files after a crash is undone."""
        self._inner.close()


def wired(power: Power, opened: Callable[[Connection], None]) -> Connect:
    """Opens connections of a process; each is told to `opened`."""

    def connect(path: Path) -> Connection:
        power.passes("before opening the outbox")
        inner: sqlite3.Connection = database.connect(path)
        opened(inner)
        return Wired(inner, power)

    return connect
