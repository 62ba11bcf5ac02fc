"""One pass over a long list for the rows that are to be shown, a slice at a time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)

SLICE = 200
"""Rows that are sifted at once: a few milliseconds, so that no key waits for more."""

SOON = 8
"""Slices after which what was found is shown although it does not fill the view; then after twice
as many, and so on: where little is found, it takes long enough."""

Entry = tuple[Any, int, K]
"""Sort key, number of arrival, id: never two alike, so that ids are never compared."""

Keep = Callable[[Sequence[K]], Iterable[K]]
"""Those of some ids that are to be shown."""


class Sifting(Generic[K]):
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

    def go_on(self) -> bool:
        """Look through one slice.

        Returns:
            Whether to show what was found so far.
        """
        if self._goes_down():
            part = self._source[self._high : self._high + SLICE]
            self._high += len(part)
            self._below += self._kept(part)
        else:
            part = self._source[max(0, self._low - SLICE) : self._low]
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
