"""Enter on a confirm step, once the step accepts it."""

from __future__ import annotations

import re

from tests.support.terminal import Terminal

_INTENT = re.compile(r"Intent id +(PT-\w+)")


def confirm(terminal: Terminal, until: str) -> str:
    """Press enter until it is heard, and wait for a screen; returns the name of the intent.

    A review that is longer than the screen is paged to its end: what is not seen is not confirmed.
    However often it is pressed, it is one press: what was confirmed cannot be confirmed again.
    """
    found: list[str] = []

    def heard(screen: str) -> bool:
        if "▼ page down" in screen:
            terminal.send("\x1b[6~")
        elif "⏎ Confirm" in screen:
            terminal.send("\r")
        found[:] = _INTENT.findall(screen)
        return bool(found) and re.search(until, screen) is not None

    terminal.wait_for(heard)
    return found[0]
