"""The connection to an outbox's file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from paytui.outbox.rows import Value

PATIENCE = 2.0
"""Seconds to wait for a reader, such as `paytui audit`, to be done."""


class Rows(Protocol):
    """What a statement found."""

    def fetchall(self) -> list[tuple[Value, ...]]:
        """All of it."""
        ...


class Connection(Protocol):
    """What the outbox needs of SQLite: every statement passes here, transactions are explicit."""

    def execute(self, sql: str, parameters: Sequence[Value] = ..., /) -> Rows:
        """Run one statement."""
        ...

    def close(self) -> None:
        """Give the file back."""
        ...


Connect: TypeAlias = Callable[[Path], Connection]


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a file that is there already."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,  # no transaction that nobody began
        check_same_thread=False,  # the thread that ends the process closes it
    )
