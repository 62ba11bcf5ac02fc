"""Asks before one leaves while something is still open, or would be lost."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from paytui.domain.intent import IntentRow
from paytui.tui import keys
from paytui.tui.notifications import open_words
from paytui.tui.screens.dialog import Dialog
from paytui.tui.theme.themes import Tone, toned

MEANING = "It stays as it is until paytui runs again: nobody looks for it meanwhile."


class LeaveDialog(Dialog[None]):
    """Says what is open, and what would be lost; to quit again leaves.

    Args:
        rows: what is open.
        why_not: why nothing is sent from here; None where it is.
        unsent: what of forms would be lost, in words; empty where nothing would.
    """

    BINDINGS = keys.LEAVE

    def __init__(self, rows: list[IntentRow], why_not: str | None, unsent: str, key: str) -> None:
        super().__init__()
        self._rows = rows
        self._why_not = why_not
        self._unsent = unsent
        self._key = key

    def compose(self) -> ComposeResult:
        """What is open, and what leaving means, in a box."""
        lines = [toned(words, Tone.DOUBT) for words in open_words(self._rows)]
        if self._rows:
            lines += [Content(), toned(self._why_not or MEANING)]
        if self._unsent:
            lines += [*([Content()] if lines else []), toned(self._unsent, Tone.CLOSING)]
        text = Static(Content("\n").join(lines), markup=False)
        box = Vertical(VerticalScroll(text), classes="box")
        box.border_title = "Something is still open" if self._rows else "Something is not sent yet"
        box.border_subtitle = f"{self._key} leaves all the same, esc stays"
        yield box
