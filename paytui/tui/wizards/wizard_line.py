"""The line of a wizard in which something is typed."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


class WizardLine(Input):
    """One line of text without a blinking cursor, which would repaint twice a second."""

    def __init__(self) -> None:
        super().__init__(select_on_focus=False, compact=True)
        self.cursor_blink = False
        self.pasted = True
        self.show(yes=False)

    def show(self, *, yes: bool) -> None:
        """Have it seen, or not; what is not seen takes no focus."""
        self.display = yes
        self.can_focus = yes

    def on_paste(self, event: events.Paste) -> None:
        """Take no paste where one would confirm what nobody typed."""
        if not self.pasted:
            event.prevent_default()
            event.stop()
