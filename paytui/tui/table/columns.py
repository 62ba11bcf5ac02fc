"""Columns of a list, declared as data, and how they share the width that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from rich.cells import cell_len, set_cell_size

from paytui.tui.theme.themes import Cell

R = TypeVar("R")

GAP = 2
"""Blank cells between two columns."""

SortKey = Callable[[R], object]

SortKeys = Callable[[Sequence[R]], Sequence[object]]
"""The sort keys of some rows, in their order."""


@dataclass(frozen=True, slots=True)
class StandaloneCell(Generic[R]):
    """What a column shows where another, which tells the rest of it, is not shown.

    Attributes:
        without: the id of that other column.
    """

    without: str
    cell: Callable[[R], Cell]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Generic[R]):
    """One column of a list.

    Attributes:
        title: the heading, unique within the list.
        cell: what a row shows here.
        width: cells that it takes at the least.
        grows: whether it takes spare width where its content needs more.
        most: cells that it grows to at the most.
        whole: never truncated: it becomes as wide as what it shows (amounts, codes).
        right: whether it is aligned to the right.
        gives_way: the columns with the highest number are dropped first where the width is short;
            0 stays whatever happens.
        key: what rows are sorted by, computed once a row; None for a column not to sort by.
        keys: makes what makes them of many rows, slice by slice and once, where that is quicker
            than one by one.
        alone: what it shows where it stands without its neighbour: an amount, its currency too.
    """

    title: str
    cell: Callable[[R], Cell]
    width: int
    grows: bool = False
    most: int = 1_000
    whole: bool = False
    right: bool = False
    gives_way: int = 0
    key: SortKey[R] | None = None
    keys: Callable[[], SortKeys[R]] | None = None
    alone: StandaloneCell[R] | None = None

    @property
    def id(self) -> str:
        """What a configuration calls it: `end-to-end-id`."""
        return column_id(self.title)


def column_id(title: str) -> str:
    """What a configuration calls a column of this title."""
    return title.lower().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class ColumnSlot:
    """Where a column is painted.

    Attributes:
        index: of the column in the declaration.
        width: in cells, without the gap after it.
    """

    index: int
    width: int


def lay_out_columns(
    columns: Sequence[Column[R]], headings: Sequence[str], needed: Sequence[int], width: int
) -> tuple[ColumnSlot, ...]:
    """Share out a width in cells.

    Args:
        columns: as declared.
        headings: the title of each, with the mark of what is sorted by; room is made for it.
        needed: how many cells the content of each column takes, as far as it was measured.
        width: cells that there are.

    Returns:
        The columns that fit, in their order. Columns that must stay but find no room for their
        least width are shortened, text before anything that is to be whole.
    """
    least = [
        max(_least(column, need), cell_len(heading))
        for column, heading, need in zip(columns, headings, needed, strict=True)
    ]
    kept = _drop(columns, least, width)
    widths = {index: least[index] for index in kept}
    spare = width - sum(widths.values()) - GAP * (len(kept) - 1)
    if spare < 0:
        _shorten(columns, widths, -spare)
    else:
        _grow(columns, widths, needed, spare)
    return tuple(ColumnSlot(index, widths[index]) for index in kept)


def _least(column: Column[R], need: int) -> int:
    if not column.whole:
        return column.width
    return max(column.width, min(need, column.most), len(column.title) + 1)


def _drop(columns: Sequence[Column[R]], least: Sequence[int], width: int) -> list[int]:
    kept = list(range(len(columns)))
    while len(kept) > 1 and sum(least[index] + GAP for index in kept) - GAP > width:
        weakest = max(kept, key=lambda index: (columns[index].gives_way, index))
        if columns[weakest].gives_way == 0:
            break
        kept.remove(weakest)
    return kept


def _shorten(columns: Sequence[Column[R]], widths: dict[int, int], lacking: int) -> None:
    for index in sorted(widths, key=lambda index: columns[index].whole):
        taken = min(lacking, widths[index] - 1)
        widths[index] -= taken
        lacking -= taken


def _grow(
    columns: Sequence[Column[R]], widths: dict[int, int], needed: Sequence[int], spare: int
) -> None:
    """Let columns have what their content needs, the first ones first."""
    for index, width in widths.items():
        wanted = min(needed[index], columns[index].most) - width
        taken = max(0, min(spare, wanted)) if columns[index].grows else 0
        widths[index] = width + taken
        spare -= taken


def cell_text(column: Column[R], text: str, width: int) -> str:
    """What a row shows in a column of exactly so many cells.

    What must be whole and finds no room is hashes, as in a spreadsheet: a figure that was cut
    would read as another figure.
    """
    if column.whole and cell_len(text) > width:
        return "#" * width
    return fitted(text, width, right=column.right)


def fitted(text: str, width: int, *, right: bool) -> str:
    """Text in exactly so many cells: padded, or cut with an ellipsis."""
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…"
    padding = " " * (width - length)
    return padding + text if right else text + padding


# The columns that a person wants to see of a list, in the order in which they are wanted.

Columns = tuple[Column[R], ...]


def choose_columns(columns: Columns[R], ids: Sequence[str]) -> tuple[Columns[R], Columns[R]]:
    """The columns of these ids, and all others.

    Of the chosen ones the last gives way first where the width is short; what a row cannot do
    without stays. An amount whose currency was not chosen shows it itself.
    """
    by_id = {column.id: column for column in columns}
    shown = tuple(
        replace(_complete(by_id[wanted], ids), gives_way=place if by_id[wanted].gives_way else 0)
        for place, wanted in enumerate(ids, 1)
    )
    return shown, tuple(column for column in columns if column.id not in ids)


def _complete(column: Column[R], ids: Sequence[str]) -> Column[R]:
    if column.alone is None or column.alone.without in ids:
        return column
    return replace(column, cell=column.alone.cell)
