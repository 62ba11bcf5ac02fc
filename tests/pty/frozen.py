"""A terminal at the end of a stalled link."""

from __future__ import annotations

from tests.support.terminal import Terminal


def jam(terminal: Terminal) -> None:
    """Freeze a terminal and have so much painted that the program can write no more."""
    terminal.freeze()
    for _ in range(40):
        terminal.send("4136")
