"""One value alone, for a terminal that does not let programs write to its clipboard."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from paytui.tui.screens.dialog import Dialog
from paytui.tui.widgets.text import LongText


class ValueDialog(Dialog[None]):
    """Shows a value whole, with nothing beside it, to be selected."""

    def __init__(self, label: str, value: str) -> None:
        super().__init__()
        self._label = label
        self._value = value

    def compose(self) -> ComposeResult:
        """The value in a box."""
        box = Vertical(LongText(Content(self._value)), classes="box")
        box.border_title = Content(self._label)
        box.border_subtitle = "esc goes back"
        yield box
