"""Everything that depends on the internals of CPython.

Written for CPython 3.11 to 3.13; `tests/test_private_parts.py` fails if a part changes. A collector
without generations, or an interpreter without its lock, would need none of the first two.
"""

from __future__ import annotations

import dataclasses
import gc
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import ctypes
    import ssl
    import types

SWITCH_INTERVAL = 0.0005
"""Seconds for which one thread may hold the interpreter. Ten short waits of the screens beside a
busy worker take 10 ms; with Python's own 0.005 they take 55 ms."""


def share_interpreter() -> None:
    """Have threads switch often, for the screens' sake."""
    sys.setswitchinterval(SWITCH_INTERVAL)


_M_ARENA_MAX = -8  # From glibc's malloc.h


def share_heap() -> None:
    """Have all threads that are started from now on allocate from one heap.

    glibc gives each a heap of its own, which keeps what was freed: 8 MB after a large read.
    """
    if (libc := _libc()) is not None and hasattr(libc, "mallopt"):
        libc.mallopt(_M_ARENA_MAX, 1)


def pause_gc() -> None:
    """Disable the garbage collector: it takes a third of the start, and nothing is garbage yet."""
    gc.disable()


class GcPause:
    """A countdown of calls, the last of which ends the pause."""

    def __init__(self, count: int) -> None:
        self._loading = [None] * count

    def __call__(self) -> None:
        self._loading.pop()
        if not self._loading:
            gc.freeze()  # objects that exist now are never scanned
            gc.enable()


FREEZE_SECONDS = 0.004
"""CPU time of a full collection from which on the objects that it scanned are frozen.

Objects are not counted: the list that `gc.get_objects` returns refers to tuples that another thread
is building, which fail there with `SystemError`.
"""

FREEZE_ROWS = 5_000
"""Rows that must also have come or changed since the last freeze.

Objects of screens and dialogs live only for a while. Those in use at a freeze are never collected,
which costs a megabyte each time.
"""

GROWING_ROWS = 1_000
"""Rows that came or changed since the last full collection that indicate a large read."""

SOON, LATER = 1, 5
"""Collections of the middle generation before a full one: soon while rows come in, later otherwise,
so that fewer keys wait for it."""

_ALL = 2  # The generation whose collection is a full one


class _FreezePolicy:
    """A `gc` callback that freezes long-lived rows after a slow full collection."""

    def __init__(self, changes: Callable[[], int], cpu_time: Callable[[], float]) -> None:
        self._changes = changes
        self._cpu_time = cpu_time
        self._began = 0.0
        self._frozen_at = self._collected_at = changes()

    def __call__(self, phase: str, info: Mapping[str, int]) -> None:
        if info["generation"] != _ALL:
            return
        if phase == "start":
            self._began = self._cpu_time()
            return
        took = self._cpu_time() - self._began
        before, self._collected_at = self._collected_at, self._changes()
        grows = self._collected_at - before >= GROWING_ROWS
        _set_full_collection_after(SOON if grows else LATER)
        if took >= FREEZE_SECONDS and self._collected_at - self._frozen_at >= FREEZE_ROWS:
            gc.freeze()
            self._frozen_at = self._collected_at


def _set_full_collection_after(turns: int) -> None:
    """Run a full collection after so many of the middle generation."""
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, turns)


@contextmanager
def gc_freeze_policy(
    changes: Callable[[], int], cpu_time: Callable[[], float] = time.thread_time
) -> Iterator[None]:
    """Freeze long-lived rows out of the garbage collector while the context lasts.

    Scanning 100,000 rows takes 60 ms, in which no key is answered and nothing is read.

    Args:
        changes: returns the number of rows that came or changed so far; called from any thread.
        cpu_time: returns the seconds that the calling thread has run.
    """
    before, looks = gc.get_threshold(), _FreezePolicy(changes, cpu_time)
    _set_full_collection_after(SOON)
    gc.callbacks.append(looks)
    try:
        yield
    finally:
        gc.callbacks.remove(looks)
        gc.set_threshold(*before)


def release_memory() -> None:
    """Return free memory to the operating system, which glibc keeps after a large read: 12 MB."""
    if (libc := _libc()) is not None and hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)


def _libc() -> ctypes.CDLL | None:
    import ctypes  # takes 5 ms

    with suppress(OSError):
        return ctypes.CDLL(None)
    return None


T = TypeVar("T")


def make_blank(cls: type[T], count: int) -> list[T]:
    """Make objects of a dataclass with slots, with no field set."""
    return [object.__new__(cls) for _ in range(count)]


def slot_setters(cls: type) -> dict[str, Callable[[object, object], None]]:
    """Return a setter for each field of a dataclass with slots; it works on a frozen one, too.

    The `__init__` of a frozen dataclass takes three times as long: 10 ms for 5,000 payments.
    """
    slots: dict[str, types.MemberDescriptorType] = {
        field.name: getattr(cls, field.name) for field in dataclasses.fields(cls)
    }
    return {name: slot.__set__ for name, slot in slots.items()}


def verified_chain(connection: ssl.SSLObject | ssl.SSLSocket) -> Sequence[bytes]:
    """Return the verified chain in DER; before Python 3.13 only a private method has it."""
    if sys.version_info >= (3, 13):
        return connection.get_verified_chain()
    import _ssl

    chain = connection._sslobj.get_verified_chain()  # type: ignore[union-attr]  # noqa: SLF001
    return [each.public_bytes(_ssl.ENCODING_DER) for each in chain]
