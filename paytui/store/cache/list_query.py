"""Queries of a list in the cache: which rows, in which order, as SQL with parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from paytui.domain.models import Kind
from paytui.store.cache.list_filter import (
    ALL,
    Condition,
    Value,
    all_of,
    any_of,
    compile_filter,
    owned_by,
)
from paytui.store.cache.list_tables import UNFIT, KeyType, ListTable, list_tables
from paytui.store.fields import Field
from paytui.store.filter import TimeContext
from paytui.store.related import Owner
from paytui.store.search_text import named_fields
from paytui.store.store import Store


@dataclass(frozen=True, slots=True)
class SortBy:
    """One column to sort by: a field, the name of a referenced object, `PAYEE` or `OWNER`.

    `source_wallet_id` sorts by the identifier, `source_wallet` by the name.
    """

    column: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The rows of a list.

    Rows without a value come first, those with equal values in order of their arrival. If the first
    column is descending, all of this is reversed.

    Attributes:
        filter: in the filter language; a blank one matches all rows.
        owner: the kind and identifier of the object that rows belong to; None: any.
    """

    kind: Kind
    order: tuple[SortBy, ...] = ()
    filter: str = ""
    owner: Owner | None = None


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

    def count_before(self, place: Place) -> Condition:
        return self._selected("count(*)", all_of([self._from(place, up=True), self.condition]))

    def unfit(self) -> Condition:
        """Select the numbers of rows with an amount that SQLite cannot add up."""
        return self._selected("row", all_of([Condition("scale = ?", (UNFIT,)), self.condition]))

    def place(self, number: int) -> Condition:
        """Select the place of a row, if it is in the list."""
        keys = ", ".join(key for key, _ in self.keys)
        return self._selected(keys, all_of([Condition("row = ?", (number,)), self.condition]))

    def _order(self, *, up: bool) -> str:
        sign = "" if self.in_order else "+"
        keys = ((sign + key, descends != up) for key, descends in self.keys)
        return ", ".join(f"{key} {'DESC' if descends else 'ASC'}" for key, descends in keys)

    def rows(
        self, limit: int, *, offset: int = 0, beyond: Place | None = None, up: bool = False
    ) -> Condition:
        """Select the numbers of rows from a place on, or from the top; `up`: upwards, or from
        the bottom.
        """
        condition = self.condition
        if beyond is not None:
            condition = all_of([self._from(beyond, up=up), condition])
        chosen = self._selected("row", condition)
        sql = f"{chosen.sql} ORDER BY {self._order(up=up)} LIMIT ? OFFSET ?"
        return Condition(sql, (*chosen.values, limit, offset))

    def _selected(self, what: str, condition: Condition) -> Condition:
        sql = f"SELECT {what} FROM {self.table.name} WHERE {condition.sql}"  # noqa: S608 - our names
        return Condition(sql, condition.values)

    def _from(self, place: Place, *, up: bool) -> Condition:
        """Return the condition that a row comes after a place, or before it if `up`."""
        directions = {descends for _, descends in self.keys}
        if len(directions) == 1:
            names, marks = ", ".join(key for key, _ in self.keys), ", ".join("?" for _ in place)
            sign = "<" if directions.pop() != up else ">"
            return Condition(f"({names}) {sign} ({marks})", place)
        condition: Condition | None = None
        for (key, descends), value in reversed([*zip(self.keys, place, strict=True)]):
            sign = "<" if descends != up else ">"
            beyond = Condition(f"{key} {sign} ?", (value,))
            if condition is None:
                condition = beyond
            else:
                # The first part is redundant; it lets SQLite use an index.
                within = Condition(f"{key} {sign}= ?", (value,))
                condition = all_of([within, any_of([beyond, condition])])
        assert condition is not None, "the number of the row is always a key"
        return condition


def statements(query: ListQuery, when: TimeContext, *, row_by_row: bool = False) -> Statements:
    """Compile a query; raise FilterError if its filter is invalid.

    Args:
        query: the list.
        when: the clock and the zone of the filter.
        row_by_row: rows are read in order and compared one by one, without the full-text index.
    """
    table = replace(list_tables()[query.kind], has_index=not row_by_row)
    condition = compile_filter(query.filter, table, _known(query.kind), when)
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
