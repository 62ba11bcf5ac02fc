"""What stands next to one row in an order, found by one look at each: nothing else is sorted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import repeat
from operator import lt
from typing import Any

from paytui.tui.widgets.nothing import NOTHING


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
        found = [self._values[number] for number in numbers]
        if equal_before:
            self.before += len(found) - sum(map(lt, repeat(self._value), found))
        else:
            self.before += sum(map(lt, found, repeat(self._value)))
        near = self._near(numbers, found)
        rank = self._values.__getitem__
        if equal_before:
            below = [number for number in near if not self._value < rank(number)]
            above = [number for number in near if self._value < rank(number)]
        else:
            below = [number for number in near if rank(number) < self._value]
            above = [number for number in near if not rank(number) < self._value]
        self._below = sorted(self._below + below, key=rank)[-self._reach :]
        self._above = sorted(self._above + above, key=rank)[: self._reach]

    def _near(self, numbers: Sequence[int], found: Sequence[Any]) -> list[int]:
        """Those that may be nearer than what is known; most are not."""
        is_full = len(self._below) == self._reach
        least = self._values[self._below[0]] if is_full else NOTHING
        # Of equal ones the later stand higher.
        near = [number for value, number in zip(found, numbers, strict=True) if not value < least]
        if len(self._above) == self._reach:
            # Later ones that are equal to the last do not count, nor those that are equal to the
            # centre where only such are above it: all that stand before it came before it.
            values, most = self._values, self._values[self._above[-1]]
            near = [number for number in near if values[number] < most]
        return near
