"""The line of a wizard in which something is typed."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from paytui.tui import keys


class WizardLine(Input):
    """One line of text without a blinking cursor, which would repaint twice a second."""

    BINDINGS = keys.WIZARD_LINE

    def __init__(self) -> None:
        super().__init__(select_on_focus=False, compact=True)
        self.cursor_blink = False
        self.pasted = True
        self.show(yes=False)

    def show(self, *, yes: bool) -> None:
        """Have it seen, or not; what is not seen takes no focus."""
        self.display = yes
        self.can_focus = yes

    async def action_enter(self, _what: str) -> None:
        """Hand it over, behind what was typed before."""
        await self.action_submit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter is called by what it does at the step on view."""
        if action == "enter":
            return self.screen.check_action(str(parameters[0]), ())
        return super().check_action(action, parameters)

    def on_paste(self, event: events.Paste) -> None:
        """Take no paste where one would confirm what nobody typed."""
        if not self.pasted:
            event.prevent_default()
            event.stop()
