"""The order of a list: sorted once, then kept sorted as rows change and as other rows are shown."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from paytui.tui.widgets.nothing import NOTHING
from paytui.tui.widgets.sifting import Entry, Keep, Sifting

K = TypeVar("K", bound=Hashable)

FEW = 32
"""Up to so many changes are put in place one by one; more are collected, and merged."""

LATE = 2_000
"""Changes that are collected at the most: to merge them takes a few milliseconds."""


class Ordering(Generic[K]):
    """Ids in the order of their keys, missing keys first; equal keys in order of arrival.

    All are kept in order, and some of them are shown: length and positions are those of the shown.
    """

    def __init__(self, *, descending: bool = False) -> None:
        self.descending = descending
        self._all: list[Entry[K]] = []
        self._shown: list[Entry[K]] = []
        self._entry_of: dict[K, Entry[K]] = {}
        self._late: dict[K, Entry[K]] = {}
        self._late_shown: dict[K, Entry[K]] = {}
        self._sifting: Sifting[K] | None = None
        self._arrivals = 0

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
        return len(self._shown) + len(self._late_shown)

    def __getitem__(self, position: int) -> K:
        """The id at a position, counted from the top."""
        self._merge()
        return self._shown[self._turned(position)][2]

    def turn(self) -> None:
        """Put the greatest first where the least was, and the other way round."""
        self.descending = not self.descending

    @property
    def shown(self) -> set[K] | None:
        """The ids that are shown; None: all."""
        self._merge()
        if len(self._shown) == len(self._entry_of):
            return None
        return {entry[2] for entry in self._shown}

    def position(self, key: K) -> int | None:
        """Where an id stands, counted from the top; None if it is not shown."""
        self._merge()
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
        gone = {key: self._entry_of[key] for key in (*fresh, *removed) if key in self._entry_of}
        shown = {key: entry for key, entry in fresh.items() if key not in hidden}
        if not self._late and len(fresh) + len(gone) <= FEW:
            _one_by_one(self._all, gone.values(), fresh.values())
            _one_by_one(self._shown, gone.values(), shown.values())
        else:
            _collect(self._all, self._late, gone, fresh)
            _collect(self._shown, self._late_shown, gone, shown)
            if len(self._late) > LATE:
                self._merge()
        for key in removed:
            self._entry_of.pop(key, None)
        self._entry_of.update(fresh)
        if self._sifting is not None:
            self._sifting.updated.update(fresh, removed)

    def sift(
        self, keep: Keep[K], cursor: K | None, height: int, *, narrower: bool = False
    ) -> Sifting[K]:
        """Have just the ids shown that `keep` finds, looked for from the cursor on.

        With `narrower`, it finds none that the last one did not: only what that found is looked
        through, and what it had not come to yet.

        What was shown before is shown until `show_found()`. What is updated until all was looked
        through is shown as the update says.
        """
        source = self._among(narrower=narrower)
        start = 0
        if cursor is not None and (entry := self._entry_of.get(cursor)) is not None:
            start = bisect_left(source, x=True, key=lambda at: not self._is_above(at, entry))
        self._sifting = Sifting(source, start, keep, height)
        return self._sifting

    def _among(self, *, narrower: bool) -> list[Entry[K]]:
        """What is to be looked through, from the top down."""
        self._merge()
        before = self._sifting
        if narrower and before is not None and not before.updated:
            return before.left
        among = self._shown if narrower and before is None else self._all
        return among[::-1] if self.descending else among[:]

    def show_found(self) -> None:
        """Show what was found so far, and what an update meanwhile said is to be shown."""
        self._merge()
        sifting = self._sifting
        if sifting is None:
            return
        found = sifting.found[::-1] if self.descending else sifting.found
        if sifting.updated:
            found += [entry for entry in self._shown if entry[2] in sifting.updated]
            found.sort()
        self._shown = found
        if sifting.over:
            self._sifting = None

    def let_go(self) -> bool:
        """Forget some of an order that nobody needs any more: to free all at once takes long.

        Returns:
            Whether there is more.
        """
        for entries in (self._all, self._shown):
            del entries[-LATE:]
        for _ in range(min(LATE, len(self._entry_of))):
            self._entry_of.popitem()
        return bool(self._entry_of)

    def _is_above(self, entry: Entry[K], other: Entry[K]) -> bool:
        return entry > other if self.descending else entry < other

    def _entry(self, key: K, sort_key: object) -> Entry[K]:
        known = self._entry_of.get(key)
        self._arrivals += known is None
        arrival = self._arrivals if known is None else known[1]
        return (NOTHING if sort_key is None else sort_key, arrival, key)

    def _merge(self) -> None:
        """Put in place what was collected."""
        if self._late:
            _merge(self._all, sorted(self._late.values()))
            _merge(self._shown, sorted(self._late_shown.values()))
            self._late, self._late_shown = {}, {}

    def _turned(self, position: int) -> int:
        return len(self._shown) - 1 - position if self.descending else position


def _place(entries: list[Entry[K]], entry: Entry[K]) -> int | None:
    at = bisect_left(entries, entry)
    return at if at < len(entries) and entries[at] is entry else None


def _one_by_one(
    entries: list[Entry[K]], gone: Iterable[Entry[K]], fresh: Iterable[Entry[K]]
) -> None:
    for entry in gone:
        if (at := _place(entries, entry)) is not None:
            del entries[at]
    for entry in fresh:
        insort(entries, entry)


def _collect(
    entries: list[Entry[K]],
    late: dict[K, Entry[K]],
    gone: Mapping[K, Entry[K]],
    fresh: Mapping[K, Entry[K]],
) -> None:
    """Take out what is gone or changed, and keep what is to be merged in."""
    lost = {entry[1] for key, entry in gone.items() if late.pop(key, None) is None}
    if lost:
        entries[:] = [entry for entry in entries if entry[1] not in lost]
    late.update(fresh)


def _merge(entries: list[Entry[K]], late: list[Entry[K]]) -> None:
    """Put sorted entries into a long sorted list, of which few are compared: not all of it."""
    if not late:
        return
    merged: list[Entry[K]] = []
    start, last = bisect_left(entries, late[0]), bisect_left(entries, late[-1])
    if start == last:
        entries[start:start] = late
        return
    merged += entries[:start]
    for entry in late:
        at = bisect_left(entries, entry, start, last)
        merged += entries[start:at]
        merged.append(entry)
        start = at
    entries[:] = merged + entries[start:]
