"""What a list is sorted by: columns, the most important first, each in its own direction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from paytui.tui.widgets.columns import Column, SortKey, SortKeys

R = TypeVar("R")

Comparable = tuple[bool, object]
"""Whether there is a key at all, and the key."""


@dataclass(frozen=True, slots=True)
class Sort(Generic[R]):
    """One column to sort by; it has a key."""

    column: Column[R]
    descending: bool = False

    @property
    def sign(self) -> str:
        """Its direction, as headings and titles show it."""
        return "▼" if self.descending else "▲"

    def turned(self) -> Sort[R]:
        """The same in the other direction."""
        return replace(self, descending=not self.descending)


class _Turned:
    """Something that comes after what it is greater than."""

    __slots__ = ("value",)

    def __init__(self, value: Comparable) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Turned) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: _Turned) -> bool:
        return other.value < self.value


def with_keys(shown: Sequence[Column[R]], unseen: Sequence[Column[R]]) -> tuple[Column[R], ...]:
    """Those to sort by."""
    return tuple(column for column in (*shown, *unseen) if column.key)


def row_key(sorts: Sequence[Sort[R]]) -> SortKey[R]:
    """What rows are ordered by, to be read backwards where the first sort is descending.

    A column in the same direction as the first compares by its plain keys, at their speed.
    """
    if len(sorts) == 1 and (only := sorts[0].column.key) is not None:
        return only
    parts = [_part(sort, turned=sort.descending != sorts[0].descending) for sort in sorts]
    return lambda row: tuple(part(row) for part in parts)


def row_keys(sorts: Sequence[Sort[R]]) -> SortKeys[R]:
    """The same for many rows at once, whose names stay as they are meanwhile."""
    if len(sorts) == 1 and (begin := sorts[0].column.keys) is not None:
        return begin()
    key = row_key(sorts)
    return lambda rows: list(map(key, rows))


def _part(sort: Sort[R], *, turned: bool) -> Callable[[R], object]:
    def part(row: R) -> object:
        value = None if sort.column.key is None else sort.column.key(row)
        # What says nothing comes first, as in a list that is sorted by one column.
        comparable = (value is not None, value)
        return _Turned(comparable) if turned else comparable

    return part


def are_turned(sorts: Sequence[Sort[R]], others: Sequence[Sort[R]]) -> bool:
    """Whether others are the same, each in the other direction: then their order is, too."""
    return bool(sorts) and list(others) == [sort.turned() for sort in sorts]


def sort_words(sorts: Sequence[Sort[R]]) -> str:
    """`by State, then Created ▼`; empty where nothing is sorted by."""
    named = [f"{sort.column.title}{' ▼' if sort.descending else ''}" for sort in sorts]
    return f"by {', then '.join(named)}" if named else ""


def marked_title(column: Column[R], sorts: Sequence[Sort[R]]) -> str:
    """Its title with its mark: `Created▼`; where there are several to sort by, `Created▼2`."""
    for rank, sort in enumerate(sorts, 1):
        if sort.column is column and column.title:
            mark = f"{sort.sign}{rank if len(sorts) > 1 else ''}"
            return f"{mark} {column.title}" if column.right else column.title + mark
    return column.title


def with_next(sorts: Sequence[Sort[R]], column: Column[R]) -> tuple[Sort[R], ...]:
    """A column joins as the last to sort by; one that is there already is turned."""
    if any(sort.column is column for sort in sorts):
        return tuple(sort.turned() if sort.column is column else sort for sort in sorts)
    return (*sorts, Sort(column))


def without(sorts: Sequence[Sort[R]], column: Column[R]) -> tuple[Sort[R], ...]:
    """The others alone."""
    return tuple(sort for sort in sorts if sort.column is not column)
