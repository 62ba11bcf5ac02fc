"""A new order of a long list, made a slice at a time; what is on view is known before the end."""

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
"""Rows that are ordered at once: a few milliseconds, so that no key waits for more."""

LOOKED_AT = 4_000
"""Rows that are looked at at once for what is next to the cursor, which is quicker; words that are
not ASCII take ten milliseconds."""

STRIDE = 100
"""Of so many sorted rows one is looked at to see where all can be cut into slices."""


class CursorWindow(Generic[K]):
    """Some of a list's ids, which follow one another, at their places in it."""

    def __init__(self, keys: Sequence[K], first: int, total: int) -> None:
        self._keys = keys
        self._first = first
        self._total = total

    def __len__(self) -> int:
        return self._total

    def __getitem__(self, position: int) -> K:
        """The id at a position, which is one of these.

        Raises:
            IndexError: it is not.
        """
        if position < self._first:
            raise IndexError(position)
        return self._keys[position - self._first]

    def position(self, key: K) -> int:
        """Where one of these ids stands."""
        return self._first + self._keys.index(key)

    def release(self) -> bool:
        """See `Ordering`; these are few."""
        return False

    def reverse(self) -> None:
        """The same of the list read backwards."""
        self._first = self._total - self._first - len(self._keys)
        self._keys = self._keys[::-1]

    def reaches(self, position: int, height: int) -> bool:
        """Whether all that stands so far above and below a position is among these."""
        nearest = max(0, min(position, self._total - 1))
        end = self._first + len(self._keys)
        is_there_above = self._first <= max(0, nearest - height)
        return is_there_above and min(nearest + height + 1, self._total) <= end


class IncrementalSort(Generic[K, R]):
    """Goes on slice by slice. Rows are sorted by number, with plain keys: that is fastest.

    Args:
        rows: by id, in the order in which they arrived; they stay as they are meanwhile.
        sort_keys: what rows are sorted by.
        shown: ids that are shown; None: all.
        descending: whether the greatest comes first.
        cursor: an id that is shown.
        reach: how many are to be known on either side of the cursor first.

    Attributes:
        window: those, as soon as they are known.
        ordering: all of it, in the end.
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
        """Order one slice more."""
        next(self._steps, None)

    def reverse(self) -> None:
        """Put the greatest first where the least was to be, and the other way round."""
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
        self.ordering = SortedIndex.of(entries, in_view, by_key, descending=self._descending)

    def _look(self, nearest: CursorNeighbours | None) -> Iterator[None]:
        """Make all keys, and find what is next to the cursor."""
        rows = iter(self._rows.values())
        for start in range(0, len(self._rows), LOOKED_AT):
            part = self._sort_keys(list(islice(rows, LOOKED_AT)))
            self._values += [MISSING_KEY if value is None else value for value in part]
            if nearest is not None:
                nearest.add(self._shown(range(start, len(self._values))))
            yield
        if nearest is not None:
            self.window = self._window(nearest)
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

    def _window(self, nearest: CursorNeighbours) -> CursorWindow[K]:
        keys = [self._keys[number] for number in nearest.row]
        if self._descending:
            last = nearest.first + len(keys)
            return CursorWindow(keys[::-1], nearest.total - last, nearest.total)
        return CursorWindow(keys, nearest.first, nearest.total)

    def _merged(self, runs: Sequence[list[int]]) -> Iterator[list[int]]:
        """What sorted runs come to together, piece by piece; one sort of each, which is quick."""
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
