"""Enter on a confirm step, once the step accepts it."""

from __future__ import annotations

import re

from tests.support.deadline import Deadline
from tests.support.terminal import Terminal

AGAIN = 5.0
"""Seconds after which enter is pressed again if nothing came of it."""

_INTENT = re.compile(r"Intent id +(PT-\w{8})")
_TOO_EARLY = re.compile("wait a moment|scroll to the end")


def confirm(terminal: Terminal, until: str) -> str:
    """Press enter until it is heard, and wait for a screen; returns the name of the intent.

    A review that is longer than the screen is paged to its end: what is not seen is not confirmed.
    What came too early is pressed again once the step says so no more. Any other enter could come
    behind the one that is heard, and leave the outcome.
    """
    found: list[str] = []
    again, was_early = Deadline(0), False

    def heard(screen: str) -> bool:
        nonlocal again, was_early
        is_early = _TOO_EARLY.search(screen) is not None
        if "▼ page down" in screen:
            terminal.send("\x1b[6~")
        elif "⏎ Confirm" in screen and (again.over or (was_early and not is_early)):
            terminal.send("\r")
            again = Deadline(AGAIN)
        was_early = is_early
        found[:] = _INTENT.findall(screen)
        return bool(found) and re.search(until, screen) is not None

    terminal.wait_for(heard)
    return found[0]
