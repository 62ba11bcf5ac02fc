"""Sums of the rows of a query, which SQLite adds up as integers, as a whole or in groups.

A row has its amount as a number of units and their decimal places (`units_of`). Python adds up the
few rows with an amount that does not fit; a call for each row would hold the interpreter's lock.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from paytui.domain.models import Record
from paytui.domain.money import EXACT, CurrencyCode
from paytui.store.cache.list_filter import Condition, all_of
from paytui.store.cache.list_statements import Statements
from paytui.store.cache.list_tables import NO_TIME, UNFIT, KeyType, time_of
from paytui.store.filter import TimeContext
from paytui.store.sums import MONEY, Adder, Group, GroupAdder, GroupBy, Sums

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

Sum = tuple[object, CurrencyCode | None, Decimal | None, int]
"""A value, a currency, an amount of it, and the number of rows."""


@dataclass(slots=True)
class SumReader:
    """A reader of the sums of a query, within a transaction.

    Attributes:
        records: reads rows by their numbers.
    """

    connection: sqlite3.Connection
    select: Statements
    when: TimeContext
    records: Callable[[Sequence[int]], Iterator[Record]]
    _has_unfit: bool = field(default=False, init=False)

    def sums(self) -> Sums:
        adder = Adder()
        for _, currency, amount, rows in self._added(""):
            adder.add(amount, currency, rows=rows)
        for row in self._unfit():
            adder.add(*self._money(row))
        return adder.sums()

    def groups(self, by: GroupBy) -> list[Group]:
        column = self.select.table.column(by.field)
        assert column is not None, "a column to group by is cached"
        adder = GroupAdder()
        if column.type is KeyType.TIME:
            found = self._by_day(by.field)
        elif column.type is KeyType.LABEL:
            found = self._added(by.field, _LABEL.format(by.field))
        else:
            found = self._added(by.field)
        for value, currency, amount, rows in found:
            adder.add(str(value or ""), amount, currency, rows=rows)
        for row in self._unfit():
            adder.add(by.value(row, self.when.day), *self._money(row))
        return adder.groups()

    def _by_day(self, column: str) -> Iterator[Sum]:
        mixed: list[int] = []
        for period, currency, amount, rows in self._added(f"{column} >> {_PERIOD}"):
            assert isinstance(period, int)
            if (day := self._day_of(period)) is None:
                mixed.append(period)
            else:
                yield day, currency, amount, rows
        among = f"{column} >> {_PERIOD} IN (SELECT value FROM json_each(?))"  # noqa: S608 - ours
        within = Condition(among, (json.dumps(mixed),))
        for key, currency, amount, rows in self._added(column, within=within) if mixed else ():
            assert isinstance(key, int)
            yield self.when.day(time_of(key)).isoformat(), currency, amount, rows

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
                yield what, None if code is None else CurrencyCode(code), amount, rows

    def _unfit(self) -> Iterator[Record]:
        if not self._has_unfit:
            return iter(())
        unfit = self.select.unfit()
        numbers = [row for (row,) in self.connection.execute(unfit.sql, unfit.values)]
        return self.records(numbers)

    def _money(self, row: Record) -> tuple[Decimal | None, CurrencyCode | None]:
        amount, currency = MONEY[self.select.table.kind]
        return getattr(row, amount), getattr(row, currency)
