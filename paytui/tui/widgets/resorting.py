"""A new order of a long list, made a slice at a time; what is on view is known before the end."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from typing import Any, Generic, TypeVar

from paytui.tui.widgets.ordering import Entry, Ordering

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")

SLICE = 2_000
"""Rows that are ordered at once: a few milliseconds, so that no key waits for more."""

PIECE = 4 * SLICE
"""Rows that are merged at once, which is quicker."""


class Window(Generic[K]):
    """Some of a list's ids, which follow one another, at their places in it."""

    def __init__(self, keys: Sequence[K], first: int, total: int) -> None:
        self._keys = keys
        self._first = first
        self._total = total

    def __len__(self) -> int:
        return self._total

    def __getitem__(self, position: int) -> K:
        """The id at a position, which is one of these."""
        return self._keys[position - self._first]

    def position(self, key: K) -> int:
        """Where one of these ids stands."""
        return self._first + self._keys.index(key)


class _Nothing:
    """Stands for a sort key that is missing: less than any other."""

    __slots__ = ()

    def __lt__(self, other: object) -> bool:
        return other is not self

    def __gt__(self, other: object) -> bool:
        return False


class Resorting(Generic[K, R]):
    """Goes on slice by slice. Rows are sorted by number, with plain keys: that is fastest.

    Args:
        rows: by id, in the order in which they arrived; they stay as they are meanwhile.
        sort_key: what a row is sorted by.
        hidden: ids that are not shown.
        descending: whether the greatest comes first.
        cursor: an id that is shown.
        height: how many are to be known on either side of the cursor first.

    Attributes:
        window: those, as soon as they are known.
        ordering: all of it, in the end.
    """

    def __init__(
        self,
        rows: Mapping[K, R],
        sort_key: Callable[[R], object],
        hidden: Set[K],
        *,
        descending: bool,
        cursor: K | None,
        height: int,
    ) -> None:
        self._rows = rows
        self._sort_key = sort_key
        self.hidden = hidden
        self._descending = descending
        self._cursor = cursor
        self._height = height
        self._keys = list(rows)
        self._values: list[Any] = []
        self._steps = self._order()
        self.window: Window[K] | None = None
        self.ordering: Ordering[K] | None = None

    def go_on(self) -> None:
        """Order one slice more."""
        next(self._steps, None)

    def _order(self) -> Iterator[None]:
        every: list[list[int]] = []
        shown: list[list[int]] = []
        for start in range(0, len(self._keys), SLICE):
            run = self._run(start)
            every.append(run)
            shown.append([number for number in run if self._keys[number] not in self.hidden])
            yield
        if self._cursor is not None:
            self.window = self._around(self._keys.index(self._cursor), shown)
            yield
        yield from self._merge(every)
        entries: list[Entry[K]] = []
        in_view: list[Entry[K]] = []
        by_key: dict[K, Entry[K]] = {}
        for start in range(0, len(self._keys), SLICE):
            part = [self._entry(number) for number in every[0][start : start + SLICE]]
            entries += part
            in_view += [entry for entry in part if entry[2] not in self.hidden]
            by_key.update((entry[2], entry) for entry in part)
            yield
        self.ordering = Ordering.of(entries, in_view, by_key, descending=self._descending)

    def _run(self, start: int) -> list[int]:
        """The numbers of some rows in their order; it learns their keys."""
        keys = self._keys[start : start + SLICE]
        found = [self._sort_key(self._rows[key]) for key in keys]
        self._values += [_NOTHING if value is None else value for value in found]
        return sorted(range(start, start + len(keys)), key=self._values.__getitem__)

    def _merge(self, runs: list[list[int]]) -> Iterator[None]:
        """Make one sorted list of many: each with its neighbour, until there is but one."""
        while len(runs) > 1:
            pairs = list(zip(runs[::2], runs[1::2], strict=False))
            runs[:] = runs[-1:] if len(runs) % 2 else []
            for at, (one, other) in enumerate(pairs):
                runs.insert(at, [])
                yield from self._merge_two(one, other, runs[at])

    def _merge_two(self, one: list[int], other: list[int], merged: list[int]) -> Iterator[None]:
        """Piece by piece, which a sort is quick with: it finds the two in order."""
        taken = 0
        for start in range(0, len(one), PIECE):
            part, end = one[start : start + PIECE], len(other)
            if start + PIECE < len(one):
                end = bisect_left(other, self._rank(part[-1]), key=self._rank)
            merged += sorted(part + other[taken:end], key=self._values.__getitem__)
            taken = end
            yield

    def _entry(self, number: int) -> Entry[K]:
        value = self._values[number]
        sort_key = (False, None) if value is _NOTHING else (True, value)
        return (sort_key, number + 1, self._keys[number])

    def _rank(self, number: int) -> tuple[Any, int]:
        return (self._values[number], number)

    def _around(self, cursor: int, runs: Sequence[list[int]]) -> Window[K]:
        """What is next to the cursor; each run holds some of it."""
        near: list[int] = []
        before = 0
        for run in runs:
            at = bisect_left(run, self._rank(cursor), key=self._rank)
            before += at
            near += run[max(0, at - self._height) : at + self._height]
        near.sort(key=self._rank)
        at = near.index(cursor)
        first = max(0, at - self._height)
        keys = [self._keys[number] for number in near[first : at + self._height]]
        before, total = before - (at - first), sum(map(len, runs))
        if self._descending:
            return Window(keys[::-1], total - before - len(keys), total)
        return Window(keys, before, total)


_NOTHING = _Nothing()
