"""The list of payments on a dashboard: opening it, moving in it, and reading it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from paytui.store.rows_in_memory import NEWEST
from tests.bench.desk import BALANCE, Desk
from tests.bench.program import Program
from tests.bench.screen import Screen

STILL = "[display]\nheartbeat = false\n"
"""Lines of a configuration, so that nothing is painted but what keys bring."""

PAGE_DOWN, PAGE_UP = "\x1b[6~", "\x1b[5~"

MOVES: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "Cursor": ("j" * 9 + "k" * 9),
        "Page": ((PAGE_DOWN,) * 6 + (PAGE_UP,) * 6),
        "Screen": "3625716",
    }
)
"""Keys of each kind, which end where they began: on the list, at its top."""

LONGEST_SYNC = 400.0
HEADING = "Amount  Ccy"  # not in the title, as an order may be


def open_payments(desk: Desk, program: Program, count: int) -> None:
    """Be once on each screen, and then on the list, with all that there are."""
    program.wait_for(BALANCE)
    for screen in "2345786":
        program.press(screen)
        program.rest(0.2, 5)
    program.wait_for(rf"^ {count:,} payments", LONGEST_SYNC)
    if count > NEWEST:
        desk.wait_for_indexes(LONGEST_SYNC)
    program.rest(0.5, 10)


def rows(screen: Screen) -> tuple[str, ...]:
    """Return the rows of the list, between its headings and the lines of its sums and of keys."""
    for y, line in enumerate(screen.lines):
        if HEADING in line:
            return tuple(screen.lines[y + 1 : -2])
    return ()


def headings(screen: Screen) -> str:
    """Return the line of the headings, which names the order."""
    return next((line for line in screen.lines if HEADING in line), "")
