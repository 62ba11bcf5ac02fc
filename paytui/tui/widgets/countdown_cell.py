"""The countdown of a rate sheet; as wide as it is, it is all that its tick repaints."""

from __future__ import annotations

from datetime import timedelta

from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget

from paytui.tui.format.countdown import BAR, countdown_bar, countdown_words, phase
from paytui.tui.theme.themes import Tone, toned

WORDS = 14
"""Cells before the bar."""


class CountdownCell(Widget):
    """Words and a bar, in the tone of the phase; blank while there is no sheet."""

    DEFAULT_CSS = f"""
    CountdownCell {{ width: {WORDS + BAR + 1}; height: 1; }}
    """

    def __init__(self) -> None:
        super().__init__()
        self._shown = Content()

    def show(self, left: timedelta | None) -> None:
        """Show how much is left, if that looks different from before."""
        shown = Content() if left is None else _content(left)
        before, self._shown = self._shown, shown
        if not shown[WORDS:].is_same(before[WORDS:]):
            self.refresh()
        elif not shown.is_same(before):
            self.refresh(Region(0, 0, WORDS, 1))

    def render(self) -> Content:
        """Words, then the bar."""
        return self._shown


def _content(left: timedelta) -> Content:
    tone: Tone = phase(left).value
    words = toned(f"{countdown_words(left):>{WORDS - 1}} ", tone, bold=True)
    bar = countdown_bar(left)
    full = bar.rstrip("─")
    return Content("").join([words, toned(full, tone), toned(bar[len(full) :], Tone.FAINT)])
