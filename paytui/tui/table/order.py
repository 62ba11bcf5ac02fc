"""The order of a list: sorted once, then kept sorted as rows change and as other rows are shown."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress, repeat
from operator import lt, ne, not_
from typing import Any, Final, Generic, TypeVar, final

from paytui.tui.table.columns import Column, SortKey, SortKeys

# A sort key that is missing.


@final
class MissingKey:
    """Less than any other sort key, of whatever type."""

    __slots__ = ()

    def __lt__(self, other: object) -> bool:
        return other is not self

    def __gt__(self, other: object) -> bool:
        return False


MISSING_KEY: Final = MissingKey()


# One pass over a long list for the rows that are to be shown, a slice at a time.

K = TypeVar("K", bound=Hashable)

FILTER_SLICE = 200
"""Rows that are sifted at once: a few milliseconds, so that no key waits for more."""

SOON = 8
"""Slices after which what was found is shown although it does not fill the view; then after twice
as many, and so on: where little is found, it takes long enough."""

Entry = tuple[Any, int, K]
"""Sort key, number of arrival, id: never two alike, so that ids are never compared."""

Keep = Callable[[Sequence[K]], Iterable[K]]
"""Those of some ids that are to be shown."""


class IncrementalFilter(Generic[K]):
    """Begins at the cursor, and tells when to show what was found: when that fills the view.

    Args:
        source: what is looked through, from the top down.
        start: where to begin in it.
        keep: what finds those that are to be shown.
        height: lines of the view.

    Attributes:
        updated: ids of which it is known otherwise by now whether they are to be shown.
        was_shown: how many were found when that was to be shown last.
    """

    def __init__(self, source: Sequence[Entry[K]], start: int, keep: Keep[K], height: int) -> None:
        self.updated: set[K] = set()
        self.was_shown = 0
        self._source = source
        self._keep = keep
        self._height = height
        self._low = self._high = start
        # The nearest first.
        self._above: list[Entry[K]] = []
        self._below: list[Entry[K]] = []
        self._looked = 0
        self._shows_after = SOON
        self._was_full = False

    @property
    def over(self) -> bool:
        """Whether all was looked through."""
        return self._low == 0 and self._high == len(self._source)

    @property
    def centre(self) -> K | None:
        """The id at which it began; the nearest that is to be shown if that is not."""
        nearest = next(chain(self._below, self._above), None)
        return None if nearest is None else nearest[2]

    @property
    def found(self) -> list[Entry[K]]:
        """What is to be shown, as far as it was found, from the top down."""
        found = [*reversed(self._above), *self._below]
        return [entry for entry in found if entry[2] not in self.updated] if self.updated else found

    @property
    def left(self) -> list[Entry[K]]:
        """The same, and all that was not looked at yet."""
        return [*self._source[: self._low], *self.found, *self._source[self._high :]]

    def step(self) -> bool:
        """Look through one slice.

        Returns:
            Whether to show what was found so far.
        """
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
        """To where the view is not full yet."""
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


FEW = 32
"""Up to so many changes are put in place one by one; more are collected, and merged."""

LATE = 2_000
"""Changes that are collected at the most: to merge them takes a few milliseconds."""


class SortedIndex(Generic[K]):
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
        self._filtering: IncrementalFilter[K] | None = None
        self._arrivals = 0

    @classmethod
    def of(
        cls,
        every: list[Entry[K]],
        shown: list[Entry[K]],
        entries: dict[K, Entry[K]],
        *,
        descending: bool,
    ) -> SortedIndex[K]:
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
        return self._shown[self._flip(position)][2]

    def reverse(self) -> None:
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
        return None if at is None else self._flip(at)

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
        if self._filtering is not None:
            self._filtering.updated.update(fresh, removed)

    def filter(
        self, keep: Keep[K], cursor: K | None, height: int, *, narrower: bool = False
    ) -> IncrementalFilter[K]:
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
        self._filtering = IncrementalFilter(source, start, keep, height)
        return self._filtering

    def _among(self, *, narrower: bool) -> list[Entry[K]]:
        """What is to be looked through, from the top down."""
        self._merge()
        before = self._filtering
        if narrower and before is not None and not before.updated:
            return before.left
        among = self._shown if narrower and before is None else self._all
        return among[::-1] if self.descending else among[:]

    def show_found(self) -> None:
        """Show what was found so far, and what an update meanwhile said is to be shown."""
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
        return (MISSING_KEY if sort_key is None else sort_key, arrival, key)

    def _merge(self) -> None:
        """Put in place what was collected."""
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


# What a list is sorted by: columns, the most important first, each in its own direction.

R = TypeVar("R")

Comparable = tuple[bool, object]
"""Whether there is a key at all, and the key."""


@dataclass(frozen=True, slots=True)
class Sort(Generic[R]):
    """One column to sort by; it has a key."""

    column: Column[R]
    descending: bool = False

    @property
    def sign(self) -> str:
        """Its direction, as headings and titles show it."""
        return "▼" if self.descending else "▲"

    def reversed(self) -> Sort[R]:
        """The same in the other direction."""
        return replace(self, descending=not self.descending)


class _Descending:
    """Something that comes after what it is greater than."""

    __slots__ = ("value",)

    def __init__(self, value: Comparable) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: _Descending) -> bool:
        return other.value < self.value


def with_keys(shown: Sequence[Column[R]], unseen: Sequence[Column[R]]) -> tuple[Column[R], ...]:
    """Those to sort by."""
    return tuple(column for column in (*shown, *unseen) if column.key)


def row_key(sorts: Sequence[Sort[R]]) -> SortKey[R]:
    """What rows are ordered by, to be read backwards where the first sort is descending.

    A column in the same direction as the first compares by its plain keys, at their speed.
    """
    if len(sorts) == 1 and (only := sorts[0].column.key) is not None:
        return only
    parts = [_part(sort, flipped=sort.descending != sorts[0].descending) for sort in sorts]
    return lambda row: tuple(part(row) for part in parts)


def row_keys(sorts: Sequence[Sort[R]]) -> SortKeys[R]:
    """The same for many rows at once, whose names stay as they are meanwhile."""
    if len(sorts) == 1 and (begin := sorts[0].column.keys) is not None:
        return begin()
    key = row_key(sorts)
    return lambda rows: list(map(key, rows))


def _part(sort: Sort[R], *, flipped: bool) -> Callable[[R], object]:
    def part(row: R) -> object:
        value = None if sort.column.key is None else sort.column.key(row)
        # What says nothing comes first, as in a list that is sorted by one column.
        comparable = (value is not None, value)
        return _Descending(comparable) if flipped else comparable

    return part


def are_reversed(sorts: Sequence[Sort[R]], others: Sequence[Sort[R]]) -> bool:
    """Whether others are the same, each in the other direction: then their order is, too."""
    return bool(sorts) and list(others) == [sort.reversed() for sort in sorts]


def sort_words(sorts: Sequence[Sort[R]]) -> str:
    """`by State, then Created ▼`; empty where nothing is sorted by."""
    named = [f"{sort.column.title}{' ▼' if sort.descending else ''}" for sort in sorts]
    return f"by {', then '.join(named)}" if named else ""


def marked_title(column: Column[R], sorts: Sequence[Sort[R]]) -> str:
    """Its title with its mark: `Created▼`; where there are several to sort by, `Created▼2`."""
    for rank, sort in enumerate(sorts, 1):
        if sort.column is column and column.title:
            mark = f"{sort.sign}{rank if len(sorts) > 1 else ''}"
            return f"{mark} {column.title}" if column.right else column.title + mark
    return column.title


def with_next(sorts: Sequence[Sort[R]], column: Column[R]) -> tuple[Sort[R], ...]:
    """A column joins as the last to sort by; one that is there already is turned."""
    if any(sort.column is column for sort in sorts):
        return tuple(sort.reversed() if sort.column is column else sort for sort in sorts)
    return (*sorts, Sort(column))


def without(sorts: Sequence[Sort[R]], column: Column[R]) -> tuple[Sort[R], ...]:
    """The others alone."""
    return tuple(sort for sort in sorts if sort.column is not column)


# What stands next to one row in an order, found by one look at each: nothing else is sorted.


class CursorNeighbours:
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

    def add(self, numbers: Sequence[int]) -> None:
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
