"""A file that another program keeps locked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paytui.outbox.database import Connection, connect


def impatient(path: Path) -> Connection:
    """A connection that does not wait for others to be done."""
    connection = connect(path)
    connection.execute("PRAGMA busy_timeout = 0")
    return connection


@contextmanager
def kept_locked(path: Path) -> Iterator[None]:
    """Another program reads the file all the while, so that nothing can be written."""
    other = connect(path)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM intents").fetchall()
    try:
        yield
    finally:
        other.execute("COMMIT")
        other.close()


@contextmanager
def kept_for_itself(path: Path) -> Iterator[None]:
    """Another program has the file for itself, so that nothing can be read either."""
    other = connect(path)
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()
