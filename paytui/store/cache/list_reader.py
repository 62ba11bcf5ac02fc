"""The reader of lists in the cache: windows of their rows, with rank and count, and their sums."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from paytui.domain.models import Kind, Record
from paytui.domain.money import EXACT, CurrencyCode
from paytui.platform.clock import Zone
from paytui.store.cache.file import explained, open_to_read
from paytui.store.cache.list_query import Anchor, Interrupted, ListQuery, Window
from paytui.store.cache.list_statements import (
    ALL,
    FOUND,
    LOCAL_DAY,
    Condition,
    Place,
    Statements,
    all_of,
    statements,
)
from paytui.store.cache.list_tables import NO_TIME, UNFIT, KeyType, time_of
from paytui.store.cache.records import codec_of
from paytui.store.filter import FilterError, TimeContext
from paytui.store.model_json import Unreadable
from paytui.store.names import account_and_wallet
from paytui.store.sums import ACCOUNT, MONEY, Entry, Group, GroupBy, Sums, entry_of, grouped, summed

PAGE_CACHE = 500  # KB; the operating system has the other pages

COUNTED_AT_ONCE = 20_000
"""Rows of a table in which the rank of a row is counted before any row is shown: half a ms."""

GLANCE = 100_000
"""SQLite's instructions for the first rows of a query: 5 to 45 ms in a list of a million rows, of
which all take 140 ms."""

QUICK = 20_000  # The same for all rows of a query by an index: a millisecond, for 2,000 rows

MANY = 20  # With one row of this number that matches, all rows are read in order


_HALF = 26
"""Bits of the lower half of an amount of 53. Halves are summed apart, so that no sum of up to 2**36
rows exceeds 64 bits."""

_LABEL = "(SELECT id FROM labels WHERE ref = {})"

_SUMS = """
SELECT {value}, {code}, scale, count(*),
  sum(units >> {half}), sum(units & {mask})
FROM {table} WHERE {condition} GROUP BY {groups}
"""

_PERIOD = 29
"""Times are grouped by 2**29 microseconds, nine minutes, and the few periods in which the day
changes by microseconds."""

Sum = tuple[object, Entry]  # A value, and the sum of its rows of one currency and scale


@dataclass(frozen=True, slots=True)
class _Found:
    """The rows of a list that match a condition, in a version of the file."""

    kind: Kind
    condition: Condition
    zone: Zone
    version: int
    total: int = 0
    last: int = 0  # The greatest number of a row in the table

    @property
    def are_many(self) -> bool:
        return self.total * MANY > self.last

    def is_of(self, wanted: _Found) -> bool:
        return replace(self, total=0, last=0) == wanted


@dataclass(slots=True)
class SumReader:
    """A reader of the sums of a query, as a whole or in groups, within a transaction.

    SQLite adds up integers (`units_of`). Python adds up the few rows with an amount that does not
    fit; a call for each row would hold the interpreter's lock.

    Attributes:
        records: reads rows by their numbers.
    """

    connection: sqlite3.Connection
    select: Statements
    when: TimeContext
    records: Callable[[Sequence[int]], Iterator[Record]]
    _has_unfit: bool = field(default=False, init=False)

    def sums(self) -> Sums:
        return summed(
            chain((entry for _, entry in self._added("")), map(self._entry, self._unfit()))
        )

    def groups(self, by: GroupBy) -> list[Group]:
        column = self.select.table.column(by.field)
        if by.field == ACCOUNT:
            found = self._by_account()
        elif column is None:
            raise AssertionError("a column to group by is cached")
        elif column.type is KeyType.TIME:
            found = self._by_day(by.field)
        elif column.type is KeyType.LABEL:
            found = self._added(by.field, _LABEL.format(by.field))
        else:
            found = self._added(by.field)
        told = ((str(value or ""), entry) for value, entry in found)
        unfit = (
            (by.value(row, self.when.day, self._account_of), self._entry(row))
            for row in self._unfit()
        )
        return grouped(chain(told, unfit))

    def _by_account(self) -> Iterator[Sum]:
        """Yield the sums by a row's account, else by that of its wallet."""
        table = self.select.table
        of_wallet = f"(SELECT account FROM labels WHERE ref = {table.wallet})"  # noqa: S608 - ours
        if table.column(ACCOUNT) is None:
            return self._added(table.wallet, of_wallet)
        value = f"coalesce({_LABEL.format(ACCOUNT)}, {of_wallet})"
        # One key sorts faster than two; references of labels are positive.
        return self._added(f"coalesce({ACCOUNT}, -{table.wallet})", value)

    def _account_of(self, row: Any) -> str | None:  # noqa: ANN401 - of the list's kind
        account_id, wallet_id = account_and_wallet(row)
        if account_id is not None:
            return account_id
        select = "SELECT account FROM labels WHERE kind = ? AND id = ?"
        labels = self.connection.execute(select, (Kind.WALLETS.value, wallet_id)).fetchall()
        return labels[0][0] if labels else None

    def _by_day(self, column: str) -> Iterator[Sum]:
        mixed: list[int] = []
        for period, entry in self._added(f"{column} >> {_PERIOD}"):
            assert isinstance(period, int)
            if (day := self._day_of(period)) is None:
                mixed.append(period)
            else:
                yield day, entry
        among = f"{column} >> {_PERIOD} IN (SELECT value FROM json_each(?))"  # noqa: S608 - ours
        within = Condition(among, (json.dumps(mixed),))
        for key, entry in self._added(column, within=within) if mixed else ():
            assert isinstance(key, int)
            yield self.when.day(time_of(key)).isoformat(), entry

    def _day_of(self, period: int) -> str | None:
        """Return the day of all times of a period; None if they may have several."""
        start = period << _PERIOD
        if start == NO_TIME:
            return ""
        try:
            ends = [
                time_of(key).astimezone(self.when.zone) for key in (start, start + 2**_PERIOD - 1)
            ]
        except (OverflowError, ValueError):
            return None
        first, last = ((moment.date(), moment.utcoffset()) for moment in ends)
        return first[0].isoformat() if first == last else None

    def _added(self, group: str, value: str = "", within: Condition | None = None) -> Iterator[Sum]:
        """Yield the sums by group, currency and scale of the amounts that fit."""
        table = self.select.table
        currency = MONEY[table.kind][1]
        condition = (
            self.select.condition if within is None else all_of([within, self.select.condition])
        )
        sql = _SUMS.format(
            value=value or group or "NULL",
            code=_LABEL.format(currency),
            half=_HALF,
            mask=2**_HALF - 1,
            table=table.name,
            condition=condition.sql,
            groups=", ".join(filter(None, [group, currency, "scale"])),
        )
        for what, code, scale, rows, high, low in self.connection.execute(sql, condition.values):
            if scale == UNFIT:
                self._has_unfit = True
            else:
                units = None if scale is None else Decimal((high << _HALF) + low)
                amount = None if units is None else units.scaleb(-scale, EXACT)
                yield what, (amount, None if code is None else CurrencyCode(code), rows)

    def _unfit(self) -> Iterator[Record]:
        """Yield the rows with an amount that does not fit, if `_added` has met any."""
        if self._has_unfit:
            unfit = self.select.unfit()
            found = self.connection.execute(unfit.sql, unfit.values).fetchall()
            yield from self.records([row for (row,) in found])

    def _entry(self, row: Record) -> Entry:
        return entry_of(self.select.table.kind, row)


class ListReader:
    """A reader of lists, with a read-only connection of its own; one thread at a time reads.

    The rows that match a filter are found once, for all orders and windows, in a table in memory.
    A file that was altered counts as none: all methods raise CacheUnusable.
    """

    def __init__(
        self, path: Path, *, counted_at_once: int = COUNTED_AT_ONCE, quick: int = QUICK
    ) -> None:
        self._connection = open_to_read(path)
        self.close = self._connection.close
        self._counted_at_once = counted_at_once
        self._quick = quick
        self._found: _Found | None = None
        self._window: tuple[int, dict[int, Record]] = 0, {}  # Its version, and rows by number
        with explained():
            self._connection.execute("PRAGMA temp_store = MEMORY")
            self._connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE}")
            self._connection.execute(f"CREATE TABLE {FOUND} (row INTEGER PRIMARY KEY)")

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
            held: an earlier window of the same query. While it is current no rank is counted
                again: the caller gives the position of the anchor's row. Without one, in a table
                with many rows, the window comes before its position is known.

        Raises:
            FilterError: the filter is invalid.
            Interrupted: `interrupt` was called.
        """
        with self._transaction(when):
            select, found = self._find(query, when)
            total, current = found.total, (found.version, found.condition, True)
            place = None if anchor.key is None else self._place(select, query.kind, anchor.key)
            is_placed = True
            if place is None:
                first, numbers = self._around_position(select, anchor.position, reach, total)
            else:
                above = self._beyond(select, place, reach, up=True)
                below = self._beyond(select, place, reach)
                first, lowest = anchor.position - len(above), total - 1 - len(below) - len(above)
                if len(above) < reach:
                    first = 0
                elif len(below) < reach:
                    first = lowest
                elif held is None and found.last > self._counted_at_once:
                    first, is_placed = max(0, min(first, lowest)), False
                elif held is None or (held.version, held.condition, held.is_placed) != current:
                    first = sum(map(self._number, select.counts_before(place))) - len(above)
                numbers = [*above[::-1], int(place[-1]), *below]
            rows = self._window_rows(found, numbers)
            return Window(rows, first, total, found.version, found.condition, is_placed)

    def opening(self, query: ListQuery, when: TimeContext, reach: int) -> Window:
        """Return the first rows of a query, alone if finding all takes longer."""
        if rows := self.glance(query, when, reach):
            return Window(rows, 0, len(rows), version=0, is_whole=False)
        return self.window(query, when, Anchor(), reach)

    def glance(self, query: ListQuery, when: TimeContext, most: int) -> tuple[Record, ...]:
        """Return the first rows of a query, at most `most`, if they are found at once.

        Args and errors are those of `window`. No row is returned if that is as fast.
        """
        numbers: list[int] | None = None
        with self._transaction(when):
            by_index = statements(query, when, self._has_label)
            one_by_one = statements(query, when, self._has_label, row_by_row=True)
            is_indexed = by_index.condition != one_by_one.condition
            is_quick = is_indexed and self._soon(by_index.count(), self._quick) is not None
            if not (is_quick or self._is_found(by_index, when)):
                numbers = self._soon(one_by_one.rows(most), GLANCE)
            return tuple(self._records(query.kind, numbers or ()))

    def rows(self, query: ListQuery, when: TimeContext) -> Iterator[Record]:
        """Yield all rows of a list, as they are at the first."""
        with self._transaction(when):
            found = statements(query, when, self._has_label).rows(-1)
            numbers = (row for (row,) in self._connection.execute(found.sql, found.values))
            yield from self._records(query.kind, numbers)

    def sums(self, query: ListQuery, when: TimeContext) -> Sums:
        """Sum up all rows of a query; arguments and errors are those of `window`."""
        with self._summing(query, when) as reader:
            return reader.sums()

    def groups(self, query: ListQuery, when: TimeContext, by: GroupBy) -> list[Group]:
        """Group all rows of a query by a column."""
        with self._summing(query, when) as reader:
            return reader.groups(by)

    @contextmanager
    def _summing(self, query: ListQuery, when: TimeContext) -> Iterator[SumReader]:
        with self._transaction(when):
            select, _ = self._find(query, when)
            yield SumReader(self._connection, select, when, partial(self._records, query.kind))

    def by_id(self, kind: Kind, keys: Iterable[str]) -> tuple[Record, ...]:
        """Return those of the rows with these identifiers that the file has."""
        select = "SELECT row FROM records WHERE kind = ? AND id = ?"
        with _interruptible():
            found = [
                row
                for key in keys
                for (row,) in self._connection.execute(select, (kind.value, key)).fetchall()
            ]
            return tuple(self._records(kind, found))

    def _has_label(self, condition: Condition) -> bool:
        label = f"SELECT EXISTS (SELECT 1 FROM labels WHERE {condition.sql})"  # noqa: S608 - our own names
        return bool(self._number(Condition(label, condition.values)))

    def _soon(self, select: Condition, most: int) -> list[int] | None:
        """Return numbers; None if that takes over `most` of SQLite's instructions, or a tenth more.

        SQLite counts on in a statement that runs again, so that the first call may come at once.
        """
        left = 10

        def end() -> bool:
            nonlocal left
            left -= 1
            return left < 0

        self._connection.set_progress_handler(end, max(1, most // 10))
        try:
            return self._numbers(select)
        except sqlite3.OperationalError:
            if left >= 0:
                raise
            return None
        finally:
            self._connection.set_progress_handler(None, 0)

    def _wanted(self, select: Statements, when: TimeContext) -> _Found:
        version = self._number(Condition("PRAGMA data_version"))
        return _Found(select.table.kind, select.condition, when.zone, version)

    def _is_found(self, select: Statements, when: TimeContext) -> bool:
        is_all, wanted = select.condition == ALL, self._wanted(select, when)
        return is_all or (self._found is not None and self._found.is_of(wanted))

    def _find(self, query: ListQuery, when: TimeContext) -> tuple[Statements, _Found]:
        """Find the rows of a query; return the statements to read them, and what was found."""
        select = statements(query, when, self._has_label)
        wanted, found = self._wanted(select, when), self._found
        if found is None or not found.is_of(wanted):
            if select.condition == ALL:
                total = self._number(select.count())
            else:
                self._connection.execute(f"DELETE FROM {FOUND}")  # noqa: S608 - our own name
                find = select.find()
                total = self._connection.execute(find.sql, find.values).rowcount
            last = f"SELECT coalesce(max(row), 0) FROM {select.table.name}"  # noqa: S608 - ours
            found = replace(wanted, total=total, last=self._number(Condition(last)))
            self._found = found
        is_all = select.condition == ALL
        return (select if is_all else select.found(are_many=found.are_many)), found

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

    def _beyond(
        self, select: Statements, place: Place, limit: int, *, up: bool = False
    ) -> list[int]:
        """Return the numbers of the nearest rows after a place, or before it if `up`."""
        numbers: list[int] = []
        for one in select.rows_beyond(place, limit, up=up):
            numbers += self._numbers(one)
            if len(numbers) >= limit:
                break
        return numbers[:limit]

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

    def _window_rows(self, found: _Found, numbers: Sequence[int]) -> tuple[Record, ...]:
        """Return rows by their numbers; the file's state is that of `found`.

        Rows of the last window are the same objects, unless the file has changed: lists keep what
        is formatted for an object, and reading on parses only what is new.
        """
        version, held = self._window
        known = held if version == found.version else {}
        others = [number for number in numbers if number not in known]
        read = dict(zip(others, self._records(found.kind, others), strict=True))
        rows = {number: known.get(number) or read[number] for number in numbers}
        self._window = found.version, rows
        return tuple(rows.values())

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

        found = self._found
        with _interruptible():
            self._connection.create_function(LOCAL_DAY, 1, local_day, deterministic=True)
            try:
                with self._connection:
                    self._connection.execute("BEGIN")
                    yield
            except BaseException:
                self._found = found  # what the transaction found is undone
                raise


@contextmanager
def _interruptible() -> Iterator[None]:
    """Raise Interrupted for a read that was interrupted, CacheUnusable for what a file causes."""
    with explained():
        try:
            yield
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                raise Interrupted from None
            raise
        except FilterError:
            raise
        except ValueError:  # values of other types than this version writes
            raise Unreadable from None
