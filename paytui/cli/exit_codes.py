"""How a command ends, for scripts."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit statuses, the same for every command; 1 is Python's own too, after a mistake of ours."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    REFUSED = 3
    UNREACHABLE = 4
    IN_PART = 5
    MOVED = 6
    WARNED = 7
    INTERRUPTED = 130


HELP = """\b
Exit codes:
    0  done
    1  paytui itself failed
    2  wrong usage or configuration
    3  the service refused the client id and secret
    4  the service could not be reached
    5  done in part
    6  the profile leads elsewhere than last time, and nobody has said that it may
    7  of doctor: it works, and something should be mended
  130  interrupted
"""
