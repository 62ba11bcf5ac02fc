"""The reader of lists in the cache: windows of their rows, with rank and count."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from paytui.domain.models import Kind, Record
from paytui.store.cache.file import explained, open_to_read
from paytui.store.cache.list_filter import LOCAL_DAY, Condition
from paytui.store.cache.list_query import ListQuery, Place, Statements, statements
from paytui.store.cache.list_tables import time_of
from paytui.store.cache.records import Unreadable, codec_of
from paytui.store.filter import TimeContext


class Interrupted(Exception):
    """The end of a read by `interrupt()`."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The row around which a window is read.

    Attributes:
        key: its identifier; None, or if the list does not hold it: the row at `position`.
        position: counted from 0; beyond the last row that row is meant.
    """

    key: str | None = None
    position: int = 0


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive rows of a query.

    Attributes:
        first: the position of the first of them in the list.
        total: number of rows in the list.
        version: that of the file; while it is the same, positions and total are.
    """

    rows: tuple[Record, ...]
    first: int
    total: int
    version: int


class ListReader:
    """A reader of lists, with a read-only connection of its own; one thread at a time reads.

    A file that was altered counts as none: all methods raise CacheUnusable.
    """

    def __init__(self, path: Path) -> None:
        self._connection = open_to_read(path)

    def close(self) -> None:
        self._connection.close()

    def interrupt(self) -> None:
        """End the read of another thread, which raises Interrupted there."""
        with suppress(sqlite3.ProgrammingError):  # it has been closed meanwhile
            self._connection.interrupt()

    def window(
        self,
        query: ListQuery,
        when: TimeContext,
        anchor: Anchor,
        reach: int,
        held: Window | None = None,
    ) -> Window:
        """Return the rows around an anchor, `reach` on either side.

        Args:
            query: the list.
            when: the clock and the zone of the filter.
            anchor: a row.
            reach: number of rows.
            held: an earlier window of the same query. While it is current nothing is counted again,
                and the caller gives the position of the anchor's row.

        Raises:
            FilterError: the filter is invalid.
            Interrupted: `interrupt` was called.
        """
        select = statements(query, when)
        with self._transaction(when):
            version = self._number(Condition("PRAGMA data_version"))
            is_current = held is not None and held.version == version
            total = held.total if held and is_current else self._number(select.count())
            place = None if anchor.key is None else self._place(select, query.kind, anchor.key)
            if place is None:
                first, numbers = self._around_position(select, anchor.position, reach, total)
            else:
                rank = anchor.position
                if not is_current:
                    rank = self._number(select.count_before(place))
                above = self._numbers(select.rows(reach, beyond=place, up=True))
                below = self._numbers(select.rows(reach, beyond=place))
                first, numbers = rank - len(above), [*above[::-1], int(place[-1]), *below]
            return Window(tuple(self._records(query.kind, numbers)), first, total, version)

    def rows(self, query: ListQuery, when: TimeContext) -> Iterator[Record]:
        """Yield all rows of a list, as they are at the first."""
        select = statements(query, when)
        with self._transaction(when):
            found = select.rows(-1)
            numbers = (row for (row,) in self._connection.execute(found.sql, found.values))
            yield from self._records(query.kind, numbers)

    def _around_position(
        self, select: Statements, position: int, reach: int, total: int
    ) -> tuple[int, list[int]]:
        """Return the first position and the numbers of rows, read from the nearer end."""
        middle = max(0, min(position, total - 1))
        first, end = max(0, middle - reach), min(total, middle + reach + 1)
        if first <= total - end:
            return first, self._numbers(select.rows(end - first, offset=first))
        numbers = self._numbers(select.rows(end - first, offset=total - end, up=True))
        return first, numbers[::-1]

    def _place(self, select: Statements, kind: Kind, key: str) -> Place | None:
        """Return the place of a row; None if it is not in the list."""
        number = self._connection.execute(
            "SELECT row FROM records WHERE kind = ? AND id = ?", (kind.value, key)
        ).fetchone()
        if number is None:
            return None
        one = select.place(number[0])
        found = self._connection.execute(one.sql, one.values).fetchall()
        return tuple(found[0]) if found else None

    def _records(self, kind: Kind, numbers: Iterator[int] | Sequence[int]) -> Iterator[Record]:
        read = codec_of(kind).read
        for number in numbers:
            [(body,)] = self._connection.execute(
                "SELECT body FROM records WHERE row = ?", (number,)
            ).fetchall()
            yield read(body)

    def _number(self, one: Condition) -> int:
        [(number,)] = self._connection.execute(one.sql, one.values).fetchall()
        assert isinstance(number, int)
        return number

    def _numbers(self, select: Condition) -> list[int]:
        found = self._connection.execute(select.sql, select.values).fetchall()
        return [number for (number,) in found]

    @contextmanager
    def _transaction(self, when: TimeContext) -> Iterator[None]:
        """Read one state of the file."""

        def local_day(key: int) -> int:
            return when.day(time_of(key)).toordinal()

        with _interruptible():
            self._connection.create_function(LOCAL_DAY, 1, local_day, deterministic=True)
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")


@contextmanager
def _interruptible() -> Iterator[None]:
    """Raise Interrupted for a read that was interrupted, CacheUnusable for what a file causes."""
    with explained():
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                raise Interrupted from None
            raise
        except ValueError:  # values of other types than this version writes
            raise Unreadable from None
