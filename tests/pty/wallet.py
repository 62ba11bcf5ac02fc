"""The detail of the first wallet, read off the screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from tests.support.terminal import Terminal

PAY_IN = "9000000"
"""Far more than the other users of the sandbox move while a test runs."""

_ID = re.compile(r"Wallet id +([0-9a-f-]{36})")
_AVAILABLE = re.compile(r"Available +([\d,]+\.\d\d)")


@dataclass(frozen=True, slots=True)
class Shown:
    """Values read off the screen."""

    wallet_id: str
    available: Decimal


def open_first(terminal: Terminal) -> Shown:
    """Go to the first wallet by keys; it must be an Active one."""
    terminal.send("3")
    terminal.wait_for(r"▌ \w+ .+ active")
    terminal.send("\r")
    shown = _read(terminal.wait_for(lambda screen: _read(screen) is not None))
    assert shown
    return shown


def raised_by_pay_in(before: Shown) -> Callable[[str], bool]:
    """Return a check for a balance that only our pay-in explains."""

    def raised(screen: str) -> bool:
        now = _read(screen)
        return now is not None and now.available > before.available + Decimal(PAY_IN) * 9 / 10

    return raised


def _read(screen: str) -> Shown | None:
    wallet_id, available = _ID.search(screen), _AVAILABLE.search(screen)
    if not wallet_id or not available:
        return None
    return Shown(wallet_id[1], Decimal(available[1].replace(",", "")))
