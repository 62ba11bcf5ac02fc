"""A new order of a long list, made a slice at a time; what is on view is known before the end."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar

from paytui.tui.widgets.ordering import Entry, Ordering

K = TypeVar("K", bound=Hashable)

SLICE = 1_000
"""Rows that are ordered at once: a few milliseconds, so that no key waits for more."""


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


class Resorting(Generic[K]):
    """Goes on slice by slice.

    Args:
        keys: ids, in the order in which they arrived.
        sort_key: what an id is sorted by.
        hidden: those that are not shown.
        descending: whether the greatest comes first.
        cursor: an id that is shown.
        height: how many are to be known on either side of the cursor first.

    Attributes:
        window: those, as soon as they are known.
        ordering: all of it, in the end.
    """

    def __init__(
        self,
        keys: Collection[K],
        sort_key: Callable[[K], object],
        hidden: Collection[K],
        *,
        descending: bool,
        cursor: K | None,
        height: int,
    ) -> None:
        self._keys = keys
        self._sort_key = sort_key
        self._hidden = hidden
        self._descending = descending
        self._cursor = cursor
        self._height = height
        self._steps = self._order()
        self.window: Window[K] | None = None
        self.ordering: Ordering[K] | None = None

    def go_on(self) -> None:
        """Order one slice more."""
        next(self._steps, None)

    def _order(self) -> Iterator[None]:
        entries: dict[K, Entry[K]] = {}
        runs: list[list[Entry[K]]] = []
        shown: list[list[Entry[K]]] = []
        keys = iter(self._keys)
        while part := list(islice(keys, SLICE)):
            run = self._run(part, len(entries))
            entries.update((entry[2], entry) for entry in run)
            runs.append(run)
            shown.append([entry for entry in run if entry[2] not in self._hidden])
            yield
        if self._cursor is not None:
            self.window = self._around(entries[self._cursor], shown)
            yield
        yield from _merge(runs)
        if self._hidden:
            yield from _merge(shown)
        every = runs[0] if runs else []
        in_view = shown[0] if self._hidden else every[:]
        self.ordering = Ordering.of(every, in_view, entries, descending=self._descending)

    def _run(self, keys: Sequence[K], arrived: int) -> list[Entry[K]]:
        made = ((self._sort_key(key), at, key) for at, key in enumerate(keys, arrived + 1))
        return sorted(((key is not None, key), at, row) for key, at, row in made)

    def _around(self, cursor: Entry[K], runs: Sequence[list[Entry[K]]]) -> Window[K]:
        """What is next to the cursor; each run holds some of it."""
        near: list[Entry[K]] = []
        rank = 0
        for run in runs:
            at = bisect_left(run, cursor)
            rank += at
            near += run[max(0, at - self._height) : at + self._height]
        near.sort()
        at = near.index(cursor)
        first = max(0, at - self._height)
        keys = [entry[2] for entry in near[first : at + self._height]]
        before, total = rank - (at - first), sum(map(len, runs))
        if self._descending:
            return Window(keys[::-1], total - before - len(keys), total)
        return Window(keys, before, total)


def _merge(runs: list[list[Entry[K]]]) -> Iterator[None]:
    """Make one sorted list of many: two at a time, which a sort does by merging."""
    while len(runs) > 1:
        merged = []
        for one, other in zip(runs[::2], runs[1::2], strict=False):
            merged.append(sorted(one + other))
            yield
        runs[:] = merged + (runs[-1:] if len(runs) % 2 else [])
