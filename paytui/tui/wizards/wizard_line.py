"""The line of a wizard in which something is typed."""

from __future__ import annotations

from collections.abc import Callable

from textual import events

from paytui.tui import keys
from paytui.tui.forms.form_line import FormLine


class WizardLine(FormLine):
    """A line as forms have it, which is there at some steps, and takes no paste at others."""

    BINDINGS = keys.WIZARD_LINE

    def __init__(self, typed: Callable[[str], None]) -> None:
        super().__init__(typed)
        self.pasted = True
        self.show(yes=False)

    def show(self, *, yes: bool) -> None:
        """Have it seen, or not; what is not seen takes no focus."""
        self.display = yes
        self.can_focus = yes

    def on_paste(self, event: events.Paste) -> None:
        """Take no paste where one would confirm what nobody typed."""
        if self.pasted:
            super().on_paste(event)
        else:
            event.prevent_default()
            event.stop()

    def action_paste(self) -> None:
        """Nor what was copied out of a line of ours."""
        if self.pasted:
            super().action_paste()
