"""The detail of the first wallet, as it stands on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from tests.support.terminal import Terminal

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_AVAILABLE = re.compile(r"Available +([\d,.]+)")


def open_first(terminal: Terminal) -> str:
    """Go to the first wallet by keys; returns its identifier. It must be an Active one."""
    terminal.send("3")
    terminal.wait_for(r"▌ \w+ .+ active")
    terminal.send("\r")
    match = _ID.search(terminal.wait_for(_ID.pattern))
    assert match
    return match.group()


def available(screen: str) -> Decimal:
    """The available balance on a screen that shows one wallet."""
    match = _AVAILABLE.search(screen)
    assert match, screen
    return Decimal(match.group(1).replace(",", ""))


PAY_IN = "9000000"
"""Far more than the other users of the sandbox move while a test runs."""


def raised_by_pay_in(before: Decimal) -> Callable[[str], bool]:
    """Whether a screen shows a balance that only our pay-in explains."""
    return lambda screen: available(screen) > before + Decimal(PAY_IN) * 9 / 10
