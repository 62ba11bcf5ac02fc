"""The order of a list: a sorted index, an incremental filter, and the cursor's neighbours."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain, compress, repeat
from operator import gt, lt, ne, not_
from typing import Any, Final, Generic, TypeVar, final


@final
class MissingKey:
    """A sort key that is less than any other, of whatever type."""

    __slots__ = ()

    def __lt__(self, other: object) -> bool:
        return other is not self

    def __gt__(self, other: object) -> bool:
        return False


MISSING_KEY: Final = MissingKey()


K = TypeVar("K", bound=Hashable)

FILTER_SLICE = 200
"""Rows to filter in one slice: a few milliseconds, so that keys do not wait for more."""

SOON = 8
"""Slices after which matches are shown even if they do not fill the view; then after twice as
many, and so on."""

Entry = tuple[Any, int, K]
"""Sort key, arrival number, id. Arrival numbers are unique, so ids are never compared."""

Keep = Callable[[Sequence[K]], Iterable[K]]  # Returns those of some ids that match


class IncrementalFilter(Generic[K]):
    """A filter that begins at the cursor and reports when the matches fill the view.

    Args:
        source: the entries to filter, from the top down.
        start: the index to begin at.
        height: lines of the view.

    Attributes:
        updated: ids whose match was decided by an update meanwhile.
        was_shown: number of matches when they were last shown.
    """

    def __init__(self, source: Sequence[Entry[K]], start: int, keep: Keep[K], height: int) -> None:
        self.updated: set[K] = set()
        self.was_shown = 0
        self._source = source
        self._keep = keep
        self._height = height
        self._low = self._high = start
        # The nearest entries come first.
        self._above: list[Entry[K]] = []
        self._below: list[Entry[K]] = []
        self._looked = 0
        self._shows_after = SOON
        self._was_full = False

    @property
    def over(self) -> bool:
        return self._low == 0 and self._high == len(self._source)

    @property
    def centre(self) -> K | None:
        """Return the id at which it began, or the nearest match."""
        nearest = next(chain(self._below, self._above), None)
        return None if nearest is None else nearest[2]

    @property
    def found(self) -> list[Entry[K]]:
        """Return the matches so far, from the top down."""
        found = [*reversed(self._above), *self._below]
        return [entry for entry in found if entry[2] not in self.updated] if self.updated else found

    @property
    def left(self) -> list[Entry[K]]:
        """Return the matches and the entries not filtered yet."""
        return [*self._source[: self._low], *self.found, *self._source[self._high :]]

    def step(self) -> bool:
        """Filter one slice; return True if the matches so far should be shown."""
        if self._goes_down():
            part = self._source[self._high : self._high + FILTER_SLICE]
            self._high += len(part)
            self._below += self._kept(part)
        else:
            part = self._source[max(0, self._low - FILTER_SLICE) : self._low]
            self._low -= len(part)
            self._above += reversed(self._kept(part))
        self._looked += 1
        return self._is_to_be_shown()

    def _goes_down(self) -> bool:
        """Return True if the next slice is below the cursor, as the view is not full there."""
        if self._high == len(self._source) or self._low == 0:
            return self._low == 0
        return len(self._below) < self._height or len(self._above) >= self._height

    def _kept(self, part: Sequence[Entry[K]]) -> list[Entry[K]]:
        asked = [entry[2] for entry in part if entry[2] not in self.updated]
        kept = set(self._keep(asked))
        return [entry for entry in part if entry[2] in kept]

    def _is_to_be_shown(self) -> bool:
        found, height = len(self._above) + len(self._below), self._height
        is_full = (len(self._below) >= height or self._high == len(self._source)) and (
            len(self._above) >= height or self._low == 0
        )
        is_time = is_full or self._looked >= self._shows_after
        if self._was_full or found == self.was_shown or not is_time:
            return False
        self._was_full, self.was_shown, self._shows_after = is_full, found, 2 * self._looked
        return True


FEW = 32  # Maximum number of changes to insert one by one; more are collected and merged
LATE = 2_000  # Maximum number of collected changes: merging them takes a few milliseconds


class SortedIndex(Generic[K]):
    """Ids sorted by key: missing keys first, equal keys in order of arrival.

    All ids are kept in order. Length and positions count only those that are shown. A new index
    may take over two sorted lists, and all of their entries by id.
    """

    def __init__(
        self,
        every: list[Entry[K]] | None = None,
        shown: list[Entry[K]] | None = None,
        entries: dict[K, Entry[K]] | None = None,
        *,
        descending: bool = False,
    ) -> None:
        self.descending = descending
        self._all = every or []
        self._shown = shown or []
        self._entry_of = entries or {}
        self._late: dict[K, Entry[K]] = {}
        self._late_shown: dict[K, Entry[K]] = {}
        self._filtering: IncrementalFilter[K] | None = None
        self._arrivals = len(self._all)

    def __len__(self) -> int:
        return len(self._shown) + len(self._late_shown)

    def __getitem__(self, position: int) -> K:
        """Return the id at a position, counted from the top."""
        self._merge()
        return self._shown[self._flip(position)][2]

    def reverse(self) -> None:
        self.descending = not self.descending

    @property
    def shown(self) -> set[K] | None:
        """Return the ids that are shown; None: all."""
        self._merge()
        if len(self._shown) == len(self._entry_of):
            return None
        return {entry[2] for entry in self._shown}

    def position(self, key: K) -> int | None:
        """Return the position of an id, counted from the top; None if it is not shown."""
        self._merge()
        entry = self._entry_of.get(key)
        at = None if entry is None else _place(self._shown, entry)
        return None if at is None else self._flip(at)

    def update(self, changed: Mapping[K, object], hidden: Collection[K], removed: set[K]) -> None:
        """Insert, move and remove ids; those of the changed that are hidden are not shown."""
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
        if self._filtering is not None:
            self._filtering.updated.update(fresh, removed)

    def filter(
        self, keep: Keep[K], cursor: K | None, height: int, *, narrower: bool = False
    ) -> IncrementalFilter[K]:
        """Begin to show only matching ids, searched from the cursor on.

        With `narrower`, `keep` matches no id that the last filter did not. Then only its matches
        and the entries that it had not reached are searched.

        The old matches are shown until `show_found()`. An update before the end decides by itself
        whether its ids are shown.
        """
        source = self._among(narrower=narrower)
        start = 0
        if cursor is not None and (entry := self._entry_of.get(cursor)) is not None:
            is_above = gt if self.descending else lt
            start = bisect_left(source, x=True, key=lambda at: not is_above(at, entry))
        self._filtering = IncrementalFilter(source, start, keep, height)
        return self._filtering

    def _among(self, *, narrower: bool) -> list[Entry[K]]:
        self._merge()
        before = self._filtering
        if narrower and before is not None and not before.updated:
            return before.left
        among = self._shown if narrower and before is None else self._all
        return among[::-1] if self.descending else among[:]

    def show_found(self) -> None:
        """Show the matches so far, and those of updates meanwhile."""
        self._merge()
        filtering = self._filtering
        if filtering is None:
            return
        found = filtering.found[::-1] if self.descending else filtering.found
        if filtering.updated:
            found += [entry for entry in self._shown if entry[2] in filtering.updated]
            found.sort()
        self._shown = found
        if filtering.over:
            self._filtering = None

    def release(self) -> bool:
        """Free a part of an unused index, as all takes too long; return True if more is left."""
        for entries in (self._all, self._shown):
            del entries[-LATE:]
        for _ in range(min(LATE, len(self._entry_of))):
            self._entry_of.popitem()
        return bool(self._entry_of)

    def _entry(self, key: K, sort_key: object) -> Entry[K]:
        known = self._entry_of.get(key)
        self._arrivals += known is None
        arrival = self._arrivals if known is None else known[1]
        return (MISSING_KEY if sort_key is None else sort_key, arrival, key)

    def _merge(self) -> None:
        if self._late:
            _merge(self._all, sorted(self._late.values()))
            _merge(self._shown, sorted(self._late_shown.values()))
            self._late, self._late_shown = {}, {}

    def _flip(self, position: int) -> int:
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
    """Remove gone and changed entries, and collect the new ones for a merge."""
    lost = {entry[1] for key, entry in gone.items() if late.pop(key, None) is None}
    if lost:
        entries[:] = [entry for entry in entries if entry[1] not in lost]
    late.update(fresh)


def _merge(entries: list[Entry[K]], late: list[Entry[K]]) -> None:
    """Merge a few sorted entries into a long sorted list by binary search."""
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


R = TypeVar("R")


class CursorNeighbours:
    """The nearest neighbours of one row in sort order, found in one pass without sorting all.

    Rows are numbers, ordered by their values; equal ones by number.

    Args:
        values: of the rows by number, as far as they are known.
        centre: the number of the row.
        reach: number of neighbours on either side.

    Attributes:
        before: number of rows seen before it.
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

    def add(self, numbers: Sequence[int]) -> None:
        """Compare some rows; their numbers are greater than those of earlier calls."""
        self.total += len(numbers)
        at = bisect_left(numbers, self._centre)
        self._sort_out(numbers[:at], equal_before=True)
        at += at < len(numbers) and numbers[at] == self._centre
        self._sort_out(numbers[at:], equal_before=False)

    @property
    def row(self) -> list[int]:
        return [*self._below, self._centre, *self._above]

    @property
    def first(self) -> int:
        """Return the position of the first of these among all rows."""
        return self.before - len(self._below)

    def _sort_out(self, numbers: Sequence[int], *, equal_before: bool) -> None:
        """Sort near rows in, and only count those that are further away than all near ones."""
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
        # Of equal rows the later ones come after.
        least = self._values[self._below[0]]
        return list(map(lt, found, repeat(least)))

    def _not_far_above(self, found: Sequence[Any]) -> list[bool]:
        """Return which rows precede the last neighbour; equal ones come after it.

        If that equals the centre, all rows that precede the centre were seen.
        """
        if len(self._above) < self._reach:
            return [True] * len(found)
        most = self._values[self._above[-1]]
        return list(map(lt, found, repeat(most)))
