"""The order of the rows of a list: of all in memory, or of a window of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Hashable, Mapping, Sequence, Set
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

Entry = tuple[Any, int, K]
"""Sort key, arrival number, id. Arrival numbers are unique, so ids are never compared."""


class SortedIndex(Generic[K]):
    """Ids sorted by key: missing keys first, equal keys in order of arrival.

    Length and positions count only those that are shown. A change sorts them again: some
    milliseconds for 5,000, which are nearly in order.
    """

    def __init__(self, *, descending: bool = False) -> None:
        self.descending = descending
        self._entry_of: dict[K, Entry[K]] = {}
        self._hidden: set[K] = set()
        self._all: list[Entry[K]] = []
        self._shown: list[Entry[K]] = []
        self._arrivals = 0

    def __len__(self) -> int:
        return len(self._shown)

    def __getitem__(self, position: int) -> K:
        """Return the id at a position, counted from the top."""
        return self._shown[self._flip(position)][2]

    def holds(self, position: int) -> bool:
        return position < len(self._shown)

    def position(self, key: K) -> int | None:
        """Return the position of an id, counted from the top; None if it is not shown."""
        entry = self._entry_of.get(key)
        if entry is None or key in self._hidden:
            return None
        return self._flip(bisect_left(self._shown, entry))

    def update(self, changed: Mapping[K, object], hidden: Set[K], removed: Set[K]) -> None:
        """Insert, move and remove ids; those of the changed that are hidden are not shown."""
        known = self._entry_of
        lost = {known[key][1] for key in (*changed, *removed) if key in known}
        for key in removed:
            known.pop(key, None)
        fresh = {key: self._entry(key, sort_key) for key, sort_key in changed.items()}
        known.update(fresh)
        self._all = [entry for entry in self._all if entry[1] not in lost] if lost else self._all
        self._all += fresh.values()
        self._hidden = (self._hidden - changed.keys() - removed) | hidden
        self._order()

    def sort(self, keys: Mapping[K, object], *, descending: bool) -> None:
        """Sort all ids again by other keys."""
        self.descending = descending
        self._entry_of = {key: self._entry(key, sort_key) for key, sort_key in keys.items()}
        self._all = list(self._entry_of.values())
        self._order()

    def show(self, keys: Collection[K]) -> None:
        """Show these ids alone."""
        self._hidden = set(self._entry_of) - set(keys)
        self._order()

    def _entry(self, key: K, sort_key: object) -> Entry[K]:
        known = self._entry_of.get(key)
        self._arrivals += known is None
        arrival = self._arrivals if known is None else known[1]
        return (MISSING_KEY if sort_key is None else sort_key, arrival, key)

    def _order(self) -> None:
        self._all.sort()
        hidden = self._hidden
        self._shown = [one for one in self._all if one[2] not in hidden] if hidden else self._all

    def _flip(self, position: int) -> int:
        return len(self._shown) - 1 - position if self.descending else position


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

    def holds(self, position: int) -> bool:
        return self._first <= position < self._first + len(self._keys)

    def reaches(self, position: int, height: int) -> bool:
        """Return True if the window covers `height` positions on both sides of a position."""
        nearest = max(0, min(position, self._total - 1))
        end = self._first + len(self._keys)
        is_there_above = self._first <= max(0, nearest - height)
        return is_there_above and min(nearest + height + 1, self._total) <= end
