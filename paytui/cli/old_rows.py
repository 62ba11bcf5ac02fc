"""What came to stay is looked at once for garbage, and not again with each new row.

To look through 100,000 rows takes 50 ms, in which no key is answered and nothing is read.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

LONG = 0.01
"""Seconds of a look at everything, after which what it found in use is left alone. Not less: what
is open at that moment, such as a dialog, is never found to be garbage later."""

_ALL = 2
"""The generation of objects whose turn is a look at everything."""

_TURNS = 5
"""Looks at younger objects, after which all are looked at: before they are many."""


@contextmanager
def left_alone(spent: Callable[[], float]) -> Iterator[None]:
    """Leave alone what is in use after a look that took long: the next one does not.

    Args:
        spent: seconds of work that the thread which looks has done so far.
    """
    began = 0.0

    def looked(phase: str, info: Mapping[str, int]) -> None:
        nonlocal began
        if info["generation"] != _ALL:
            return
        if phase == "start":
            began = spent()
        elif spent() - began >= LONG:
            gc.freeze()

    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, _TURNS)
    gc.callbacks.append(looked)
    try:
        yield
    finally:
        gc.callbacks.remove(looked)
        gc.set_threshold(young, middle, old)
