"""Settings of the interpreter and of Textual for a fast start and short pauses."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager

from paytui.platform.host import TerminalEnvironment


def pause_gc() -> None:
    """Disable the garbage collector: it takes a third of the start, and nothing is garbage yet."""
    gc.disable()


def resume_gc() -> None:
    """Enable the collector again; it never scans objects that exist now."""
    gc.freeze()
    gc.enable()


class GcPause:
    """A countdown that ends the collector's pause after its last call.

    Args:
        count: the number of calls.
    """

    def __init__(self, count: int) -> None:
        self._loading = [None] * count

    def __call__(self) -> None:
        self._loading.pop()
        if not self._loading:
            resume_gc()


FREEZE_OBJECTS = 20_000
"""Objects in use after a full collection from which on they are frozen; a scan takes 15 ms."""

FREEZE_ROWS = 5_000
"""Rows that must also have come or changed since the last freeze.

Objects of screens and dialogs live only for a while. Those in use at a freeze are never collected,
which costs a megabyte each time.
"""

GROWING_OBJECTS = 5_000
"""Surviving objects since the last full collection that indicate a large read."""

SOON, LATER = 1, 5
"""Collections of the middle generation before a full one: soon while rows come in, later otherwise,
so that fewer keys wait for it."""

_ALL = 2
"""The generation whose collection is a full one."""


class _FreezePolicy:
    """A `gc` callback that freezes long-lived rows after a full collection."""

    def __init__(self, changes: Callable[[], int]) -> None:
        self._changes = changes
        self._frozen_at = changes()
        self._in_use = 0

    def __call__(self, phase: str, info: Mapping[str, int]) -> None:
        if phase == "stop" and info["generation"] == _ALL:
            before, self._in_use = self._in_use, len(gc.get_objects(generation=_ALL))
            _set_full_collection_after(SOON if self._in_use - before > GROWING_OBJECTS else LATER)
            changes = self._changes()
            if self._in_use >= FREEZE_OBJECTS and changes - self._frozen_at >= FREEZE_ROWS:
                gc.freeze()
                self._frozen_at, self._in_use = changes, 0


def _set_full_collection_after(turns: int) -> None:
    """Run a full collection after so many of the middle generation."""
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, turns)


@contextmanager
def gc_freeze_policy(changes: Callable[[], int]) -> Iterator[None]:
    """Freeze long-lived rows out of the garbage collector while the context lasts.

    Scanning 100,000 rows takes 60 ms, in which no key is answered and nothing is read.

    Args:
        changes: returns the number of rows that came or changed so far; called from any thread.
    """
    before, looks = gc.get_threshold(), _FreezePolicy(changes)
    _set_full_collection_after(SOON)
    gc.callbacks.append(looks)
    try:
        yield
    finally:
        gc.callbacks.remove(looks)
        gc.set_threshold(*before)


REMOTE_FPS, LOCAL_FPS = "15", "240"
"""Frames a second at most: over a link or in a multiplexer, and elsewhere. Immediate effects of a
key are painted at once; later ones wait for the next frame."""

ESCAPE_DELAY = "250"
"""Milliseconds after an ESC in which the rest of a key may arrive over a link."""


def set_frame_rate(environ: MutableMapping[str, str], surroundings: TerminalEnvironment) -> None:
    """Set Textual's frame rate and escape delay in the environment; existing values stay.

    Textual reads them when it is imported.
    """
    environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    environ.setdefault("TEXTUAL_FPS", LOCAL_FPS if surroundings.direct else REMOTE_FPS)
    if surroundings.ssh:
        environ.setdefault("ESCDELAY", ESCAPE_DELAY)
