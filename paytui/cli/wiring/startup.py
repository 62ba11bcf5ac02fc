"""The start of the dashboard without looking for garbage: nothing that it makes is any.

Looking took a third of the time until the first paint.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager

from paytui.platform.host import TerminalEnvironment


def pause_gc() -> None:
    """Look for none from now on."""
    gc.disable()


def resume_gc() -> None:
    """Look for it again, and never among what the start made."""
    gc.freeze()
    gc.enable()


class GcPause:
    """Called by each that loads something, when it has; the last one ends it.

    Args:
        count: how many they are.
    """

    def __init__(self, count: int) -> None:
        self._loading = [None] * count

    def __call__(self) -> None:
        self._loading.pop()
        if not self._loading:
            resume_gc()


# What came to stay is looked at once for garbage, and not again with each new row.
#
# To look through 100,000 rows takes 60 ms, in which no key is answered and nothing is read.

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


class _FreezePolicy:
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
def gc_freeze_policy(changes: Callable[[], int]) -> Iterator[None]:
    """Leave alone what is in use once many rows came: the next look is short again.

    Args:
        changes: how many rows came or changed so far; asked from any thread, at any moment.
    """
    before, looks = gc.get_threshold(), _FreezePolicy(changes)
    _look_again_after(SOON)
    gc.callbacks.append(looks)
    try:
        yield
    finally:
        gc.callbacks.remove(looks)
        gc.set_threshold(*before)


# How fast Textual paints and how long it waits for the rest of a key: read when it is imported.

FAR, NEAR = "15", "240"
"""Paints a second at the most, on a link or in a window, and elsewhere. What a key changes at once
is painted at once; what it changes a little later waits for the next of these."""

ESCAPE = "250"
"""Milliseconds in which what follows an ESC belongs to it, where a link may bring them apart."""


def set_frame_rate(environ: MutableMapping[str, str], surroundings: TerminalEnvironment) -> None:
    """Say it in the environment, before Textual is imported; what is said there already stays."""
    environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    environ.setdefault("TEXTUAL_FPS", NEAR if surroundings.direct else FAR)
    if surroundings.ssh:
        environ.setdefault("ESCDELAY", ESCAPE)
