"""The line in which a filter is typed; it is there only while there is one."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from paytui.tui import keys
from paytui.tui.widgets.keys_in_order import hand_on


class FilterLine(Input):
    """One line of text without a blinking cursor, which would repaint twice a second."""

    BINDINGS = keys.FILTER
    PLACEHOLDER = "words  status:released  ccy:usd  amount>10k  age<1h  -not"

    def __init__(self) -> None:
        super().__init__(placeholder=self.PLACEHOLDER, select_on_focus=False, compact=True)
        self.cursor_blink = False
        self._show(yes=False)

    def open(self, zone: str) -> None:
        """Show it, ready to be typed in; days are those of this zone."""
        self.placeholder = f"{self.PLACEHOLDER}  days in {zone}"
        self._show(yes=True)
        # At once: the keys that come behind are its text.
        self.screen.set_focus(self)

    def show(self, text: str) -> None:
        """Filter by this, without being typed in; nothing puts it away."""
        self.value = text
        self._show(yes=bool(text))

    def close(self) -> None:
        """Put it away, empty."""
        self.value = ""
        self._show(yes=False)

    async def _on_key(self, event: events.Key) -> None:
        """Carry out its own keys here, so that those behind `enter` go to the list."""
        screen = self.screen
        found = screen.active_bindings.get(event.key)
        if screen.focused not in (None, self):
            event.prevent_default()
            hand_on(event, screen)
        elif found is None or found.node is not self or event.is_printable:
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
        if self.screen.focused not in (None, self):
            hand_on(event, self.screen)
            return
        self.replace(" ".join(event.text.split()), *self.selection)

    def _show(self, *, yes: bool) -> None:
        self.display = yes
        # A screen that comes into view gives its focus to what is not displayed as well.
        self.can_focus = yes
