"""Opening an outbox's file: a new one, one of today, an older one, or none that can be used."""

from __future__ import annotations

import os
from pathlib import Path

from paytui.outbox.chain import Chain
from paytui.outbox.database import Connect, Connection
from paytui.outbox.errors import NotOurs
from paytui.outbox.reading import read_all
from paytui.outbox.schema import migrate, version
from paytui.platform.files import create_private


def open_file(path: Path, connect: Connect) -> tuple[Connection, Chain]:
    """A connection through which to write, and the chain; a file that is not there is made.

    Raises:
        NotOurs: the file is damaged.
        NewerSchema: a later paytui wrote it.
    """
    if not path.exists():
        _create(path, connect)
    connection = connect(path)
    try:
        _set_up(connection)
        check_whole(connection)
        migrate(connection)
        _, chain = read_all(connection)  # nothing is added to what is not as it was written
        _try_to_write(connection)
    except BaseException:
        connection.close()
        raise
    return connection, chain


def check_whole(connection: Connection) -> None:
    """Look for damage.

    Raises:
        NotOurs: there is some.
    """
    found = [row[0] for row in connection.execute("PRAGMA quick_check(3)").fetchall()]
    if found != ["ok"]:
        raise NotOurs("; ".join(str(words) for words in found))
    if version(connection) == 0:
        raise NotOurs("it has lost what it held")


def touch(connection: Connection) -> None:
    """Write, within a transaction, what is there already."""
    connection.execute(f"PRAGMA user_version = {version(connection)}")


def _create(path: Path, connect: Connect) -> None:
    """Make a file that is whole from its first moment, so that an empty one is known as damaged."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    os.close(create_private(fresh))
    connection = connect(fresh)
    try:
        _set_up(connection)
        migrate(connection)
    finally:
        connection.close()
    fresh.rename(path)


def _set_up(connection: Connection) -> None:
    connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    connection.execute("PRAGMA synchronous = EXTRA")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON").fetchall()  # what is purged leaves no trace


def _try_to_write(connection: Connection) -> None:
    """Find a disk that cannot be written before anything is confirmed."""
    connection.execute("BEGIN IMMEDIATE")
    touch(connection)
    connection.execute("COMMIT")
