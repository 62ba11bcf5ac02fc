"""The compiler of a query of a list in the cache, its filter and its order, to SQL.

A row matches exactly if it satisfies `store.filter.Filter`. Every value is a parameter, all names
are ours. Text of three characters and more is looked up in the full-text index; shorter text is
compared row by row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final

from paytui.domain.models import Kind
from paytui.platform.text import fold
from paytui.store import filter as filters
from paytui.store.cache.list_query import ListQuery
from paytui.store.cache.list_tables import (
    CODES,
    CURRENCY_OF,
    NO_TIME,
    UNFIT,
    WORDS,
    KeyColumn,
    KeyType,
    ListTable,
    list_tables,
    number_key,
    time_key,
)
from paytui.store.fields import Field, find_fields, is_amount
from paytui.store.filter import FilterError, Operator, Term, TimeContext
from paytui.store.names import named_by
from paytui.store.search_text import named_fields
from paytui.store.store import Store
from paytui.store.sums import ACCOUNT

LOCAL_DAY: Final = "local_day"
"""The SQL function that returns the ordinal of the day of a time key in the zone of the filter."""

INDEXED = 3  # Characters of the shortest text that the full-text index holds

LONGEST_PATTERN = 10_000  # Characters; SQLite allows 50,000, and each may be written as three
MOST_TERMS = 500  # SQLite allows a thousand conditions in one

_DAY = timedelta(days=1) // timedelta(microseconds=1)
_MARGIN = 2 * _DAY
"""Beyond it a time is on another day in every zone. Only nearer ones are converted, which is slow,
but exact where a zone repeats or skips hours, or a day."""

_TURNED = str.maketrans("<>", "><")  # From the comparison of an age to that of the time

Value = str | int | bytes


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in SQL and its parameters; it is NULL or false for a row that does not match."""

    sql: str
    values: tuple[Value, ...] = ()

    @property
    def negated(self) -> Condition:
        return Condition(f"({self.sql}) IS NOT TRUE", self.values)


NONE = Condition("FALSE")
ALL = Condition("TRUE")


def any_of(conditions: Iterable[Condition]) -> Condition:
    return _joined(" OR ", conditions, NONE)


def all_of(conditions: Iterable[Condition]) -> Condition:
    return _joined(" AND ", conditions, ALL)


def _joined(by: str, conditions: Iterable[Condition], empty: Condition) -> Condition:
    parts = list(conditions)
    if len(parts) <= 1:
        return parts[0] if parts else empty
    sql = by.join(f"({part.sql})" for part in parts)
    return Condition(sql, tuple(value for part in parts for value in part.values))


def owned_by(table: ListTable, owner: Kind, key: str) -> Condition:
    """Return the condition that a row belongs to an object, as `names.belongs_to`.

    A row without an account belongs to that of its wallet.
    """
    named = [_names(name, owner, key) for name in named_by(owner, table.kind)]
    if owner is Kind.ACCOUNTS:
        named.append(_by_wallet(table, Condition("id = ?", (key,))))
    return any_of(named)


def _by_wallet(table: ListTable, account: Condition) -> Condition:
    """Return the condition that a row has no account, and that of its wallet satisfies another."""
    accounts = f"SELECT id FROM labels WHERE kind = ? AND ({account.sql})"  # noqa: S608 - ours
    wallets = f"SELECT ref FROM labels WHERE kind = ? AND account IN ({accounts})"  # noqa: S608 - ours
    values = (Kind.WALLETS.value, Kind.ACCOUNTS.value, *account.values)
    by_wallet = Condition(f"{table.wallet} IN ({wallets})", values)
    has_none = [Condition(f"{ACCOUNT} IS NULL")] if table.column(ACCOUNT) else []
    return all_of([*has_none, by_wallet])


def _names(column: str, kind: Kind, key: str) -> Condition:
    """Return the condition that a column refers to an object."""
    ref = "SELECT ref FROM labels WHERE kind = ? AND id = ?"
    return Condition(f"{column} = ({ref})", (kind.value, key))


HasLabel = Callable[[Condition], bool]
"""Returns True if a label of the file satisfies a condition."""


def _filter(
    text: str, table: ListTable, known: Sequence[Field], when: TimeContext, has_label: HasLabel
) -> Condition:
    filters.parse_filter(text, known, when)  # checks it
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FilterError("It has a character that is not Unicode. Remove it.") from None
    terms = filters.parse_terms(text)
    if len(terms) > MOST_TERMS:
        raise FilterError(f"It has more than {MOST_TERMS} words. Leave some out.")
    return all_of(_term(term, table, known, when, has_label) for term in terms)


def _term(
    term: Term, table: ListTable, known: Sequence[Field], when: TimeContext, has_label: HasLabel
) -> Condition:
    if term.field:
        meant = find_fields(term.field, known)
        condition = any_of(_field(term, field, table, when) for field in meant)
    else:
        condition = _word(term, table, known, has_label)
    return condition.negated if term.negated else condition


def _field(term: Term, field: Field, table: ListTable, when: TimeContext) -> Condition:
    column = table.column(field.name)
    if column is not None and column.type is KeyType.NUMBER:
        return _number(term, column)
    if column is not None and column.type is KeyType.TIME:
        return _age(term, column, when) if term.is_age else _time(term, column, when)
    if column is not None and column.type is KeyType.TEXT:
        return _text(term, column, table)
    if column is not None:
        return _labelled(
            column, _in_code(term) if column.labels == CODES else _in_label(term, "folded")
        )
    in_label = any_of(_in_label(term, name) for name in ("sort", "folded"))
    named = table.column(f"{field.name}_id")
    found = [] if named is None else [_labelled(named, in_label)]
    if f"{field.name}_id" == ACCOUNT:
        found.append(_by_wallet(table, in_label))
    if found:
        return any_of(found)
    raise FilterError(f"{field.name} is not cached. Leave it out.")


def _word(term: Term, table: ListTable, known: Sequence[Field], has_label: HasLabel) -> Condition:
    """Return the condition that a text or label of a row contains a word, or is that amount."""
    sought = fold(term.value)
    found = [_in_texts(sought, table, table.texts)]
    in_label = any_of(_contains(name, sought) for name in ("folded", "sort"))
    if has_label(in_label):
        found += (
            _labelled(column, _contains("folded", sought) if column.labels == CODES else in_label)
            for column in table.columns
            if column.type is KeyType.LABEL
        )
        if has_label(all_of([Condition("kind = ?", (Kind.ACCOUNTS.value,)), in_label])):
            found.append(_by_wallet(table, in_label))
    if filters.read_number(term.value) is not None:
        amounts = [table.column(field.name) for field in known if is_amount(field)]
        found += (_number(term, column) for column in amounts if column is not None)
    return any_of(found)


_SPECIAL = re.compile(r"[*?\[]")


def _contains(column: str, sought: str) -> Condition:
    """Return the condition that a text contains another; GLOB is faster than `instr`."""
    if "\0" in sought or len(sought) > LONGEST_PATTERN:  # which GLOB cannot compare
        return Condition(f"instr({column}, ?)", (sought,))
    literal = _SPECIAL.sub("[\\g<0>]", sought)
    return Condition(f"{column} GLOB ?", (f"*{literal}*",))


def _in_texts(sought: str, table: ListTable, names: Sequence[str]) -> Condition:
    in_any = [WORDS] if names == table.texts else names
    contained = any_of(_contains(name, sought) for name in in_any)
    is_indexed = table.has_index and len(sought) >= INDEXED
    if not is_indexed or "\0" in sought:  # which would end the phrase
        return contained
    phrase = sought.replace('"', '""')
    indexed = Condition(
        f"row IN (SELECT rowid FROM {table.index} WHERE {table.index} MATCH ?)",  # noqa: S608 - our own names
        (f'{{{" ".join(names)}}} : "{phrase}"',),
    )
    is_new = Condition("row > (SELECT row FROM text_index WHERE kind = ?)", (table.kind.value,))
    return any_of([indexed, all_of([is_new, contained])])


def _text(term: Term, column: KeyColumn, table: ListTable) -> Condition:
    sought = fold(term.value)
    if term.operator is Operator.IS:
        return Condition(f"{column.name} = ?", (sought,))
    return _in_texts(sought, table, [column.name])


def _labelled(column: KeyColumn, condition: Condition) -> Condition:
    """Return the condition that the label of a column satisfies another."""
    refs = f"SELECT ref FROM labels WHERE kind = ? AND ({condition.sql})"  # noqa: S608 - ours
    return Condition(f"{column.name} IN ({refs})", (column.labels, *condition.values))


def _in_code(term: Term) -> Condition:
    codes = filters.sought_codes(term)
    if term.operator is Operator.IS:
        return any_of(Condition("folded = ?", (code,)) for code in codes)
    return any_of(Condition("substr(folded, 1, ?) = ?", (len(code), code)) for code in codes)


def _in_label(term: Term, name: str) -> Condition:
    sought = fold(term.value)
    is_whole = term.operator is Operator.IS
    return Condition(f"{name} = ?", (sought,)) if is_whole else _contains(name, sought)


def _comparison(term: Term) -> str:
    return "=" if term.operator is Operator.HAS else term.operator.value


def _number(term: Term, column: KeyColumn) -> Condition:
    bound = filters.read_number(term.value)
    assert bound is not None, "the filter was checked"
    comparison, key = _comparison(term), number_key(bound)
    if comparison == "=" and (currency := CURRENCY_OF.get(column.name)):
        # The index of amounts has the currency first.
        codes = f"{currency}_sort IN (SELECT sort FROM labels WHERE kind = ? UNION ALL SELECT '')"  # noqa: S608 - our own names
        return Condition(f"{codes} AND {column.name} = ?", (CODES, key))
    return Condition(f"{column.name} > x'' AND {column.name} {comparison} ?", (key,))


def _age(term: Term, column: KeyColumn, when: TimeContext) -> Condition:
    period = filters.read_period(term.value)
    assert period is not None, "the filter was checked"
    moment = time_key(when.now()) - period // timedelta(microseconds=1)
    return _compared(column, _comparison(term).translate(_TURNED), moment)


def _time(term: Term, column: KeyColumn, when: TimeContext) -> Condition:
    comparison = _comparison(term)
    day = filters.read_day(term.value, when.today)
    if day is None:
        moment = filters.read_moment(term.value, when.zone)
        assert moment is not None, "the filter was checked"
        return _compared(column, comparison, time_key(moment))
    start = time_key(datetime(day.year, day.month, day.day, tzinfo=UTC))
    first, last = start - _MARGIN, start + _DAY + _MARGIN
    near = Condition(
        f"{column.name} BETWEEN ? AND ? AND {LOCAL_DAY}({column.name}) {comparison} ?",
        (first, last, day.toordinal()),
    )
    if comparison.startswith(">"):
        return any_of([near, _compared(column, ">", last)])
    if comparison.startswith("<"):
        return any_of([near, _compared(column, "<", first)])
    return near


def _compared(column: KeyColumn, comparison: str, key: int) -> Condition:
    return Condition(f"{column.name} > ? AND {column.name} {comparison} ?", (NO_TIME, key))


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
    """Compile a query; raise FilterError if its filter is invalid or names an uncached field.

    Args:
        when: the clock and the zone of the filter; `LOCAL_DAY` must use the same zone.
        has_label: where no label has a word, only texts and amounts are compared, by their indexes.
        row_by_row: rows are read in order and compared one by one, without the full-text index.
    """
    table = replace(list_tables()[query.kind], has_index=not row_by_row)
    condition = _filter(query.filter, table, _known(query.kind), when, has_label)
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
