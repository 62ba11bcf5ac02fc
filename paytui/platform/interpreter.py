"""Everything that depends on the internals of CPython.

Written for CPython 3.11 to 3.13; `tests/test_private_parts.py` fails if a part changes. An
interpreter without its lock would not need the first.
"""

from __future__ import annotations

import dataclasses
import gc
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
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
    _call_libc("mallopt", _M_ARENA_MAX, 1)


def pause_gc() -> None:
    """Disable the garbage collector: it takes a third of the start, and nothing is garbage yet."""
    gc.disable()


YOUNG = 2_000
"""New objects after which the garbage collector looks at them. With Python's own 700 the first read
of a long list causes 400 collections, three of them full: each holds the interpreter for 15 ms."""


class GcPause:
    """A countdown of calls, the last of which ends the pause."""

    def __init__(self, count: int) -> None:
        self._loading = [None] * count

    def __call__(self) -> None:
        self._loading.pop()
        if not self._loading:
            gc.freeze()  # objects that exist now are never scanned
            gc.set_threshold(YOUNG)
            gc.enable()


def release_memory() -> None:
    """Return free memory to the operating system, which glibc keeps after a large read: 12 MB."""
    _call_libc("malloc_trim", 0)


def _call_libc(name: str, *arguments: int) -> None:
    """Call a function of the C library, unless that lacks it."""
    import ctypes  # takes 5 ms

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None)[name](*arguments)


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
