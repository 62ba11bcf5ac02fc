"""The line in which a field of a form is typed."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


class FormLine(Input):
    """One line of text without a blinking cursor, which would repaint twice a second."""

    def __init__(self) -> None:
        super().__init__(select_on_focus=False, compact=True)
        self.cursor_blink = False

    def hold(self, text: str) -> None:
        """Hold this, as if it had always done so; the cursor stays where it is typed."""
        if text != self.value:
            with self.prevent(Input.Changed):
                self.value = text
            self.cursor_position = len(text)

    def on_paste(self, event: events.Paste) -> None:
        """Take all of a paste, also where it has more than one line."""
        event.prevent_default()
        event.stop()
        self.insert_text_at_cursor(" ".join(event.text.split()))
