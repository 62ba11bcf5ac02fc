"""The cost of a process, as the kernel counts it (proc(5))."""

from __future__ import annotations

import time
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process and its threads, ended ones too: the clock of Linux for it."""
    return time.clock_gettime((~pid << 3) | 2)


def first_thread_seconds(pid: int) -> float:
    """The CPU time of the thread that a process began with; none of one that is gone."""
    try:
        return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0


def waited_seconds() -> float:
    """Return how long this thread has waited for a processor since it began."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


def pss_bytes(pid: int) -> int:
    """The memory of a process; what it shares with others counts in part."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"nothing is told of the memory of process {pid}")
