"""A sort of a long list in slices; the part around the cursor is known before the end."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import Any, Generic, TypeVar

from paytui.tui.table.columns import SortKeys
from paytui.tui.table.order import MISSING_KEY, CursorNeighbours, Entry, SortedIndex

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")

SORT_SLICE = 2_000
"""Rows to sort in one slice: a few milliseconds, so that keys do not wait for more."""

LOOKED_AT = 4_000
"""Rows to compare with the cursor's in one slice, which is faster; ten milliseconds for text that
is not ASCII."""

STRIDE = 100  # Distance of the samples that determine where sorted runs are cut into slices


class CursorWindow(Generic[K]):
    """Consecutive ids of a list around the cursor, with their positions."""

    def __init__(self, keys: Sequence[K], first: int, total: int) -> None:
        self._keys = keys
        self._first = first
        self._total = total

    def __len__(self) -> int:
        return self._total

    def __getitem__(self, position: int) -> K:
        """Return the id at a position; raise IndexError outside of the window."""
        if position < self._first:
            raise IndexError(position)
        return self._keys[position - self._first]

    def position(self, key: K) -> int | None:
        return self._first + self._keys.index(key) if key in self._keys else None

    def release(self) -> bool:
        """Do nothing: a window is small. See `SortedIndex.release`."""
        return False

    def reverse(self) -> None:
        self._first = self._total - self._first - len(self._keys)
        self._keys = self._keys[::-1]

    def holds(self, position: int) -> bool:
        return self._first <= position < self._first + len(self._keys)

    def reaches(self, position: int, height: int) -> bool:
        """Return True if the window covers `height` positions on both sides of a position."""
        nearest = max(0, min(position, self._total - 1))
        end = self._first + len(self._keys)
        is_there_above = self._first <= max(0, nearest - height)
        return is_there_above and min(nearest + height + 1, self._total) <= end


class IncrementalSort(Generic[K, R]):
    """A sort that advances slice by slice. It sorts row numbers by plain keys, which is fastest.

    Args:
        rows: by id, in order of arrival; they must not change meanwhile.
        shown: ids that are shown; None: all.
        cursor: an id that is shown.
        reach: number of rows on either side of the cursor to find first.

    Attributes:
        window: these rows, as soon as they are known.
        ordering: the complete order, at the end.
    """

    def __init__(
        self,
        rows: Mapping[K, R],
        sort_keys: SortKeys[R],
        shown: Set[K] | None,
        *,
        descending: bool,
        cursor: K | None,
        reach: int,
    ) -> None:
        self._keys = list(rows)
        self._rows = rows
        self._sort_keys = sort_keys
        self.shown = shown
        self._descending = descending
        self._cursor = None if cursor is None else self._keys.index(cursor)
        self._reach = reach
        self._values: list[Any] = []
        self._steps = self._order()
        self.window: CursorWindow[K] | None = None
        self.ordering: SortedIndex[K] | None = None

    def step(self) -> None:
        next(self._steps, None)

    def reverse(self) -> None:
        self._descending = not self._descending
        if self.window is not None:
            self.window.reverse()

    def _order(self) -> Iterator[None]:
        yield from self._look(None if self._cursor is None else self._nearest(self._cursor))
        runs: list[list[int]] = []
        for start in range(0, len(self._keys), SORT_SLICE):
            numbers = range(start, min(start + SORT_SLICE, len(self._keys)))
            runs.append(sorted(numbers, key=self._values.__getitem__))
            yield
        entries: list[Entry[K]] = []
        in_view: list[Entry[K]] = []
        by_key: dict[K, Entry[K]] = {}
        for piece in self._merged(runs):
            part = [(self._values[number], number + 1, self._keys[number]) for number in piece]
            entries += part
            in_view += [entry for entry in part if self.shown is None or entry[2] in self.shown]
            by_key.update(zip((self._keys[number] for number in piece), part, strict=True))
            yield
        self.ordering = SortedIndex(entries, in_view, by_key, descending=self._descending)

    def _look(self, nearest: CursorNeighbours | None) -> Iterator[None]:
        """Compute all sort keys, and find the neighbours of the cursor."""
        rows = iter(self._rows.values())
        for start in range(0, len(self._rows), LOOKED_AT):
            part = self._sort_keys(list(islice(rows, LOOKED_AT)))
            self._values += [MISSING_KEY if value is None else value for value in part]
            if nearest is not None:
                nearest.add(self._shown(range(start, len(self._values))))
            yield
        if nearest is not None:
            neighbours = [self._keys[number] for number in nearest.row]
            self.window = CursorWindow(neighbours, nearest.first, nearest.total)
            if self._descending:
                self.window.reverse()
            yield

    def _nearest(self, cursor: int) -> CursorNeighbours:
        [value] = self._sort_keys([self._rows[self._keys[cursor]]])
        return CursorNeighbours(
            self._values, cursor, MISSING_KEY if value is None else value, self._reach
        )

    def _shown(self, numbers: Sequence[int]) -> Sequence[int]:
        if self.shown is None:
            return numbers
        return [number for number in numbers if self._keys[number] in self.shown]

    def _merged(self, runs: Sequence[list[int]]) -> Iterator[list[int]]:
        """Merge sorted runs piece by piece; a plain sort of each piece is fast."""
        looked_at = sorted((at for run in runs for at in run[::STRIDE]), key=self._rank)
        cuts = looked_at[SORT_SLICE // STRIDE :: SORT_SLICE // STRIDE]
        taken = [0] * len(runs)
        for cut in (*cuts, None):
            piece: list[int] = []
            for at, run in enumerate(runs):
                end = len(run)
                if cut is not None:
                    end = bisect_left(run, self._rank(cut), taken[at], key=self._rank)
                piece += run[taken[at] : end]
                taken[at] = end
            piece.sort(key=self._values.__getitem__)
            yield piece

    def _rank(self, number: int) -> tuple[Any, int]:
        return (self._values[number], number)
