"""Asks before one leaves while something is still open."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from paytui.intent import IntentRow
from paytui.tui import keys
from paytui.tui.parting import open_words
from paytui.tui.screens.dialog import Dialog
from paytui.tui.tone import Tone, toned


class LeaveDialog(Dialog[None]):
    """Says what is open; to quit again leaves."""

    BINDINGS = keys.LEAVE

    def __init__(self, rows: list[IntentRow]) -> None:
        super().__init__()
        self._rows = rows

    def compose(self) -> ComposeResult:
        """What is open, and what leaving means, in a box."""
        lines = [toned(words, Tone.DOUBT) for words in open_words(self._rows)]
        meaning = "It stays as it is until paytui runs again: nobody looks for it meanwhile."
        lines += [Content(), toned(meaning)]
        text = Static(Content("\n").join(lines), markup=False)
        box = Vertical(VerticalScroll(text), classes="box")
        box.border_title = "Something is still open"
        box.border_subtitle = "q leaves all the same, esc stays"
        yield box
