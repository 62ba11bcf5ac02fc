"""Processes, as a test sees them from outside."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def is_running(pid: int) -> bool:
    """Return True if a process runs; a zombie does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")


def command_line(pid: int) -> list[str]:
    """The arguments of a process as everybody on the machine can read them."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended since
            found += [int(child) for child in task.read_text().split()]
    return found


def resident_bytes(pid: int) -> int:
    """The memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
