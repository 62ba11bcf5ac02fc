"""The service's clock, the heartbeat of the link: a silent screen must not look live."""

from __future__ import annotations

from datetime import datetime

from textual.content import Content
from textual.widget import Widget

from paytui.platform.clock import Zone
from paytui.tui.format.times import clock_seconds
from paytui.tui.theme.themes import TINTED, toned

STEP = 5
"""Seconds between two ticks; each costs about 75 bytes."""


class ClockCell(Widget):
    """`14:02:05 UTC`, in steps of five seconds, with the zone that all times are shown in."""

    DEFAULT_CSS = """
    ClockCell { width: auto; min-width: 13; height: 1; padding-right: 1; }
    """

    def __init__(self, *, is_tinted: bool) -> None:
        super().__init__()
        self._is_tinted = is_tinted
        self._shown = ""

    def tick(self, now: datetime, zone: Zone) -> None:
        """Show the time, rounded down to the step, if that changes anything."""
        shown = clock_seconds(now.replace(second=now.second // STEP * STEP), zone)
        before, self._shown = self._shown, shown
        if shown != before:
            self.refresh(layout=len(shown) != len(before))

    def render(self) -> Content:
        """The time."""
        return Content.styled(self._shown, TINTED) if self._is_tinted else toned(self._shown)
