"""What stands next to one row in an order, found by one look at each: nothing else is sorted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import compress, repeat
from operator import lt, ne, not_
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
        self._value: Any = value
        self._reach = reach
        self._below: list[int] = []
        self._above: list[int] = []
        self.before = 0
        self.total = 0

    def look(self, numbers: Sequence[int]) -> None:
        """Look at some rows; all of them come after those of the last time."""
        self.total += len(numbers)
        at = bisect_left(numbers, self._centre)
        self._sort_out(numbers[:at], equal_before=True)
        at += at < len(numbers) and numbers[at] == self._centre
        self._sort_out(numbers[at:], equal_before=False)

    @property
    def row(self) -> list[int]:
        """What is next to it, and it itself, in their order."""
        return [*self._below, self._centre, *self._above]

    @property
    def first(self) -> int:
        """The place of the first of these in the order of all."""
        return self.before - len(self._below)

    def _sort_out(self, numbers: Sequence[int], *, equal_before: bool) -> None:
        """Most are further away than all that is known to be near: those are just counted."""
        found = self._found(numbers)
        far_below, not_far_above = self._far_below(found), self._not_far_above(found)
        below = far_below.count(True)
        self.before += below
        if below != not_far_above.count(True):
            is_near = list(map(ne, far_below, not_far_above))
            near, found = list(compress(numbers, is_near)), list(compress(found, is_near))
            if equal_before:
                is_below = list(map(not_, map(lt, repeat(self._value), found)))
            else:
                is_below = list(map(lt, found, repeat(self._value)))
            self.before += is_below.count(True)
            lower = [*self._below, *compress(near, is_below)]
            higher = [*self._above, *compress(near, map(not_, is_below))]
            self._below = sorted(lower, key=self._values.__getitem__)[-self._reach :]
            self._above = sorted(higher, key=self._values.__getitem__)[: self._reach]

    def _found(self, numbers: Sequence[int]) -> Sequence[Any]:
        if isinstance(numbers, range):
            return self._values[numbers.start : numbers.stop]
        return list(map(self._values.__getitem__, numbers))

    def _far_below(self, found: Sequence[Any]) -> list[bool]:
        if len(self._below) < self._reach:
            return [False] * len(found)
        # Of equal ones the later stand higher.
        least = self._values[self._below[0]]
        return list(map(lt, found, repeat(least)))

    def _not_far_above(self, found: Sequence[Any]) -> list[bool]:
        """Nor equal to the last: later ones stand behind it.

        Where that is equal to the centre, all rows that stand before the centre were looked at.
        """
        if len(self._above) < self._reach:
            return [True] * len(found)
        most = self._values[self._above[-1]]
        return list(map(lt, found, repeat(most)))
