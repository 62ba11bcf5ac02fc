"""The writer of a cache; the first process that opens it locks out the others."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from threading import Lock

from paytui.domain.models import Kind, PaymentAddressId, Record
from paytui.platform.files import NotPrivate, lock_beside, make_folder, remove_left
from paytui.platform.text import fold
from paytui.store.cache import file
from paytui.store.cache.list_tables import (
    CODES,
    NAMED,
    Label,
    ListTable,
    label_of,
    list_tables,
    unnamed,
)
from paytui.store.cache.records import codec_of
from paytui.store.health import Feed
from paytui.store.model_json import Unreadable

MOST_PAGES = 500_000
"""Maximum size: 2 GB. A million payments take less than half of it."""

TEXT_BATCH = 2_000
"""Rows that wait for the full-text index, and are compared one by one: for some milliseconds."""

PAGE_CACHE, PAGE_CACHE_LONG = 1_000, 8_000
"""Kilobytes of pages in memory; the second until a long list is indexed. With SQLite's own 2,000
its first read takes a fifth longer."""

SETTLED, OPEN, AS_CREATED = range(3)
"""The groups of records. Objects that cannot be read are only for this run: a later one learns them
from the outbox."""

_BEFORE = (
    "SELECT id, row, body FROM records WHERE kind = ? AND id IN (SELECT value FROM json_each(?))"
)
_LAST = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'records'), 0)"
_KEEP = (
    "INSERT INTO records (kind, row, id, open, at, body) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (row) DO UPDATE "
    "SET open = excluded.open, at = excluded.at, body = excluded.body"
)
_COUNT = "SELECT count(*) FROM records WHERE kind = ?"
_FORGET = "DELETE FROM records WHERE kind = ? AND id = ?"
_FORGET_GROUP = "DELETE FROM records WHERE open = ?"

_MENTION = "INSERT INTO labels (kind, id, folded, sort) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
_RENAMED = "SELECT ref FROM labels WHERE kind = ?1 AND id = ?2 AND (sort, account) IS NOT (?3, ?4)"
_RENAME = "UPDATE labels SET sort = ?3, account = ?4 WHERE kind = ?1 AND id = ?2"
_NAME = (
    "INSERT INTO labels (kind, id, sort, account, folded) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING"
)
"""No row mentions a new label yet."""

_PAID = (
    "SELECT DISTINCT labels.id FROM payments_list JOIN labels ON ref = payment_address_id WHERE "
    "status IN (SELECT ref FROM labels WHERE kind = ? AND id IN (SELECT value FROM json_each(?)))"
)
_INDEXED = "UPDATE text_index SET row = ? WHERE kind = ?"
_NOTE = "INSERT OR REPLACE INTO feeds VALUES (?, ?, ?, ?, ?, ?, ?)"


class _Numbers:
    """A set of numbers, in one bit each."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def update(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._bits.extend(bytes(max(0, number // 8 + 1 - len(self._bits))))
            self._bits[number // 8] |= 1 << number % 8

    def __contains__(self, number: int) -> bool:
        place = number // 8
        return place < len(self._bits) and bool(self._bits[place] & 1 << number % 8)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row to write, with its number in the file and its body."""

    number: int
    key: str
    row: Record
    body: str

    @property
    def place(self) -> tuple[int, int]:
        """The place in the order: open objects, then by time of creation."""
        status = getattr(self.row, "status", None)
        made = getattr(self.row, "created_at", None)
        is_open = status is None or not status.settled
        is_as_created = status is not None and status.as_created
        group = AS_CREATED if is_as_created else OPEN if is_open else SETTLED
        return group, 0 if made is None else int(made.timestamp() * 1000)


class CacheWriter:
    """The writer of one cache, created if it does not exist, which it locks.

    All methods raise CacheUnusable if it cannot be written; the constructor also if another process
    writes it. Earlier writes are kept. `anew` discards its content first. The full-text index gets
    `text_batch` rows at a time.
    """

    def __init__(self, path: Path, *, anew: bool = False, text_batch: int = TEXT_BATCH) -> None:
        self.path = path
        self._text_batch = text_batch
        self._one_at_a_time = Lock()
        self._kept: defaultdict[Kind, _Numbers] = defaultdict(_Numbers)
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
        """Write new and changed rows and delete others, in one transaction. For any thread."""
        codec, lost = codec_of(kind), [(kind.value, key) for key in gone]
        bodies: dict[str, tuple[Record, str]] = {}
        for row in rows:
            key, body = codec.identifier(row), codec.write(row)
            if body is None:
                lost.append((kind.value, key))
            else:
                bodies[key] = row, body
        for _, key in lost:
            bodies.pop(key, None)
        with self._transaction():
            changed = self._changed(kind, bodies)
            self._connection.executemany(
                _KEEP, [(kind.value, one.number, one.key, *one.place, one.body) for one in changed]
            )
            self._connection.executemany(_FORGET, lost)
            if kind in NAMED:
                self._name([label for one in changed if (label := label_of(one.row))])
                self._name([unnamed(*one) for one in lost])
            if (table := list_tables().get(kind)) is not None:
                self._list(table, changed)

    def _changed(self, kind: Kind, bodies: Mapping[str, tuple[Record, str]]) -> list[_Entry]:
        """Return what the file does not hold. A new row has a number that no other ever had."""
        found = self._connection.execute(_BEFORE, (kind.value, json.dumps([*bodies])))
        before = {key: (number, body) for key, number, body in found}
        [(last,)] = self._connection.execute(_LAST)
        numbers = count(last + 1)
        entries = [
            _Entry(before[key][0] if key in before else next(numbers), key, row, body)
            for key, (row, body) in bodies.items()
        ]
        self._kept[kind].update(entry.number for entry in entries)
        return [one for one in entries if one.key not in before or before[one.key][1] != one.body]

    def drop_others(
        self, kind: Kind, in_memory: Collection[str], total: int, *, delete: bool
    ) -> bool:
        """Delete the rows that the service has no longer; return False if that is not certain.

        It is if those that were kept since the file was opened, and those in memory, are as many as
        the service tells. For any thread.
        """
        kept = self._kept[kind]
        with self._transaction():
            found = self._connection.execute(
                "SELECT row, id FROM records WHERE kind = ?", (kind.value,)
            )
            others = [(row,) for row, key in found if row not in kept and key not in in_memory]
            [(held,)] = self._connection.execute(_COUNT, (kind.value,))
            if held - len(others) != total:
                return False
            if delete:
                self._connection.executemany("DELETE FROM records WHERE row = ?", others)
        return True

    def _name(self, labels: Sequence[Label]) -> None:
        accounts = {label.account for label in labels if label.account}
        self._mention(unnamed(Kind.ACCOUNTS.value, account) for account in accounts)
        renamed: list[int] = []
        for one in labels:
            values = (one.kind, one.id, one.sort, one.account)
            renamed += [ref for (ref,) in self._connection.execute(_RENAMED, values)]
            self._connection.execute(_RENAME, values)
            self._connection.execute(_NAME, (*values, fold(one.id)))
        for table in list_tables().values() if renamed else ():
            self._connection.execute(table.rename, (json.dumps(renamed),))

    def _list(self, table: ListTable, changed: Sequence[_Entry]) -> None:
        """Write the keys of rows, and labels for what they mention."""
        keyed = [(one.number, *table.keys(one.row)) for one in changed]
        mentioned = {
            (column.labels, str(keys[place]))
            for place, column in enumerate(table.columns, 1)
            if column.labels
            for keys in keyed
        }
        self._mention(unnamed(*one) for one in mentioned if one[1])
        self._connection.executemany(table.upsert, keyed)
        # The oldest rows go into the full-text index, if enough are waiting.
        [(done, last)] = self._connection.execute(
            f"SELECT row, (SELECT max(row) FROM {table.name}) FROM text_index WHERE kind = ?",  # noqa: S608 - our own names
            (table.kind.value,),
        ).fetchall()
        if last is not None and last - done >= self._text_batch:
            self._connection.execute(table.index_texts, (done, last))
            self._connection.execute(_INDEXED, (last, table.kind.value))

    def _mention(self, labels: Iterable[Label]) -> None:
        values = [(one.kind, one.id, fold(one.id), one.sort) for one in labels]
        self._connection.executemany(_MENTION, values)

    def expect_long_list(self) -> None:
        """Hold more pages in memory until `index_orders`."""
        with file.explained():
            self._connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_LONG}")

    def index_orders(self, kind: Kind) -> None:
        """Create the indexes of a list, if it has none yet: a second for 100,000 rows.

        Any thread may call it; other writes wait. `interrupt()` ends it with CacheUnusable.
        """
        with self._transaction():
            for statement in list_tables()[kind].indexes:
                self._connection.execute(statement)
        with file.explained():
            self._connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE}")
            self._connection.execute("PRAGMA shrink_memory")

    def ids(self, kind: Kind) -> list[str]:
        with file.explained():
            found = self._connection.execute("SELECT id FROM records WHERE kind = ?", (kind.value,))
            return [identifier for (identifier,) in found]

    def paid_addresses(self, states: Collection[str]) -> frozenset[PaymentAddressId]:
        """Return the accounts of payments in any of these states. For any thread."""
        with file.explained(), self._one_at_a_time:
            found = self._connection.execute(_PAID, (CODES, json.dumps([*states]))).fetchall()
        return frozenset(PaymentAddressId(address) for (address,) in found)

    def note(self, feed: Feed, read_at: datetime) -> None:
        """Write the age of a list after all its rows; `read_at` is by the host's wall clock."""
        assert feed.as_of is not None
        when = (feed.as_of.isoformat(), read_at.isoformat())
        lacks = (feed.skipped, int(feed.cut))
        told = (feed.kind.value, *when, feed.total, feed.tracked, *lacks)
        with self._transaction():
            self._connection.execute(_NOTE, told)

    def interrupt(self) -> None:
        """End a write of another thread."""
        self._connection.interrupt()

    def close(self) -> None:
        with self._one_at_a_time:
            self._connection.close()
        os.close(self._lock)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with file.explained(), self._one_at_a_time, self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield


PRIVATE = "paytui-lists-"  # The begin of the names of folders for private files


class PrivateWriter(CacheWriter):
    """The writer of a temporary file that is gone with the process, where no cache can be used.

    A process that was killed leaves its file; the next one removes it.
    """

    def __init__(self) -> None:
        remove_left(Path(gettempdir()).glob(f"{PRIVATE}*/private{file.SUFFIX}.lock"))
        try:
            folder = Path(mkdtemp(prefix=PRIVATE))
        except OSError:
            raise file.CacheUnusable from None
        super().__init__(folder / f"private{file.SUFFIX}")

    def close(self) -> None:
        super().close()
        rmtree(self.path.parent, ignore_errors=True)


def _locked(path: Path) -> int:
    """Take the lock of the file, which ends with the process."""
    try:
        make_folder(path.parent)
        return lock_beside(path)
    except (OSError, NotPrivate):
        raise file.CacheUnusable from None


def _opened(path: Path) -> sqlite3.Connection:
    """Open the cache; replace a file that is not a cache of this version."""
    try:
        return _connected(path)
    except (Unreadable, sqlite3.Error):
        file.remove_cache(path)
    file.create_file(path)
    with file.explained():
        return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
    file.check_place(path)
    connection = file.connect(path)
    try:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE}")
        connection.execute(f"PRAGMA max_page_count = {MOST_PAGES}").fetchall()
        file.ensure_schema(connection)
        connection.execute(_FORGET_GROUP, (AS_CREATED,))
    except BaseException:
        connection.close()
        raise
    return connection
