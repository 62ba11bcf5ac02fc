"""The order of a list: sorted once, then kept sorted as rows change and as other rows are shown."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)

FEW = 32
"""Up to so many changes are put in place one by one; more are merged by one sort."""

SLICE = 200
"""Rows that are sifted at once: a few milliseconds, so that no key waits for more."""

Entry = tuple[Any, int, K]
"""Sort key, number of arrival, id: never two alike, so that ids are never compared."""


class Ordering(Generic[K]):
    """Ids in the order of their keys, missing keys first; equal keys in order of arrival.

    All are kept in order, and some of them are shown: length and positions are those of the shown.
    """

    def __init__(self, *, descending: bool = False) -> None:
        self.descending = descending
        self._all: list[Entry[K]] = []
        self._shown: list[Entry[K]] = []
        self._entry_of: dict[K, Entry[K]] = {}
        self._found: list[Entry[K]] = []
        self._updated: set[K] | None = None
        self._arrivals = 0
        self._sorted = True

    @classmethod
    def of(
        cls,
        every: list[Entry[K]],
        shown: list[Entry[K]],
        entries: dict[K, Entry[K]],
        *,
        descending: bool,
    ) -> Ordering[K]:
        """What was ordered elsewhere: two sorted lists, and all of the entries by id."""
        ordering = cls(descending=descending)
        ordering._all, ordering._shown, ordering._entry_of = every, shown, entries
        ordering._arrivals = len(every)
        return ordering

    def __len__(self) -> int:
        return len(self._shown)

    def __getitem__(self, position: int) -> K:
        """The id at a position, counted from the top."""
        self._sort()
        return self._shown[self._turned(position)][2]

    def shown_keys(self) -> set[K]:
        """The ids that are shown."""
        return {entry[2] for entry in self._shown}

    def position(self, key: K) -> int | None:
        """Where an id stands, counted from the top; None if it is not shown."""
        self._sort()
        entry = self._entry_of.get(key)
        at = None if entry is None else _place(self._shown, entry)
        return None if at is None else self._turned(at)

    def update(self, changed: Mapping[K, object], hidden: Collection[K], removed: set[K]) -> None:
        """Put ids with their sort keys in place, whether new or not, and take others out.

        Args:
            changed: sort keys by id.
            hidden: those of the changed that are not shown.
            removed: these are gone.
        """
        fresh = {key: self._entry(key, sort_key) for key, sort_key in changed.items()}
        gone = [self._entry_of[key] for key in (*fresh, *removed) if key in self._entry_of]
        shown = [entry for key, entry in fresh.items() if key not in hidden]
        if self._sorted and len(fresh) + len(gone) <= FEW:
            _one_by_one(self._all, gone, list(fresh.values()))
            _one_by_one(self._shown, gone, shown)
        else:
            # Many changes are only collected: the next look at the order sorts them once.
            lost = {entry[1] for entry in gone}
            _all_at_once(self._all, lost, list(fresh.values()))
            _all_at_once(self._shown, lost, shown)
            self._sorted = False
        for key in removed:
            self._entry_of.pop(key, None)
        self._entry_of.update(fresh)
        if self._updated is not None:
            self._updated.update(fresh, removed)

    def sift(self, keep: Callable[[K], bool], *, narrower: bool = False) -> Iterator[list[K]]:
        """Show just the ids for which `keep` holds, found from the top down, a slice at a time.

        With `narrower` none but those that are shown are looked at.

        What was shown before is shown until `show_found()`, or until the end. What is updated
        meanwhile is shown as the update says.

        Yields:
            Those that a slice brought.
        """
        self._sort()
        updated = self._updated = set[K]()
        found = self._found = list[Entry[K]]()
        among = self._shown if narrower else self._all
        source = among[::-1] if self.descending else among[:]
        for start in range(0, len(source), SLICE):
            entries = source[start : start + SLICE]
            part = [entry for entry in entries if entry[2] not in updated and keep(entry[2])]
            found += part
            yield [entry[2] for entry in part]
        self.show_found()
        self._found, self._updated = [], None

    def show_found(self) -> None:
        """Show what was found so far, and what an update meanwhile said is to be shown."""
        found, updated = self._found, self._updated
        if updated:
            kept = [entry for entry in self._shown if entry[2] in updated]
            self._shown = [entry for entry in found if entry[2] not in updated] + kept
            self._shown.sort()
        else:
            self._shown = found[::-1] if self.descending else found[:]

    def _entry(self, key: K, sort_key: object) -> Entry[K]:
        known = self._entry_of.get(key)
        self._arrivals += known is None
        arrival = self._arrivals if known is None else known[1]
        return ((sort_key is not None, sort_key), arrival, key)

    def _sort(self) -> None:
        if not self._sorted:
            self._all.sort()
            self._shown.sort()
            self._sorted = True

    def _turned(self, position: int) -> int:
        return len(self._shown) - 1 - position if self.descending else position


def _place(entries: list[Entry[K]], entry: Entry[K]) -> int | None:
    at = bisect_left(entries, entry)
    return at if at < len(entries) and entries[at] is entry else None


def _one_by_one(entries: list[Entry[K]], gone: list[Entry[K]], fresh: list[Entry[K]]) -> None:
    for entry in gone:
        if (at := _place(entries, entry)) is not None:
            del entries[at]
    for entry in fresh:
        insort(entries, entry)


def _all_at_once(entries: list[Entry[K]], lost: set[int], fresh: list[Entry[K]]) -> None:
    if lost:
        entries[:] = [entry for entry in entries if entry[1] not in lost]
    entries.extend(fresh)
