"""The file of a cache: one for each service and client, in the user's cache folder."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from zlib import crc32

from platformdirs import user_cache_path

from paytui.platform import files
from paytui.platform.files import NotPrivate, create_private, make_folder, open_sqlite, owner_key
from paytui.store.cache import list_tables
from paytui.store.cache.records import signature
from paytui.store.model_json import Unreadable

SUFFIX = ".cache.sqlite"
OLDEST_SQLITE = (3, 34, 0)  # The first with an index of trigrams
COMPANIONS = ("", "-wal", "-shm", "-journal")
"""The suffixes of a database and the files that SQLite creates beside it."""


class CacheUnusable(Exception):
    """A cache that cannot be used, for whatever reason."""


def cache_folder() -> Path:
    return user_cache_path("paytui", appauthor=False)


def cache_path(base_url: str, client_id: str) -> Path:
    """Return the path; nothing is created. The name reveals neither service nor client."""
    return cache_folder() / f"{owner_key(base_url, client_id)}{SUFFIX}"


def create_file(path: Path) -> None:
    """Create the folder, private to the user, and an empty file in it if there is none.

    Raise CacheUnusable if they cannot be created, or other users have access.
    """
    try:
        make_folder(path.parent)
        with suppress(FileExistsError):  # an existing file is checked next
            os.close(create_private(path))
    except OSError:
        raise CacheUnusable from None
    check_place(path)


def check_place(path: Path) -> None:
    """Raise CacheUnusable unless folder and file are private to the user, and the file regular."""
    try:
        files.check_place(path)
    except (OSError, NotPrivate):
        raise CacheUnusable from None


def remove_cache(path: Path) -> None:
    """Remove a cache, ignoring errors."""
    for companion in COMPANIONS:
        with suppress(OSError):
            path.with_name(path.name + companion).unlink()


LONGEST_VALUE = 300_000  # Maximum of bytes in one value; ours have a few hundred
BUSY_TIMEOUT = 0.2  # Seconds to wait for another process that writes

_TABLES = """
CREATE TABLE format (signature TEXT NOT NULL);
CREATE TABLE feeds (
  kind TEXT PRIMARY KEY, as_of TEXT NOT NULL, read_at TEXT NOT NULL, total INTEGER,
  tracked INTEGER NOT NULL, skipped INTEGER NOT NULL, cut INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE records (
  row INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL,
  open INTEGER NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (kind, id)
);
CREATE INDEX newest ON records (kind, open, at);
"""


def connect(path: Path, *, mode: str = "rw") -> sqlite3.Connection:
    """Open a file that exists."""
    connection = open_sqlite(path, mode, BUSY_TIMEOUT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    return connection


@contextmanager
def explained() -> Iterator[None]:
    """Raise CacheUnusable for what an altered file causes."""
    try:
        yield
    except (sqlite3.Error, Unreadable):
        raise CacheUnusable from None


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a file of this version that exists, for reading alone; raise CacheUnusable if not."""
    check_place(path)
    with explained():
        connection = connect(path, mode="ro")
        try:
            check_schema(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def check_schema(connection: sqlite3.Connection) -> None:
    """Raise Unreadable unless the schema is the current one."""
    if connection.execute("SELECT signature FROM format LIMIT 2").fetchall() != [(_format(),)]:
        raise Unreadable


def ensure_schema(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty file; raise Unreadable if it has others."""
    if not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall():
        connection.executescript(f"BEGIN; {_schema()} COMMIT;")
        connection.execute("INSERT INTO format VALUES (?)", (_format(),))
    check_schema(connection)


def _schema() -> str:
    return _TABLES + list_tables.schema()


def _format() -> str:
    return f"{signature()}-{crc32(_schema().encode()):08x}"
