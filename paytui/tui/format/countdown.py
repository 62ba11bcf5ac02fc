"""The countdown of a rate sheet: phase, words and bar."""

from __future__ import annotations

import math
from datetime import timedelta
from enum import Enum

from paytui.tui.theme.themes import Tone

SHEET_LIFETIME = timedelta(seconds=150)
"""Rate sheet validity: 2.5 minutes (service.md §8)."""

CLOSING, LAST, CALM_STEP = 30, 10, 5
"""Seconds left from which a sheet is closing, then in its last moments; step while calm."""

BAR = 16
"""Cells of the bar."""


class Phase(Enum):
    """The urgency of a countdown; the value is the tone."""

    CALM = Tone.ACCENT
    CLOSING = Tone.CLOSING
    LAST = Tone.DOWN
    EXPIRED = Tone.EXPIRED


def phase(left: timedelta) -> Phase:
    """Return the phase for the time left; a rate is good strictly before its end."""
    seconds = left.total_seconds()
    if seconds <= 0:
        return Phase.EXPIRED
    if seconds <= LAST:
        return Phase.LAST
    return Phase.CLOSING if seconds <= CLOSING else Phase.CALM


def countdown_words(left: timedelta) -> str:
    """Return `ends in 1:45`; in steps of 5 s while calm, then each second; at last `expired`."""
    seconds = int(left.total_seconds())
    match phase(left):
        case Phase.EXPIRED:
            return "expired"
        case Phase.LAST:
            return f"LAST {_minutes(seconds)}"
        case Phase.CLOSING:
            return f"closing {_minutes(seconds)}"
        case Phase.CALM:
            return f"ends in {_minutes(seconds // CALM_STEP * CALM_STEP)}"


def countdown_bar(left: timedelta) -> str:
    """Return a bar of the time left: `███████─────`; while calm, in coarse steps."""
    seconds = left.total_seconds()
    if phase(left) is Phase.CALM:
        seconds = seconds // CALM_STEP * CALM_STEP
    share = max(0.0, min(1.0, seconds / SHEET_LIFETIME.total_seconds()))
    full = math.ceil(share * BAR)
    return "█" * full + "─" * (BAR - full)


def _minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"
