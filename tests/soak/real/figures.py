"""Resources of a process, as the kernel counts them (proc(5))."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.bench.process import cpu_seconds, pss_bytes
from tests.support.processes import resident_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """At a moment.

    Attributes:
        rss, pss: bytes of memory; of the second, what others share counts in part.
        cpu: seconds of the threads that there are.
    """

    rss: int
    pss: int
    fds: int
    sockets: int
    threads: int
    cpu: float


def figures_of(pid: int) -> Figures:
    """Return the figures of a running process."""
    handles = list(Path(f"/proc/{pid}/fd").iterdir())
    return Figures(
        rss=resident_bytes(pid),
        pss=pss_bytes(pid),
        fds=len(handles),
        sockets=sum(_is_socket(handle) for handle in handles),
        threads=len(list(Path(f"/proc/{pid}/task").iterdir())),
        cpu=cpu_seconds(pid),
    )


def _is_socket(handle: Path) -> bool:
    with suppress(OSError):  # it was closed meanwhile
        return os.readlink(handle).startswith("socket:")  # noqa: PTH115 - it leads nowhere
    return False
