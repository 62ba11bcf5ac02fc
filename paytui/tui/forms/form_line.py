"""The line in which a field of a form is typed."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.binding import Binding
from textual.widgets import Input
from textual.widgets.input import Selection

from paytui.tui import keys
from paytui.tui.widgets.keys_in_order import hand_on

EDITS = [
    binding
    for binding in Input.BINDINGS
    if isinstance(binding, Binding) and binding.action != "submit"
]
"""What changes the text or moves in it. What an input inherits beside them scrolls it."""


class FormLine(Input, inherit_bindings=False):
    """One line of text without a blinking cursor, which would repaint twice a second.

    Keys often come many at a time, over a slow link or out of quick fingers. What is typed is told
    at once, and a key of the form or of the line itself is carried out here, behind what was typed
    before it and ahead of what comes after: no field gets what was meant for another.
    """

    BINDINGS = [*EDITS, *keys.FORM_LINE]  # noqa: RUF012  (Textual's way; never written to)

    def __init__(self, typed: Callable[[str], None]) -> None:
        super().__init__(select_on_focus=False, compact=True)
        self.cursor_blink = False
        self._typed = typed
        self._taken_in: str | None = None

    def hold(self, text: str, taken_in: str | None = None) -> None:
        """Hold this, as if it had always done so; the cursor stays where it is typed.

        Args:
            text: what to hold.
            taken_in: the field of which it is a choice that was taken, and that what is typed
                first replaces; None of other text, to which it is added.
        """
        is_come_to = taken_in is not None and taken_in != self._taken_in
        self._taken_in = taken_in
        if text != self.value or is_come_to:
            self.set_reactive(Input.value, text)
            self.selection = Selection(0 if taken_in else len(text), len(text))
            self.refresh()

    def watch_value(self, value: str) -> None:
        """Tell what is typed."""
        self._typed(value)

    async def _on_key(self, event: events.Key) -> None:
        screen = self.screen
        if screen.is_active and screen.focused not in (None, self):
            # What was typed before it led on to something else, whose it is.
            event.prevent_default()
            hand_on(event, screen)
            return
        found = screen.active_bindings.get(event.key)
        is_ours = found is not None and found.node in (self, self.screen)
        if found is None or not is_ours or event.is_printable:
            await super()._on_key(event)
            return
        event.prevent_default()
        # What does nothing here, as copying where nothing is selected, may mean something else.
        if await self.app.run_action(found.binding.action, found.node):
            event.stop()

    def on_paste(self, event: events.Paste) -> None:
        """Take all of a paste, also where it has more than one line."""
        event.prevent_default()
        event.stop()
        screen = self.screen
        if screen.is_active and screen.focused not in (None, self):
            hand_on(event, screen)
            return
        self.replace(" ".join(event.text.split()), *self.selection)
