"""Rows that came to stay are looked at once for garbage, and not again with each new one.

To look through 100,000 of them takes 50 ms, in which no key is answered and nothing is read.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

MANY = 10_000
"""Rows written since the last time. Not one: what is open at that moment, such as a dialog, is
never found to be garbage later."""

_ALL = 2
"""The generation of objects whose turn is a look at everything."""

_TURNS = 2
"""Looks at younger objects, after which all are looked at: before they are many."""


@contextmanager
def left_alone(written: Callable[[], int]) -> Iterator[None]:
    """Leave what survives a look at everything alone, where many rows came since the last one.

    Args:
        written: how many rows were written so far; asked in whichever thread looks.
    """
    last = 0

    def looked(phase: str, info: Mapping[str, int]) -> None:
        nonlocal last
        if phase == "stop" and info["generation"] == _ALL and written() - last >= MANY:
            last = written()
            gc.freeze()

    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, _TURNS)
    gc.callbacks.append(looked)
    try:
        yield
    finally:
        gc.callbacks.remove(looked)
        gc.set_threshold(young, middle, old)
