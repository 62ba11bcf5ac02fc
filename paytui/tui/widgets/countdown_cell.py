"""The countdown of a rate sheet; as wide as it is, it is all that its tick repaints."""

from __future__ import annotations

from datetime import timedelta

from textual.content import Content
from textual.widget import Widget

from paytui.tui.countdown import BAR, countdown_bar, countdown_words, phase
from paytui.tui.tone import Tone, toned


class CountdownCell(Widget):
    """Words and a bar, in the tone of the phase; blank while there is no sheet."""

    DEFAULT_CSS = f"""
    CountdownCell {{ width: {BAR + 15}; height: 1; }}
    """

    def __init__(self) -> None:
        super().__init__()
        self._shown = Content()

    def show(self, left: timedelta | None) -> None:
        """Show how much is left, if that looks different from before."""
        shown = Content() if left is None else _content(left)
        if not shown.is_same(self._shown):
            self._shown = shown
            self.refresh()

    def render(self) -> Content:
        """Words, then the bar."""
        return self._shown


def _content(left: timedelta) -> Content:
    tone: Tone = phase(left).value
    words = toned(f"{countdown_words(left):>13} ", tone, bold=True)
    bar = countdown_bar(left)
    full = bar.rstrip("─")
    return Content("").join([words, toned(full, tone), toned(bar[len(full) :], Tone.FAINT)])
