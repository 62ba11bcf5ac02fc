"""The service's clock, the heartbeat of the link: a silent screen must not look live."""

from __future__ import annotations

from datetime import UTC, datetime

from textual.content import Content
from textual.widget import Widget

from paytui.tui.tone import Tone, toned

STEP = 5
"""Seconds between two ticks; each costs about 75 bytes."""


class ClockCell(Widget):
    """`14:02:05 UTC`, in steps of five seconds."""

    DEFAULT_CSS = """
    ClockCell { width: 13; height: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""

    def tick(self, now: datetime) -> None:
        """Show the time, rounded down to the step, if that changes anything."""
        utc = now.astimezone(UTC)
        shown = utc.replace(second=utc.second // STEP * STEP).strftime("%H:%M:%S UTC")
        if shown != self._shown:
            self._shown = shown
            self.refresh()

    def render(self) -> Content:
        """The time."""
        return toned(self._shown, Tone.INK)
