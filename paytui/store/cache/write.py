"""The writer of a cache; the first process that opens it locks out the others."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from paytui.domain.models import Kind, Record
from paytui.store.cache import file
from paytui.store.cache.records import codec_of
from paytui.store.health import Feed

MOST_PAGES = 500_000
"""Maximum size: 2 GB. A million payments take a quarter of it."""

_KEEP = (
    "INSERT INTO records VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
    "SET open = excluded.open, at = excluded.at, body = excluded.body "
    "WHERE body IS NOT excluded.body"
)
"""Unchanged records are not written again."""

_FORGET = "DELETE FROM records WHERE kind = ? AND id = ?"
_NOTE = "INSERT OR REPLACE INTO feeds VALUES (?, ?, ?, ?, ?, ?, ?)"


class CacheWriter:
    """The writer of one cache, created if it does not exist, which it locks.

    All methods raise CacheUnusable if it cannot be written; the constructor also if another process
    writes it. Earlier writes are kept. `anew` discards its content first.
    """

    def __init__(self, path: Path, *, anew: bool = False) -> None:
        self._lock = _locked(path)
        try:
            if anew:
                file.remove_cache(path)
            file.create_file(path)
            self._connection = _opened(path)
        except BaseException:
            os.close(self._lock)
            raise

    def keep(self, kind: Kind, rows: Iterable[Record], gone: Iterable[str]) -> None:
        """Write rows and delete others, in one transaction."""
        codec = codec_of(kind)
        kept = [(kind.value, codec.identifier(row), *_place(row), codec.write(row)) for row in rows]
        lost = [(kind.value, key) for key in gone]
        lost += [(kind.value, row[1]) for row in kept if row[-1] is None]
        with self._transaction():
            self._connection.executemany(_KEEP, [row for row in kept if row[-1] is not None])
            self._connection.executemany(_FORGET, lost)

    def ids(self, kind: Kind) -> list[str]:
        try:
            found = self._connection.execute("SELECT id FROM records WHERE kind = ?", (kind.value,))
            return [identifier for (identifier,) in found]
        except sqlite3.Error:
            raise file.CacheUnusable from None

    def note(self, feed: Feed, read_at: datetime) -> None:
        """Write the age of a list after all its rows; `read_at` is by the host's wall clock."""
        assert feed.as_of is not None
        when = (feed.as_of.isoformat(), read_at.isoformat())
        lacks = (feed.skipped, int(feed.cut))
        told = (feed.kind.value, *when, feed.total, feed.tracked, *lacks)
        with self._transaction():
            self._connection.execute(_NOTE, told)

    def close(self) -> None:
        self._connection.close()
        os.close(self._lock)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            raise file.CacheUnusable from None


def _locked(path: Path) -> int:
    """Take the operating system's lock, which ends with the process."""
    lock = path.with_name(f"{path.name}.lock")
    file.create_file(lock)
    handle = os.open(lock, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise file.CacheUnusable from None
    return handle


def _opened(path: Path) -> sqlite3.Connection:
    """Open the cache; replace a file that is not a cache of this version."""
    try:
        return _connected(path)
    except (file.WrongSchema, sqlite3.Error):
        file.remove_cache(path)
    file.create_file(path)
    try:
        return _connected(path)
    except (file.WrongSchema, sqlite3.Error):
        raise file.CacheUnusable from None


def _connected(path: Path) -> sqlite3.Connection:
    file.check_place(path)
    connection = file.connect(path)
    try:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA max_page_count = {MOST_PAGES}").fetchall()
        file.ensure_schema(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _place(row: Record) -> tuple[int, int]:
    """Return the place in the order: open objects, then by time of creation."""
    status = getattr(row, "status", None)
    made = getattr(row, "created_at", None)
    is_open = status is None or not status.settled
    return int(is_open), 0 if made is None else int(made.timestamp() * 1000)
