"""After SIGSTOP and SIGCONT the dashboard has one key reader and repaints everything."""

from __future__ import annotations

import signal
from functools import partial
from pathlib import Path

import pytest

from tests.support.deadline import eventually
from tests.support.terminal import Terminal

OPENED = b"\x1b[?1049h"
ALL = (b"Overview", b"Balances", b"Today", b"Quit")


def threads(terminal: Terminal) -> int:
    return len(list(Path(f"/proc/{terminal.process.pid}/task").iterdir()))


def is_stopped(terminal: Terminal) -> bool:
    status = Path(f"/proc/{terminal.process.pid}/stat").read_text()
    return status.rpartition(")")[2].split()[0] == "T"


def has_painted_anew(terminal: Terminal, times: int) -> bool:
    """Return True if it opened a screen of its own so often, and painted all of the newest."""
    _, *screens = bytes(terminal.painted).split(OPENED)
    return len(screens) == times and all(words in screens[-1] for words in ALL)


@pytest.mark.slow
def test_what_was_stopped_goes_on_as_it_was(dashboard: Terminal) -> None:
    dashboard.wait_for(r"✓ all lists current(.|\n)*Quit")
    before = threads(dashboard)
    for number in (signal.SIGSTOP, signal.SIGTSTP):
        once_more = dashboard.painted.count(OPENED) + 1
        dashboard.signal(number)
        eventually(lambda: is_stopped(dashboard))
        dashboard.signal(signal.SIGCONT)
        eventually(partial(has_painted_anew, dashboard, once_more))
        eventually(lambda: threads(dashboard) <= before)  # some of them write a file, and end
    dashboard.send("6/stq")
    dashboard.wait_for("0 payments, filtered")
