"""Sums of the rows of a query, which SQLite adds up as integers.

A row has its amount as a number of units and their decimal places (`units_of`). Python adds up the
few rows with an amount that does not fit; a call for each row would hold the interpreter's lock.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from paytui.domain.models import Record
from paytui.domain.money import CurrencyCode
from paytui.store.cache.list_query import Statements
from paytui.store.cache.list_tables import UNFIT
from paytui.store.figures import EXACT
from paytui.store.sums import MONEY, Adder, Sums

_HALF = 26
"""Bits of the lower half of an amount of 53. Halves are summed apart, so that no sum of up to 2**36
rows exceeds 64 bits."""

_SUMS = """
SELECT (SELECT id FROM labels WHERE ref = {currency}), scale, count(*),
  sum(units >> {half}), sum(units & {mask})
FROM {table} WHERE {condition} GROUP BY {currency}, scale
"""


def read_sums(
    connection: sqlite3.Connection,
    select: Statements,
    records: Callable[[Sequence[int]], Iterator[Record]],
) -> Sums:
    """Sum up the rows of a query, within a transaction; `records` reads rows by their numbers."""
    table = select.table
    amount, currency = MONEY[table.kind]
    adder = Adder()
    sql = _SUMS.format(
        currency=currency,
        half=_HALF,
        mask=2**_HALF - 1,
        table=table.name,
        condition=select.condition.sql,
    )
    has_unfit = False
    for code, scale, rows, high, low in connection.execute(sql, select.condition.values):
        if scale == UNFIT:
            has_unfit = True
        else:
            units = None if scale is None else Decimal((high << _HALF) + low)
            told = None if units is None else units.scaleb(-scale, EXACT)
            adder.add(told, None if code is None else CurrencyCode(code), rows=rows)
    if has_unfit:
        unfit = select.unfit()
        numbers = [row for (row,) in connection.execute(unfit.sql, unfit.values)]
        for record in records(numbers):
            adder.add(getattr(record, amount), getattr(record, currency))
    return adder.sums()
