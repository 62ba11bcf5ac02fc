"""What stands next to one row in an order, found by one look at each: nothing else is sorted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import not_
from typing import Any


class Nearest:
    """Rows are numbers, ordered by their values; equal ones by number.

    Args:
        values: of the rows by number, as far as they are looked at.
        centre: the row in question.
        value: its own.
        reach: how many to find on either side.

    Attributes:
        before: how many rows that were looked at stand before it.
        total: how many were looked at.
    """

    def __init__(self, values: Sequence[Any], centre: int, value: object, reach: int) -> None:
        self._values = values
        self._centre = centre
        self._value = value
        self._reach = reach
        self._below: list[int] = []
        self._above: list[int] = []
        self.before = 0
        self.total = 0

    def look(self, numbers: Sequence[int]) -> None:
        """Look at some rows; all of them come after those of the last time."""
        self.total += len(numbers)
        self._sort_out([number for number in numbers if number < self._centre], equal_before=True)
        self._sort_out([number for number in numbers if number > self._centre], equal_before=False)

    @property
    def row(self) -> list[int]:
        """What is next to it, and it itself, in their order."""
        return [*self._below, self._centre, *self._above]

    @property
    def first(self) -> int:
        """The place of the first of these in the order of all."""
        return self.before - len(self._below)

    def _sort_out(self, numbers: list[int], *, equal_before: bool) -> None:
        values, value = self._values, self._value
        if equal_before:
            is_after = [value < values[number] for number in numbers]
            is_before = list(map(not_, is_after))
        else:
            is_before = [values[number] < value for number in numbers]
            is_after = list(map(not_, is_before))
        below, above = list(compress(numbers, is_before)), list(compress(numbers, is_after))
        self.before += len(below)
        if len(self._below) == self._reach:
            # Of equal ones the later stand higher.
            least = values[self._below[0]]
            below = [number for number in below if not values[number] < least]
        if len(self._above) == self._reach:
            most = values[self._above[-1]]
            above = [number for number in above if values[number] < most]
        self._below = sorted(self._below + below, key=values.__getitem__)[-self._reach :]
        self._above = sorted(self._above + above, key=values.__getitem__)[: self._reach]
