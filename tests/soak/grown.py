"""Types with more objects at the end of a run than after its first hour."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator

SHOWN = 12


class Grown:
    """Counts objects by type; such as hold no others (strings, numbers) are not counted."""

    def __init__(self) -> None:
        self._first: Counter[str] = Counter()
        self._last: Counter[str] = Counter()

    @property
    def began(self) -> bool:
        """Return True once objects were counted."""
        return bool(self._first)

    def look(self) -> None:
        """Count: the first and the last time are compared."""
        self._last = Counter(
            f"{type(thing).__module__}.{type(thing).__qualname__}" for thing in gc.get_objects()
        )
        self._first = self._first or self._last

    def words(self) -> Iterator[str]:
        """Return the largest growth in words."""
        for name, more in (self._last - self._first).most_common(SHOWN):
            yield f"{more:+8,} {name}"
