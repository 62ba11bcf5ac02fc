"""The line of screens: number, name, and which one this is."""

from __future__ import annotations

from textual.content import Content

from paytui.tui.theme.themes import Tone, toned
from paytui.tui.widgets.edges import Edges

SCREENS: tuple[tuple[str, str, str], ...] = (
    ("1", "overview", "Overview"),
    ("2", "accounts", "Accounts"),
    ("3", "wallets", "Wallets"),
    ("4", "rates", "Rates"),
    ("5", "trades", "Trades"),
    ("6", "payments", "Payments"),
    ("7", "recipients", "Recipients"),
    ("8", "activity", "Activity"),
)
"""Key, mode and name. A number stays its screen's for good."""

SHORT = {"activity": "Log"}
"""What makes all names fit into 80 cells."""


class Tabs(Edges):
    """Which screens there are; the current one stands out by weight and colour."""

    def __init__(self, current: str) -> None:
        super().__init__()
        self._current = current

    def on_resize(self) -> None:
        """Room gives way first, then names; the current screen keeps its own."""
        forms = (self._roomy, self._tight, self._number)
        lines = (Content("").join([form(*screen) for screen in SCREENS]) for form in forms)
        fitting = (line for line in lines if line.cell_length <= self.size.width)
        self.say(next(fitting, Content("").join([self._number(*screen) for screen in SCREENS])))

    def _roomy(self, key: str, mode: str, name: str) -> Content:
        if mode == self._current:
            return _current(key, name)
        return _number(key) + toned(f" {name} ", Tone.MUTED)

    def _tight(self, key: str, mode: str, name: str) -> Content:
        short = SHORT.get(mode, name)
        if mode == self._current:
            return _current(key, short)
        return _number(key) + toned(f" {short}", Tone.MUTED)

    def _number(self, key: str, mode: str, name: str) -> Content:
        return _current(key, name) if mode == self._current else _number(key) + Content(" ")


def _current(key: str, name: str) -> Content:
    return Content.styled(f" {key} {name} ", "bold $background on $accent")


def _number(key: str) -> Content:
    return toned(f" {key}", Tone.ACCENT)
