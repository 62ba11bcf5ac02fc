"""What came to stay is looked at once for garbage, and not again with each new row.

To look through 100,000 rows takes 60 ms, in which no key is answered and nothing is read.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

MANY = 20_000
"""Objects in use after a look at all, from which on they are left alone: a look takes 15 ms. Not
fewer: what is open at that moment, such as a dialog of some thousand objects, is never found to be
garbage later. So many come to stay in an hour of a busy desk, or when the screens are first seen.
"""

_ALL = 2
"""The generation of objects whose turn is a look at everything."""

_TURNS = 1
"""Looks at younger objects, after which all are looked at: before they are many."""


@contextmanager
def left_alone(many: int = MANY) -> Iterator[None]:
    """Leave alone what is in use after a look at so many objects: the next look is short again."""

    def looked(phase: str, info: Mapping[str, int]) -> None:
        is_over = phase == "stop" and info["generation"] == _ALL
        if is_over and len(gc.get_objects(generation=_ALL)) >= many:
            gc.freeze()

    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, _TURNS)
    gc.callbacks.append(looked)
    try:
        yield
    finally:
        gc.callbacks.remove(looked)
        gc.set_threshold(young, middle, old)
