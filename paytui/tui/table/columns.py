"""Columns of a list, declared as data: their layout in the available width, and sort orders."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from rich.cells import cell_len, set_cell_size

from paytui.domain.money import MISSING
from paytui.tui.format.cells import Cell

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")

GAP = 2  # Blank cells between two columns

SortKey = Callable[[R], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Generic[R]):
    """One column of a list.

    Attributes:
        title: the heading, unique within the list.
        width: minimum width in cells.
        grows: whether it takes spare width if its content needs it.
        grows_first: whether it takes it before the columns to its left.
        shrinks: whether it is narrower than its width if its content needs less.
        most: maximum width in cells.
        whole: never truncated: it becomes as wide as its content (amounts, codes).
        gives_way: if the width is short, columns with the highest number are dropped first;
            0 is never dropped.
        spare: it appears only if it has content, and all columns have the room that theirs needs.
        key: returns a row's sort key, computed once a row; None: not sortable.
        indent: cells before the heading, which stands above words that have a sign before them.
        config_id: what a configuration calls it, if not by its title.
        beside: the id of the column that completes it: that of an amount's currency.
        alone: the cell while that is hidden: an amount then includes its currency.
    """

    title: str
    cell: Callable[[R], Cell]
    width: int
    grows: bool = False
    grows_first: bool = False
    shrinks: bool = False
    most: int = 1_000
    whole: bool = False
    right: bool = False
    gives_way: int = 0
    spare: bool = False
    key: SortKey[R] | None = None
    beside: str = ""
    alone: Callable[[R], Cell] | None = None
    indent: int = 0
    config_id: str = ""

    @property
    def gap(self) -> int:
        """Return the blank cells after it: fewer after signs, whose column has no heading."""
        return GAP if self.title else 1

    @property
    def id(self) -> str:
        return self.config_id or column_id(self.title)


def column_id(title: str) -> str:
    """Return the name in the configuration of a column with this title."""
    return title.lower().replace(" ", "-")


def figure_column(
    title: str,
    cell: Callable[[R], Cell],
    *,
    width: int,
    gives_way: int = 0,
    key: SortKey[R] | None = None,
) -> Column[R]:
    """Return a column of figures at its right edge, never cut."""
    return Column(
        title=title, cell=cell, width=width, whole=True, right=True, gives_way=gives_way, key=key
    )


@dataclass(frozen=True, slots=True)
class ColumnSlot:
    """The position of a column on screen: its index in the declaration, its width in cells."""

    index: int
    width: int


def lay_out_columns(
    columns: Sequence[Column[R]], headings: Sequence[str], needed: Sequence[int], width: int
) -> tuple[ColumnSlot, ...]:
    """Distribute a width among columns, by the cells that heading and content of each need.

    Returns:
        The columns that fit, in order. If those that must stay do not fit, they are shortened,
        text first.
    """
    least = [
        max(_least(column, need), cell_len(heading))
        for column, heading, need in zip(columns, headings, needed, strict=True)
    ]
    wanted = [
        0 if column.spare and need <= len(MISSING) else _wanted(column, low, need)
        for column, low, need in zip(columns, least, needed, strict=True)
    ]
    kept = _drop(columns, least, width)
    if len(kept) == sum(not column.spare for column in columns):
        kept = _add_spare(columns, kept, wanted, width)
    widths = {index: least[index] for index in kept}
    spare = width - sum(widths.values()) - _gaps(columns, kept)
    if spare < 0:
        _shorten(columns, widths, -spare)
    else:
        _grow(columns, widths, needed, spare)
    return tuple(ColumnSlot(index, widths[index]) for index in kept)


def _least(column: Column[R], need: int) -> int:
    if not column.whole:
        return min(column.width, need) if column.shrinks else column.width
    return max(column.width, min(need, column.most), len(column.title) + 1)


def _wanted(column: Column[R], least: int, need: int) -> int:
    return max(least, min(need, column.most)) if column.grows else least


def _drop(columns: Sequence[Column[R]], least: Sequence[int], width: int) -> list[int]:
    kept = [index for index, column in enumerate(columns) if not column.spare]
    while len(kept) > 1 and sum(least[index] for index in kept) + _gaps(columns, kept) > width:
        weakest = max(kept, key=lambda index: (columns[index].gives_way, index))
        if columns[weakest].gives_way == 0:
            break
        kept.remove(weakest)
    return kept


def _add_spare(
    columns: Sequence[Column[R]], kept: list[int], wanted: Sequence[int], width: int
) -> list[int]:
    """Add the spare columns for which there is room beside all that the others need."""
    spare = [index for index, column in enumerate(columns) if column.spare]
    for index in sorted(spare, key=lambda index: columns[index].gives_way):
        more = sorted([*kept, index])
        if wanted[index] and sum(wanted[one] for one in more) + _gaps(columns, more) <= width:
            kept = more
    return kept


def _gaps(columns: Sequence[Column[R]], kept: Sequence[int]) -> int:
    return sum(columns[index].gap for index in kept[:-1])


def _shorten(columns: Sequence[Column[R]], widths: dict[int, int], lacking: int) -> None:
    for index in sorted(widths, key=lambda index: columns[index].whole):
        taken = min(lacking, widths[index] - 1)
        widths[index] -= taken
        lacking -= taken


def _grow(
    columns: Sequence[Column[R]], widths: dict[int, int], needed: Sequence[int], spare: int
) -> None:
    """Give spare width to columns whose content needs it, the first ones first."""
    for index in sorted(widths, key=lambda index: not columns[index].grows_first):
        width = widths[index]
        wanted = min(needed[index], columns[index].most) - width
        taken = max(0, min(spare, wanted)) if columns[index].grows else 0
        widths[index] = width + taken
        spare -= taken


def cell_text(column: Column[R], text: str, width: int) -> str:
    """Return text in exactly `width` cells.

    An amount or code that does not fit becomes hashes, as in a spreadsheet: a cut figure would
    read as another figure.
    """
    if column.whole and cell_len(text) > width:
        return "#" * width
    return fitted(text, width, right=column.right)


_AMOUNT = re.compile(r"[-+]?\d[\d,]*[,.]\d+")


def fitted(text: str, width: int, *, right: bool) -> str:
    """Return text padded or cut, with an ellipsis, to exactly `width` cells.

    An amount within it is left out rather than cut.
    """
    length = cell_len(text)
    if length > width:
        cut = set_cell_size(text, width - 1)
        for amount in _AMOUNT.finditer(text):
            if amount.start() < len(cut) < amount.end():
                return set_cell_size(text[: amount.start()] + "…", width)
        return cut + "…"
    padding = " " * (width - length)
    return padding + text if right else text + padding


Columns = tuple[Column[R], ...]


def choose_columns(columns: Columns[R], ids: Sequence[str]) -> tuple[Columns[R], Columns[R]]:
    """Return the columns of these ids in their order, and all others.

    The last chosen one is dropped first in a narrow list, unless it must stay. An amount includes
    its currency if that column was not chosen.
    """
    by_id = {column.id: column for column in columns}
    shown = tuple(
        replace(
            _complete(by_id[wanted], ids),
            gives_way=place if by_id[wanted].gives_way else 0,
            spare=False,
        )
        for place, wanted in enumerate(ids, 1)
    )
    return shown, tuple(column for column in columns if column.id not in ids)


def _complete(column: Column[R], ids: Sequence[str]) -> Column[R]:
    if column.alone is None or column.beside in ids:
        return column
    return replace(column, cell=column.alone)


@dataclass(frozen=True, slots=True)
class Sort(Generic[R]):
    column: Column[R]
    descending: bool = False

    @property
    def sign(self) -> str:
        return "▼" if self.descending else "▲"

    def reversed(self) -> Sort[R]:
        return replace(self, descending=not self.descending)


def with_keys(shown: Sequence[Column[R]], unseen: Sequence[Column[R]]) -> tuple[Column[R], ...]:
    return tuple(column for column in (*shown, *unseen) if column.key)


SortKeys = tuple[Any, ...]
"""The keys of a row for each column that it is sorted by."""


def sort_keys(row: R, sorts: Sequence[Sort[R]]) -> SortKeys:
    keys = [None if sort.column.key is None else sort.column.key(row) for sort in sorts]
    return tuple((key is not None, key) for key in keys)  # so that a missing key is the least


def in_order(keys: Mapping[K, SortKeys], sorts: Sequence[Sort[R]]) -> list[K]:
    """Return ids by the keys of their rows: missing ones first, equal ones in order of arrival.

    If the first sort descends, equal ones are in reverse order of arrival.
    """
    found = list(keys)
    if sorts and sorts[0].descending:
        found.reverse()
    for place, sort in reversed([*enumerate(sorts)]):
        by_id = {one: each[place] for one, each in keys.items()}
        found.sort(key=by_id.__getitem__, reverse=sort.descending)
    return found


def sort_words(sorts: Sequence[Sort[R]]) -> str:
    """Return `by State, then Created ▼`; empty without a sort.

    Amounts do not compare across currencies: `by Amount per currency`.
    """
    named = [
        f"{sort.column.title}{' per currency' if sort.column.alone else ''}"
        f"{' ▼' if sort.descending else ''}"
        for sort in sorts
    ]
    return f"by {', then '.join(named)}" if named else ""


def marked_title(column: Column[R], sorts: Sequence[Sort[R]]) -> str:
    """Return the heading with its sort mark: `Created▼`; with several sorts, `Created▼2`."""
    title = " " * column.indent + column.title
    for rank, sort in enumerate(sorts, 1):
        if sort.column is column and column.title:
            number = str(rank) if len(sorts) > 1 else ""
            gap = " " if number else ""
            return (
                f"{sort.sign}{number}{gap}{title}" if column.right else title + sort.sign + number
            )
    return title
