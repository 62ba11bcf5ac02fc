"""The line of screens: number, name, and which one this is."""

from __future__ import annotations

from textual.content import Content

from paytui.tui.tone import Tone, toned
from paytui.tui.widgets.edges import Edges

SCREENS: tuple[tuple[str, str, str], ...] = (
    ("1", "overview", "Overview"),
    ("2", "accounts", "Accounts"),
    ("3", "wallets", "Wallets"),
    ("4", "rates", "Rates"),
    ("5", "trades", "Trades"),
    ("6", "payments", "Payments"),
    ("7", "recipients", "Recipients"),
)
"""Key, mode and name. A number stays its screen's for good."""


class Tabs(Edges):
    """Which screens there are; the current one stands out by weight and colour."""

    def __init__(self, current: str) -> None:
        super().__init__()
        self._current = current

    def on_resize(self) -> None:
        """Names give way to numbers where the line is short; the current one keeps its name."""
        whole = Content("").join([self._tab(*screen, named=True) for screen in SCREENS])
        if whole.cell_length > self.size.width:
            whole = Content("").join([self._tab(*screen, named=False) for screen in SCREENS])
        self.say(whole)

    def _tab(self, key: str, mode: str, name: str, *, named: bool) -> Content:
        if mode == self._current:
            return Content.styled(f" {key} {name} ", "bold $background on $accent")
        number = toned(f" {key} ", Tone.ACCENT)
        return number + toned(f"{name} ", Tone.MUTED) if named else number
