"""Gauges of a process: resources in use, and work done so far."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Resources that must not grow after the first hour.

    Attributes:
        rss: KiB of memory.
        blocks: pieces of memory that Python objects have.
        outbox, cache: bytes of their files.
    """

    rss: float
    blocks: float
    tasks: float
    fds: float
    threads: float
    sockets: float
    outbox: float
    cache: float


GAUGES = tuple(field.name for field in fields(Held))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(Held):
    """A measurement at one time.

    Attributes:
        hours: since the start.
        rows: in the store.
        requests, sign_ins: so far.
        trouble: requests so far with which something went wrong on purpose.
        off: seconds that a countdown was off the most since the sample before.
        swallowed: errors so far that nobody was shown.
    """

    hours: float
    rows: float
    requests: float
    sign_ins: float
    trouble: float
    off: float
    swallowed: float


_FIELDS = tuple(field.name for field in fields(Sample))


class Samples:
    """All samples of a run in one block of memory, to keep out of the measurement."""

    def __init__(self) -> None:
        self._numbers = array("d")

    def add(self, sample: Sample) -> None:
        """Add a sample."""
        self._numbers.extend(getattr(sample, name) for name in _FIELDS)

    def __iter__(self) -> Iterator[Sample]:
        length = len(_FIELDS)
        for start in range(0, len(self._numbers), length):
            numbers = self._numbers[start : start + length]
            yield Sample(**dict(zip(_FIELDS, numbers, strict=True)))


def held(folder: Path) -> Held:
    """Return the present resources of this process, with the files of a folder."""
    gc.collect()
    handles = os.listdir("/proc/self/fd")  # noqa: PTH208 - names are all that is wanted
    return Held(
        rss=int(Path("/proc/self/statm").read_text().split()[1])
        * os.sysconf("SC_PAGE_SIZE")
        / 1024,
        blocks=sys.getallocatedblocks(),
        tasks=len(asyncio.all_tasks()),
        fds=len(handles),
        threads=threading.active_count(),
        sockets=sum(_is_socket(handle) for handle in handles),
        outbox=_bytes(folder.rglob("*.outbox.sqlite*")),
        cache=_bytes(folder.rglob("*.cache.sqlite*")),
    )


def _bytes(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files)


def _is_socket(handle: str) -> bool:
    with suppress(OSError):  # the one that listed them
        return os.readlink(f"/proc/self/fd/{handle}").startswith("socket:")  # noqa: PTH115 - it leads nowhere
    return False
