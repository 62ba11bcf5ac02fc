"""The line of screens: number, name, and which one this is."""

from __future__ import annotations

from textual.content import Content

from paytui.tui.tone import Tone, toned
from paytui.tui.widgets.edges import Edges

SCREENS: tuple[tuple[str, str, str], ...] = (
    ("1", "overview", "Overview"),
    ("3", "wallets", "Wallets"),
    ("4", "rates", "Rates"),
    ("6", "payments", "Payments"),
)
"""Key, mode and name. A number stays its screen's for good."""


class Tabs(Edges):
    """Which screens there are; the current one stands out by weight and colour."""

    def __init__(self, current: str) -> None:
        super().__init__()
        self._current = current

    def on_mount(self) -> None:
        """Say it once."""
        self.say(Content("  ").join([self._tab(*screen) for screen in SCREENS]))

    def _tab(self, key: str, mode: str, name: str) -> Content:
        if mode == self._current:
            return Content.styled(f" {key} {name} ", "bold $background on $accent")
        return Content(" ").join([toned(f" {key}", Tone.ACCENT), toned(f"{name} ", Tone.MUTED)])
