"""Where a cache is: in the user's own cache folder, one file a service and client."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from platformdirs import user_cache_path

from paytui.platform.files import NotPrivate, check_private, create_private, make_folder, owner_key
from paytui.store.cache.records import signature

SUFFIX = ".cache.sqlite"
COMPANIONS = ("", "-wal", "-shm", "-journal")
"""What SQLite lays beside a file."""


class CacheUnusable(Exception):
    """There is no cache that can be used; why is nobody's concern."""


def cache_folder() -> Path:
    """The user's own; nothing is made."""
    return user_cache_path("paytui", appauthor=False)


def cache_path(base_url: str, client_id: str) -> Path:
    """The file; nothing is made. Its name tells neither the service nor who we are there."""
    return cache_folder() / f"{owner_key(base_url, client_id)}{SUFFIX}"


def create_file(path: Path) -> None:
    """Make the folder, for the user alone, and an empty file in it where there is none.

    Raises:
        CacheUnusable: that cannot be, or others have a hand in them.
    """
    try:
        make_folder(path.parent)
        with suppress(FileExistsError):  # what is there is looked at next
            os.close(create_private(path))
    except OSError:
        raise CacheUnusable from None
    check_place(path)


def check_place(path: Path) -> None:
    """Make sure that folder and file are the user's own, and what they should be.

    Raises:
        CacheUnusable: they are not, or not there.
    """
    try:
        folder, file = path.parent.stat(), path.lstat()
        if not stat.S_ISREG(file.st_mode):
            raise CacheUnusable
        check_private(folder, path.parent, os.geteuid())
        check_private(file, path, os.geteuid())
    except (OSError, NotPrivate):
        raise CacheUnusable from None


def remove_cache(path: Path) -> None:
    """Remove a cache, as far as it can be."""
    for companion in COMPANIONS:
        with suppress(OSError):
            path.with_name(path.name + companion).unlink()


# The tables of a cache; one of another kind or time is no cache.

LONGEST_VALUE = 100_000
"""Bytes of one value that SQLite hands out; ours are a few hundred."""

BUSY_TIMEOUT = 0.2
"""Seconds to wait for another process that writes."""

_TABLES = """
CREATE TABLE format (signature TEXT NOT NULL);
CREATE TABLE feeds (
  kind TEXT PRIMARY KEY, as_of TEXT NOT NULL, read_at TEXT NOT NULL, total INTEGER,
  tracked INTEGER NOT NULL, skipped INTEGER NOT NULL, cut INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE records (
  kind TEXT NOT NULL, id TEXT NOT NULL, open INTEGER NOT NULL, at INTEGER NOT NULL,
  body TEXT NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE INDEX newest ON records (kind, open, at);
"""


class WrongSchema(Exception):
    """It holds something else than what this paytui writes."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a file that is there already."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,  # no transaction that nobody began
        check_same_thread=False,  # what one thread read first, another reads on
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    return connection


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever written."""
    return not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()


def check_schema(connection: sqlite3.Connection) -> None:
    """Make sure that it is what we would write.

    Raises:
        WrongSchema: it is not.
        sqlite3.Error: it cannot even be read.
    """
    if connection.execute("SELECT signature FROM format LIMIT 2").fetchall() != [(_format(),)]:
        raise WrongSchema


def make_schema(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty file.

    Raises:
        sqlite3.Error: they cannot be made.
    """
    connection.executescript(f"BEGIN; {_TABLES} COMMIT;")
    connection.execute("INSERT INTO format VALUES (?)", (_format(),))


def _format() -> str:
    """Names the tables and what stands in them."""
    return f"{signature()}-{crc32(_TABLES.encode()):08x}"
