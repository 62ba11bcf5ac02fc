"""The order of a list: sorted once, then kept sorted as rows change."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Hashable, Mapping
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)

FEW = 32
"""Up to so many changes are put in place one by one; more are merged by one sort."""

_Entry = tuple[Any, int, K]
"""Sort key, number of arrival, id: never two alike, so that ids are never compared."""


class Ordering(Generic[K]):
    """Ids in the order of their keys, missing keys first; equal keys in order of arrival."""

    def __init__(self, *, descending: bool = False) -> None:
        self.descending = descending
        self._entries: list[_Entry[K]] = []
        self._entry_of: dict[K, _Entry[K]] = {}
        self._arrivals = 0
        self._sorted = True

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, position: int) -> K:
        """The id at a position, counted from the top."""
        self._sort()
        return self._entries[self._turned(position)][2]

    def position(self, key: K) -> int | None:
        """Where an id stands, counted from the top; None if it is not here."""
        self._sort()
        entry = self._entry_of.get(key)
        return None if entry is None else self._turned(bisect_left(self._entries, entry))

    def update(self, changed: Mapping[K, object], removed: set[K]) -> None:
        """Put ids with their sort keys in place, whether new or not, and take others out."""
        fresh = {key: self._entry(key, sort_key) for key, sort_key in changed.items()}
        gone = [self._entry_of[key] for key in (*fresh, *removed) if key in self._entry_of]
        if self._sorted and len(fresh) + len(gone) <= FEW:
            self._one_by_one(gone, fresh)
        else:
            self._all_at_once(gone, fresh)
        for key in removed:
            self._entry_of.pop(key, None)
        self._entry_of.update(fresh)

    def clear(self) -> None:
        """Forget all ids."""
        self._entries.clear()
        self._entry_of.clear()

    def _entry(self, key: K, sort_key: object) -> _Entry[K]:
        known = self._entry_of.get(key)
        self._arrivals += known is None
        arrival = self._arrivals if known is None else known[1]
        return ((sort_key is not None, sort_key), arrival, key)

    def _one_by_one(self, gone: list[_Entry[K]], fresh: Mapping[K, _Entry[K]]) -> None:
        for entry in gone:
            del self._entries[bisect_left(self._entries, entry)]
        for entry in fresh.values():
            insort(self._entries, entry)

    def _all_at_once(self, gone: list[_Entry[K]], fresh: Mapping[K, _Entry[K]]) -> None:
        """Many changes are only collected: the next look at the order sorts them once."""
        if gone:
            lost = {entry[1] for entry in gone}
            self._entries = [entry for entry in self._entries if entry[1] not in lost]
        self._entries.extend(fresh.values())
        self._sorted = False

    def _sort(self) -> None:
        if not self._sorted:
            self._entries.sort()
            self._sorted = True

    def _turned(self, position: int) -> int:
        return len(self._entries) - 1 - position if self.descending else position
