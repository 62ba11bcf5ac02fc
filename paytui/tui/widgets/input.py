"""A line of text whose keys are carried out in the order in which they came."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.binding import Binding
from textual.dom import DOMNode
from textual.widgets import Input
from textual.widgets.input import Selection

from paytui.tui import keys
from paytui.tui.widgets.footer import hand_on


class OrderedInput(Input):
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


# The line in which a filter is typed; it is there only while there is one.


class FilterLine(OrderedInput):
    """Carries out its own keys itself, so that those behind `enter` go to the list."""

    BINDINGS = keys.FILTER
    PLACEHOLDER = "words  status:released  ccy:usd  amount>10k  age<1h  -not"

    def __init__(self) -> None:
        super().__init__(self.PLACEHOLDER)
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

    def _show(self, *, yes: bool) -> None:
        self.display = yes
        # A screen that comes into view gives its focus to what is not displayed as well.
        self.can_focus = yes


# The line in which a field of a form is typed.

EDITS = [
    binding
    for binding in Input.BINDINGS
    if isinstance(binding, Binding) and binding.action != "submit"
]
"""What changes the text or moves in it. What an input inherits beside them scrolls it."""


class FormLine(OrderedInput, inherit_bindings=False):
    """Tells at once what is typed, and carries out keys of the form as it does its own.

    So no field gets what was meant for another.
    """

    BINDINGS = [*EDITS, *keys.FORM_LINE]  # noqa: RUF012  (Textual's way; never written to)

    def __init__(self, typed: Callable[[str], None]) -> None:
        super().__init__()
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

    @property
    def _was_left(self) -> bool:
        return self.screen.is_active and super()._was_left

    def _carries_out(self, node: DOMNode) -> bool:
        return node in (self, self.screen)


# The line of a wizard in which something is typed.


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
