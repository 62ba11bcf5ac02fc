"""A line of text whose keys are carried out in the order in which they came."""

from __future__ import annotations

from textual import events
from textual.dom import DOMNode
from textual.widgets import Input

from paytui.tui.widgets.keys_in_order import hand_on


class TypedLine(Input):
    """One line of text without a blinking cursor, which would repaint twice a second.

    Keys often come many at a time, over a slow link or out of quick fingers. One that means
    something is carried out here, behind what was typed before it and ahead of what comes after.
    """

    def __init__(self, placeholder: str = "") -> None:
        super().__init__(placeholder=placeholder, select_on_focus=False, compact=True)
        self.cursor_blink = False

    @property
    def _was_left(self) -> bool:
        """Whether what comes was typed behind a key that led on to something else, whose it is."""
        return self.screen.focused not in (None, self)

    def _carries_out(self, node: DOMNode) -> bool:
        """Whether a key that means something there is carried out here."""
        return node is self

    async def _on_key(self, event: events.Key) -> None:
        screen = self.screen
        found = screen.active_bindings.get(event.key)
        if self._was_left:
            event.prevent_default()
            hand_on(event, screen)
        elif found is None or not self._carries_out(found.node) or event.is_printable:
            await super()._on_key(event)
        else:
            event.prevent_default()
            # What does nothing here, as copying where nothing is selected, may mean something else.
            if await self.app.run_action(found.binding.action, found.node):
                event.stop()

    def on_paste(self, event: events.Paste) -> None:
        """Take all of a paste, also where it has more than one line: none of them is an enter."""
        event.prevent_default()
        event.stop()
        if self._was_left:
            hand_on(event, self.screen)
        else:
            self.replace(" ".join(event.text.split()), *self.selection)
