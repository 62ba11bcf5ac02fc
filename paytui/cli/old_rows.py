"""What came to stay is looked at once for garbage, and not again with each new row.

To look through 100,000 rows takes 60 ms, in which no key is answered and nothing is read.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

MANY = 20_000
"""Objects in use after a look at all, from which on they are left alone: a look takes 15 ms."""

ROWS = 5_000
"""Rows that must have come or changed since, too: what screens show and dialogs hold is in use only
for a while, yet what of it is in use at that moment is never found to be garbage later, which is a
megabyte.
"""

GROWTH = 5_000
"""Objects that came to stay since the look before: as in a first read."""

SOON, LATER = 1, 5
"""Looks at younger objects after which all are looked at: before they are many where they become
more; where they do not, fewer keys wait for a look."""

_ALL = 2
"""The generation of objects whose turn is a look at everything."""


class _Looks:
    """Told of each look for garbage."""

    def __init__(self, changes: Callable[[], int]) -> None:
        self._changes = changes
        self._left_alone = changes()
        self._in_use = 0

    def __call__(self, phase: str, info: Mapping[str, int]) -> None:
        if phase == "stop" and info["generation"] == _ALL:
            before, self._in_use = self._in_use, len(gc.get_objects(generation=_ALL))
            _look_again_after(SOON if self._in_use - before > GROWTH else LATER)
            changes = self._changes()
            if self._in_use >= MANY and changes - self._left_alone >= ROWS:
                gc.freeze()
                self._left_alone, self._in_use = changes, 0


def _look_again_after(turns: int) -> None:
    """Look at everything after so many looks at younger objects."""
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, turns)


@contextmanager
def left_alone(changes: Callable[[], int]) -> Iterator[None]:
    """Leave alone what is in use once many rows came: the next look is short again.

    Args:
        changes: how many rows came or changed so far; asked from any thread, at any moment.
    """
    before, looks = gc.get_threshold(), _Looks(changes)
    _look_again_after(SOON)
    gc.callbacks.append(looks)
    try:
        yield
    finally:
        gc.callbacks.remove(looks)
        gc.set_threshold(*before)
