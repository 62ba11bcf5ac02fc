"""Versioned tables, and the signals between the worker's thread and the screens."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from math import inf
from threading import Lock
from typing import Generic, TypeVar

from paytui.domain.models import State

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")
V = TypeVar("V")

SLICE = 500
"""Maximum of rows copied while the lock is held, so that neither thread blocks the other."""

TOMBSTONES = 100
"""Minimum of ids of removed rows that are remembered; rate sheets go by the hundred each day."""


@dataclass(frozen=True, slots=True)
class Changes(Generic[K, R]):
    """The changes of a table after a version; if there are `more`, ask again at once.

    Attributes:
        rows: new and changed rows, the least recently changed first.
        version: the version to ask from next time.
        there: ids of all rows, for a reader so far behind that `removed` is incomplete.
    """

    rows: tuple[R, ...]
    removed: tuple[K, ...]
    version: int
    more: bool
    there: frozenset[K] | None = None

    def __bool__(self) -> bool:
        return bool(self.rows or self.removed) or self.there is not None

    def gone(self, held: Iterable[K]) -> Collection[K]:
        """Return the ids of removed rows, for a reader that holds rows with these ids."""
        if self.there is None:
            return self.removed
        return [key for key in held if key not in self.there]


class Table(Generic[K, R]):
    """Rows by id, written by the worker's thread and read by any; each change has its own version.

    Putting a row that equals the stored one changes nothing, so readers do not notice a poll
    without news.
    """

    def __init__(self, key: Callable[[R], K], lock: Lock) -> None:
        self.key = key
        self._lock = lock
        self._rows: dict[K, R] = {}
        self._versions: dict[K, int] = {}  # Of the last change of each id, the newest last
        self._logged: list[K] = []  # The ids of changes, superseded ones included
        self._logged_at: list[int] = []  # Their versions
        self._recalled: set[K] = set()
        self._unread: set[K] = set()
        self._seen: dict[K, tuple[str, ...]] = {}
        self._version = 0
        self._forgotten = 0

    @property
    def version(self) -> int:
        """The version of the newest change; 0 if the table was never written."""
        return self._version

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, key: K) -> R | None:
        return self._rows.get(key)  # without the lock: it is one step

    def rows(self) -> list[R]:
        """Return all rows, in the order of their insertion."""
        with self._lock:
            return list(self._rows.values())

    def put(self, rows: Iterable[R]) -> None:
        """Insert or replace rows by id, at most a `SLICE` at once."""
        with self._lock:
            for row in rows:
                key = self.key(row)
                self._recalled.discard(key)
                self._unread.discard(key)
                before = self._rows.get(key)
                if before is None or before != row:  # comparing with None is slow
                    self._log(key)
                    self._rows[key] = row
                    was, now = getattr(before, "status", None), getattr(row, "status", None)
                    if isinstance(was, State) and was != now and not was.as_created:
                        self._seen[key] = tuple(dict.fromkeys((*self._seen.get(key, ()), was.name)))

    def seen(self, key: K) -> tuple[str, ...]:
        """Return the names of an object's states before its present one, as seen by this run."""
        with self._lock:
            return self._seen.get(key, ())

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
        """Insert cached rows where there are none; `put` confirms them."""
        with self._lock:
            for row in rows:
                key = self.key(row)
                if key not in self._rows:
                    self._log(key)
                    self._rows[key] = row
                    self._recalled.add(key)

    def confirmed(self, rows: Iterable[R]) -> list[R]:
        """Return the rows without those that were recalled and not put since."""
        with self._lock:
            return [row for row in rows if self.key(row) not in self._recalled]

    def unconfirmed(self) -> set[K]:
        """Return the ids of rows that were recalled and not put since."""
        with self._lock:
            return set(self._recalled)

    def remove(self, keys: Iterable[K]) -> None:
        """Remove rows; readers see them in `removed`."""
        with self._lock:
            for key in keys:
                self._recalled.discard(key)
                if key in self._rows:
                    self._log(key)
                    del self._rows[key]
                    self._seen.pop(key, None)
            if len(self._versions) - len(self._rows) > 2 * TOMBSTONES:
                for key in [key for key in self._versions if key not in self._rows][:-TOMBSTONES]:
                    self._forgotten = self._versions.pop(key)

    def remove_unconfirmed(self) -> None:
        self.remove(self.unconfirmed())
        self._recalled = set()  # an emptied set keeps its size

    def keys(self) -> set[K]:
        with self._lock:
            return set(self._rows)

    def changes(self, since: int, limit: int = SLICE) -> Changes[K, R]:
        """Return the changes after version `since`, at most `limit` rows."""
        with self._lock:
            there = frozenset(self._rows) if 0 < since < self._forgotten else None
            later = self._later(since)
            page = [*islice(later, limit)]
            more = any(later)
            return Changes(
                rows=tuple(self._rows[key] for key, _ in page if key in self._rows),
                removed=tuple(key for key, _ in page if key not in self._rows),
                version=page[-1][1] if more else self._version,
                more=more,
                there=there,
            )

    def _later(self, since: int) -> Iterator[tuple[K, int]]:
        """Yield the ids that changed after a version, each with the version of its last change."""
        for place in range(bisect_right(self._logged_at, since), len(self._logged)):
            key, version = self._logged[place], self._logged_at[place]
            if self._versions.get(key) == version:
                yield key, version

    def _log(self, key: K) -> None:
        """Log a change, and drop superseded ones once they are a fifth of the log."""
        self._version += 1
        self._versions.pop(key, None)
        self._versions[key] = self._version
        self._logged.append(key)
        self._logged_at.append(self._version)
        if len(self._logged) > 1.25 * len(self._versions) + SLICE:
            self._logged, self._logged_at = [*self._versions], [*self._versions.values()]


class Derived(Generic[K, R, V]):
    """A value for each row of a table, or None, kept up to date without scanning it again."""

    def __init__(self, table: Table[K, R], derive: Callable[[R], V | None]) -> None:
        self.values: dict[K, V] = {}
        self.version = 0
        self._table = table
        self._derive = derive
        self._since = 0

    def take_in(self) -> bool:
        """Read a slice of changes; return True if there are more."""
        return self._slice()[1]

    def changes(self) -> Iterator[tuple[K, V | None, V | None]]:
        """Yield each key whose value changed since the last call, its former and its new value."""
        more = True
        while more:
            found, more = self._slice()
            yield from found

    def _slice(self) -> tuple[list[tuple[K, V | None, V | None]], bool]:
        found: list[tuple[K, V | None, V | None]] = []
        if self._table.version == self._since:
            return found, False
        changes = self._table.changes(self._since)
        new: dict[K, V | None] = dict.fromkeys(changes.gone(self.values))
        new.update((self._table.key(row), self._derive(row)) for row in changes.rows)
        for key, after in new.items():
            before = self.values.get(key)
            if before == after:
                continue
            if after is None:
                del self.values[key]
            else:
                self.values[key] = after
            found.append((key, before, after))
        self.version += len(found)
        self._since = changes.version
        return found, changes.more


class Subset(Derived[K, R, R]):
    """The rows of a table that satisfy `wanted`."""

    def __init__(self, table: Table[K, R], wanted: Callable[[R], bool]) -> None:
        super().__init__(table, lambda row: row if wanted(row) else None)

    def rows(self) -> Collection[R]:
        """Return the rows, in the order in which they began to satisfy `wanted`."""
        return self.values.values()


class WakeUp:
    """A coalesced wake-up: call it from any thread, `wait()` for it on the loop.

    The loop holds at most one handle while it is busy or blocked by a frozen terminal. An
    unguarded wake-up was measured to pile up 15,000 handles in 20 s.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._pending = False
        self._event = asyncio.Event()

    def __call__(self) -> None:
        """Wake the loop unless a wake-up is pending or the loop is closed. Never blocks."""
        if self._pending:
            return
        self._pending = True
        with suppress(RuntimeError):  # the loop was closed
            self._loop.call_soon_threadsafe(self._fire)

    def _fire(self) -> None:
        # Cleared before the readers run: a later change schedules a wake-up of its own.
        self._pending = False
        self._event.set()

    async def wait(self) -> None:
        """Wait until something has changed since the last return."""
        await self._event.wait()
        self._event.clear()


LONGEST_PRIORITY = 0.5  # Seconds of work in one go after which the screens have no priority


class UiPriority:
    """A flag that makes long work in the worker's thread yield to the screens; for any thread.

    Both threads share one interpreter: a screen opened during the first read took twice as long.
    While `loading`, the dashboard is being loaded and a read is under way.
    """

    def __init__(self) -> None:
        self.loading = False
        self._busy_since = inf

    def begin(self, now: float) -> None:
        """Note that the loop of the screens works at this boot time."""
        self._busy_since = min(self._busy_since, now)

    def end(self) -> None:
        """Note that the loop of the screens waits for events."""
        self._busy_since = inf

    def is_requested(self, now: float) -> bool:
        """Return True if the screens have priority at this boot time."""
        return self.loading or now - LONGEST_PRIORITY < self._busy_since <= now
