"""The SQL statements of a query of a list in the cache, with parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from paytui.domain.models import Kind
from paytui.store.cache.list_filter import (
    ALL,
    Condition,
    HasLabel,
    Value,
    all_of,
    any_of,
    compile_filter,
    owned_by,
)
from paytui.store.cache.list_query import ListQuery
from paytui.store.cache.list_tables import UNFIT, KeyType, ListTable, list_tables
from paytui.store.fields import Field
from paytui.store.filter import TimeContext
from paytui.store.search_text import named_fields
from paytui.store.store import Store

FOUND = "temp.found"
"""The table of a connection with the numbers of the rows that match its last query."""

Place = tuple[Value, ...]
"""The sort keys of a row, the last its number, which is unique."""


@dataclass(frozen=True, slots=True)
class Statements:
    """The SQL statements of one query. All names in them are ours, all values are parameters.

    Attributes:
        condition: holds for the rows of the list.
        keys: the expressions to sort by, each with True if it descends; the last is unique.
        in_order: whether rows are read in order, by an index, rather than sorted. With few rows
            that match the index would be read in vain.
    """

    table: ListTable
    condition: Condition
    keys: tuple[tuple[str, bool], ...]
    in_order: bool

    def found(self, *, are_many: bool) -> Statements:
        """Return the same rows, as they are in the table `FOUND`."""
        condition = f"row IN (SELECT row FROM {FOUND})"  # noqa: S608 - our own name
        if are_many:
            condition = f"EXISTS (SELECT 1 FROM {FOUND} WHERE row = {self.table.name}.row)"  # noqa: S608
        return replace(self, condition=Condition(condition), in_order=are_many)

    def find(self) -> Condition:
        """Write the rows to the table `FOUND`."""
        chosen = self._selected("row", self.condition)
        return Condition(f"INSERT INTO {FOUND} {chosen.sql}", chosen.values)

    def count(self) -> Condition:
        return self._selected("count(*)", self.condition)

    def counts_before(self, place: Place) -> list[Condition]:
        """Count the rows before a place; the counts add up."""
        pieces = self._beyond(place, up=True)
        return [self._selected("count(*)", all_of([one, self.condition])) for one in pieces]

    def unfit(self) -> Condition:
        """Select the numbers of rows with an amount that SQLite cannot add up."""
        return self._selected("row", all_of([Condition("scale = ?", (UNFIT,)), self.condition]))

    def place(self, number: int) -> Condition:
        """Select the place of a row, if it is in the list."""
        keys = ", ".join(key for key, _ in self.keys)
        return self._selected(keys, all_of([Condition("row = ?", (number,)), self.condition]))

    def rows(self, limit: int, *, offset: int = 0, up: bool = False) -> Condition:
        """Select the numbers of rows from the top; `up`: from the bottom upwards."""
        return self._ordered(self.condition, limit, offset=offset, up=up)

    def rows_beyond(self, place: Place, limit: int, *, up: bool = False) -> list[Condition]:
        """Select the numbers of rows after a place, or before it if `up`: the nearest first."""
        pieces = self._beyond(place, up=up)
        return [self._ordered(all_of([one, self.condition]), limit, up=up) for one in pieces]

    def _ordered(
        self, condition: Condition, limit: int, *, offset: int = 0, up: bool = False
    ) -> Condition:
        keys = (f"{self._sign}{key} {'DESC' if down != up else 'ASC'}" for key, down in self.keys)
        chosen = self._selected("row", condition)
        sql = f"{chosen.sql} ORDER BY {', '.join(keys)} LIMIT ? OFFSET ?"
        return Condition(sql, (*chosen.values, limit, offset))

    @property
    def _sign(self) -> str:
        """The sign of keys: with a plus SQLite uses no index of theirs."""
        return "" if self.in_order else "+"

    def _selected(self, what: str, condition: Condition) -> Condition:
        where = "" if condition == ALL else f" WHERE {condition.sql}"  # of all SQLite counts faster
        return Condition(f"SELECT {what} FROM {self.table.name}{where}", condition.values)  # noqa: S608 - our names

    def _beyond(self, place: Place, *, up: bool) -> list[Condition]:
        """Return the conditions of rows after a place, or before it if `up`, the nearest first.

        No row satisfies two of them: each has one key more in common with the place than the next.
        An index leads to the rows of each.
        """
        pieces: list[Condition] = []
        equal: list[Condition] = []
        for (key, descends), value in zip(self.keys, place, strict=True):
            compared = "<" if descends != up else ">"
            further = Condition(f"{self._sign}{key} {compared} ?", (value,))
            pieces.insert(0, all_of([*equal, further]))
            equal.append(Condition(f"{self._sign}{key} = ?", (value,)))
        return pieces if self.in_order else [any_of(pieces)]


def statements(
    query: ListQuery, when: TimeContext, has_label: HasLabel, *, row_by_row: bool = False
) -> Statements:
    """Compile a query; raise FilterError if its filter is invalid.

    Args:
        query: the list.
        when: the clock and the zone of the filter.
        has_label: as for `compile_filter`.
        row_by_row: rows are read in order and compared one by one, without the full-text index.
    """
    table = replace(list_tables()[query.kind], has_index=not row_by_row)
    condition = compile_filter(query.filter, table, _known(query.kind), when, has_label)
    if query.owner is not None:
        condition = all_of([owned_by(table, *query.owner), condition])
    keys = [(_key(table, sort.column), sort.descending) for sort in query.order]
    is_reversed = bool(query.order) and query.order[0].descending
    return Statements(
        table, condition, (*keys, ("row", is_reversed)), row_by_row or condition == ALL
    )


@cache
def _known(kind: Kind) -> tuple[Field, ...]:
    """Return the fields that a filter can name; their values are not used."""
    return named_fields(Store(), kind)


def _key(table: ListTable, name: str) -> str:
    """Return the expression with the key of a sort column; without a value it is the least."""
    if name in table.sorts:
        return f"{name}_sort"
    column = table.column(name)
    if column is not None and column.type is not KeyType.LABEL:
        return name
    text, ref = ("sort", f"{name}_id") if column is None else ("folded", name)
    return f"coalesce((SELECT {text} FROM labels WHERE ref = {ref}), '')"  # noqa: S608 - our names
