"""A table: rows by id, versioned, so that readers ask for just what changed since they looked."""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from threading import Lock
from typing import Generic, Protocol, TypeVar

from paytui.domain.models import State

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")

SLICE = 500
"""Rows copied at the most while the lock is held, so that no thread keeps the other waiting."""

TOMBSTONES = 100
"""Ids of rows that are gone of which each is still told, at the least; sheets of rates go by the
hundred each day."""


@dataclass(frozen=True, slots=True)
class Changes(Generic[K, R]):
    """The changes of a table after a version.

    Attributes:
        rows: new and changed rows, the least recently changed first.
        removed: ids of rows that are gone; see `gone`.
        version: what to ask from next time.
        more: whether the limit cut it short: ask again at once.
        there: ids of all rows, for a reader who is so far behind that `removed` is not all of it.
    """

    rows: tuple[R, ...]
    removed: tuple[K, ...]
    version: int
    more: bool
    there: frozenset[K] | None = None

    def __bool__(self) -> bool:
        return bool(self.rows or self.removed) or self.there is not None

    def gone(self, held: Iterable[K]) -> Collection[K]:
        """The ids of rows that are gone, for a reader who holds those with these ids."""
        if self.there is None:
            return self.removed
        return [key for key in held if key not in self.there]


class Table(Generic[K, R]):
    """Rows by id. Written by the worker's thread, read from any; each change has its own version.

    Putting a row that equals what is there changes nothing, so that a poll which brought nothing
    new is invisible to readers.

    Attributes:
        key: the id of a row.
    """

    def __init__(self, key: Callable[[R], K], lock: Lock) -> None:
        self.key = key
        self._lock = lock
        self._rows: dict[K, R] = {}
        self._gone: dict[K, int] = {}
        self._recalled: set[K] = set()
        self._unread: set[K] = set()
        self._seen: dict[K, tuple[str, ...]] = {}
        # Each change appends here; an entry is stale once its key has changed again, and what
        # changed again is few: of most rows nothing more is held than one entry.
        self._log_versions = array("q")
        self._log_keys: list[K] = []
        self._again: dict[K, int] = {}
        self._version = 0
        self._forgotten = 0

    @property
    def version(self) -> int:
        """The version of the newest change; 0 for a table that was never written."""
        return self._version

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, key: K) -> R | None:
        """The row of an id, or None."""
        with self._lock:
            return self._rows.get(key)

    def rows(self) -> list[R]:
        """All rows, in the order in which they first came."""
        with self._lock:
            return list(self._rows.values())

    def put(self, rows: Iterable[R]) -> None:
        """Insert or replace rows by id. Give no more than a slice at once."""
        with self._lock:
            for row in rows:
                key = self.key(row)
                self._recalled.discard(key)
                self._unread.discard(key)
                before = self._rows.get(key)
                if before != row:
                    self._log(key)
                    self._rows[key] = row
                    if before is not None:
                        self._note_state(key, before, row)
            self._tidy()

    def seen(self, key: K) -> tuple[str, ...]:
        """The names of the states in which an object was seen here before its present one."""
        with self._lock:
            return self._seen.get(key, ())

    def _note_state(self, key: K, before: R, after: R) -> None:
        was, now = (getattr(row, "status", None) for row in (before, after))
        if isinstance(was, State) and was != now and not was.as_created:
            self._seen[key] = tuple(dict.fromkeys((*self._seen.get(key, ()), was.name)))

    def announce(self, row: R) -> None:
        """Insert or replace a row from the response to its creation; `put` confirms it."""
        self.put([row])
        with self._lock:
            self._unread.add(self.key(row))

    def unread(self) -> set[K]:
        """Return the ids of rows that were announced and not put since, removed ones included."""
        with self._lock:
            return set(self._unread)

    def recall(self, rows: Iterable[R]) -> None:
        """Insert rows as they were known long ago, where there are none; `put` confirms them."""
        with self._lock:
            for row in rows:
                key = self.key(row)
                if key not in self._rows:
                    self._log(key)
                    self._rows[key] = row
                    self._recalled.add(key)
            self._tidy()

    def unconfirmed(self) -> set[K]:
        """The ids of rows that were recalled, and not put since."""
        with self._lock:
            return set(self._recalled)

    def remove(self, keys: Iterable[K]) -> None:
        """Forget rows; readers see them in `removed`."""
        with self._lock:
            for key in keys:
                self._recalled.discard(key)
                if key in self._rows:
                    self._log(key)
                    del self._rows[key]
                    self._seen.pop(key, None)
                    self._gone[key] = self._version
            self._tidy()

    def remove_unconfirmed(self) -> None:
        """Forget rows that were recalled, and not put since."""
        self.remove(self.unconfirmed())
        self._recalled = set()  # an emptied set keeps its size

    def keys(self) -> set[K]:
        """The ids of all rows."""
        with self._lock:
            return set(self._rows)

    def changes(self, since: int, limit: int = SLICE) -> Changes[K, R]:
        """Return the changes after version `since`, at most `limit` rows."""
        with self._lock:
            there = frozenset(self._rows) if 0 < since < self._forgotten else None
            position = bisect_right(self._log_versions, since)
            rows: list[R] = []
            removed: list[K] = []
            while position < len(self._log_keys) and len(rows) + len(removed) < limit:
                key, since = self._log_keys[position], self._log_versions[position]
                if self._again.get(key, since) == since:
                    if key in self._rows:
                        rows.append(self._rows[key])
                    else:
                        removed.append(key)
                position += 1
            more = position < len(self._log_keys)
            version = since if more else self._version
            return Changes(tuple(rows), tuple(removed), version, more, there)

    def _log(self, key: K) -> None:
        """Note a change that is about to be made."""
        self._version += 1
        if key in self._rows or key in self._gone:
            self._again[key] = self._version
            self._gone.pop(key, None)
        self._log_versions.append(self._version)
        self._log_keys.append(key)

    def _tidy(self) -> None:
        """Remember of many rows that are gone the last ones alone, and nothing that is stale."""
        if len(self._gone) > 2 * TOMBSTONES:
            for key in list(self._gone)[:-TOMBSTONES]:
                self._forgotten = self._gone.pop(key)
            self._drop_stale()
        elif len(self._log_keys) > 2 * (len(self._rows) + len(self._gone)) + TOMBSTONES:
            self._drop_stale()

    def _drop_stale(self) -> None:
        versions, keys = array("q"), list[K]()
        for version, key in zip(self._log_versions, self._log_keys, strict=True):
            is_there = key in self._rows or key in self._gone
            if is_there and self._again.get(key, version) == version:
                versions.append(version)
                keys.append(key)
        self._log_versions, self._log_keys, self._again = versions, keys, {}


# Those rows of a table that a figure rests on, followed by what changes in the table.


class Follower(Protocol):
    """What follows a table."""

    @property
    def version(self) -> int:
        """Another number whenever its rows are others."""
        ...

    def take_in(self) -> bool:
        """Take in a slice of what changed; True while there is more."""
        ...


class Subset(Generic[K, R]):
    """The rows for which `wanted` holds: however long a table is, a figure looks at these alone."""

    def __init__(self, table: Table[K, R], wanted: Callable[[R], bool]) -> None:
        self._table = table
        self._wanted = wanted
        self._rows: dict[K, R] = {}
        self._since = 0
        self._version = 0

    @property
    def version(self) -> int:
        """See `Follower`."""
        return self._version

    def rows(self) -> Collection[R]:
        """The rows, in the order in which they came to be wanted."""
        return self._rows.values()

    def take_in(self) -> bool:
        """See `Follower`."""
        if self._table.version == self._since:
            return False
        changes = self._table.changes(self._since)
        for row in changes.rows:
            key = self._table.key(row)
            if self._wanted(row):
                self._rows[key] = row
                self._version += 1
            else:
                self._forget(key)
        for key in changes.gone(self._rows):
            self._forget(key)
        self._since = changes.version
        return changes.more

    def _forget(self, key: K) -> None:
        if self._rows.pop(key, None) is not None:
            self._version += 1


# One coalesced wake-up from the worker's thread to the event loop of the screens.


class WakeUp:
    """Call it from any thread; `wait()` for it on the loop.

    However often it is called while the loop is busy or stuck behind a frozen terminal, the loop
    holds one handle: measured, an unguarded wake-up piles up 15,000 of them in 20 s.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._pending = False
        self._event = asyncio.Event()

    def __call__(self) -> None:
        """Wake the loop, unless it is to wake anyway or is closed. Never waits; for any thread."""
        if self._pending:
            return
        self._pending = True
        with suppress(RuntimeError):  # the loop was closed: nobody is left to wake
            self._loop.call_soon_threadsafe(self._fire)

    def _fire(self) -> None:
        # Cleared before anybody reads: a change after this line schedules a wake-up of its own.
        self._pending = False
        self._event.set()

    async def wait(self) -> None:
        """Return once something changed since the last return."""
        await self._event.wait()
        self._event.clear()


# Screens go before what is long in the worker's thread: the two share one interpreter.
#
# A screen that was first looked at beside a first read took twice as long as alone.

KEYPRESS_SECONDS = 0.1
"""Seconds that a key may take until all that it brings is painted."""


class UiPriority:
    """Claimed by whoever is about to paint; may be asked and claimed from any thread.

    Attributes:
        loading: whether the dashboard is being loaded, beside a read that began before.
    """

    def __init__(self) -> None:
        self.loading = False
        self._until = -inf

    def request(self, now: float) -> None:
        """A key came, at this boot time."""
        self._until = now + KEYPRESS_SECONDS

    def is_requested(self, now: float) -> bool:
        """Whether something is about to be painted, at this boot time."""
        return self.loading or now < self._until
