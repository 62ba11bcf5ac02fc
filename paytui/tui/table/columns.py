"""Columns of a list, declared as data, and their layout in the available width."""

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
"""Returns the sort keys of some rows, in their order."""


@dataclass(frozen=True, slots=True)
class StandaloneCell(Generic[R]):
    """The cell of a column when another column that completes it is hidden.

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
        cell: returns a row's cell.
        width: minimum width in cells.
        grows: whether it takes spare width if its content needs it.
        most: maximum width in cells.
        whole: never truncated: it becomes as wide as its content (amounts, codes).
        right: whether it is right-aligned.
        gives_way: if the width is short, columns with the highest number are dropped first;
            0 is never dropped.
        key: returns a row's sort key, computed once a row; None: not sortable.
        keys: makes a faster function that returns the sort keys of many rows, slice by slice.
        config_id: what a configuration calls it, if not by its title.
        alone: the cell without its neighbour: an amount then includes its currency.
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
    config_id: str = ""

    @property
    def id(self) -> str:
        """Return the name in the configuration: `end-to-end-id`."""
        return self.config_id or column_id(self.title)


def column_id(title: str) -> str:
    """Return the name in the configuration of a column with this title."""
    return title.lower().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class ColumnSlot:
    """The position of a column on screen.

    Attributes:
        index: of the column in the declaration.
        width: in cells, without the gap after it.
    """

    index: int
    width: int


def lay_out_columns(
    columns: Sequence[Column[R]], headings: Sequence[str], needed: Sequence[int], width: int
) -> tuple[ColumnSlot, ...]:
    """Distribute a width among columns.

    Args:
        columns: as declared.
        headings: the title of each, with its sort mark.
        needed: cells that the measured content of each column needs.
        width: available cells.

    Returns:
        The columns that fit, in order. If those that must stay do not fit, they are shortened,
        text first.
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
    """Give spare width to columns whose content needs it, the first ones first."""
    for index, width in widths.items():
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


def fitted(text: str, width: int, *, right: bool) -> str:
    """Return text padded or cut, with an ellipsis, to exactly `width` cells."""
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…"
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
        replace(_complete(by_id[wanted], ids), gives_way=place if by_id[wanted].gives_way else 0)
        for place, wanted in enumerate(ids, 1)
    )
    return shown, tuple(column for column in columns if column.id not in ids)


def _complete(column: Column[R], ids: Sequence[str]) -> Column[R]:
    if column.alone is None or column.alone.without in ids:
        return column
    return replace(column, cell=column.alone.cell)
