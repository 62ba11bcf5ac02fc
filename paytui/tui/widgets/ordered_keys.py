"""Widgets and text inputs that handle queued keys in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from textual import events
from textual.binding import Binding
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input
from textual.widgets.input import Selection

from paytui.tui import textual_bindings
from paytui.tui.textual_internals import HookedApp, TextSizeMixin


class OrderedKeys(Widget):
    """A widget that runs its key actions itself, before the next key is handled.

    Over a slow link, or from a fast typist, many keys arrive at a time. If a key moves the focus,
    the keys behind it are forwarded to the new focus. Actions run by the app would come too late.
    """

    def __bool__(self) -> bool:
        """Return True, also for an empty list: Textual sends keys only to a truthy focus."""
        return True

    async def on_key(self, event: events.Key) -> None:
        """Run the key's action, or forward the key if an earlier one moved the focus."""
        if other := elsewhere(self):
            forward_input(event, other)
        elif (found := self.screen.active_bindings.get(event.key)) is None:
            event.stop()  # the app would look for it on a screen that comes next
        elif await self.app.run_action(found.binding.action, found.node):
            event.stop()

    def on_paste(self, event: events.Paste) -> None:
        """Forward a paste if an earlier key moved the focus, or else ignore it."""
        event.stop()
        if other := elsewhere(self):
            forward_input(event, other)


def elsewhere(widget: Widget) -> Screen[Any] | None:
    """Return the screen that input belongs to if an earlier key moved the focus, or else None."""
    screen = widget.screen
    if not screen.is_active:
        return widget.app.screen
    return None if screen.focused in (None, widget) else screen


def forward_input(event: events.Key | events.Paste, screen: Screen[Any]) -> None:
    """Forward input to a screen's focus, behind what that has queued."""
    event.stop()
    if not (isinstance(screen.app, HookedApp) and screen.app.holds(event)):
        (screen.focused or screen).post_message(fresh(event))


def fresh(event: events.Key | events.Paste) -> events.Key | events.Paste:
    """Return input as it was typed: a new event of the same time, without the old one's flags."""
    again: events.Key | events.Paste = (
        events.Paste(event.text)
        if isinstance(event, events.Paste)
        else events.Key(event.key, event.character)
    )
    again.time = event.time
    return again


# Inputs

COMPACT = "-textual-compact"  # The class that `Input.compact` sets


class OrderedInput(Input, TextSizeMixin):
    """One line of text, without a blinking cursor, which would repaint twice a second.

    Over a slow link, or from a fast typist, many keys arrive at a time. A key with an action runs
    it here, after the text typed before and before the text typed after.
    """

    def __init__(self, placeholder: str = "") -> None:
        super().__init__(placeholder=placeholder, select_on_focus=False, classes=COMPACT)
        self.set_reactive(Input.compact, True)  # without styling it before it is mounted
        self.cursor_blink = False

    def set_shown(self, *, yes: bool) -> None:
        """Show or hide it; hidden, it takes no focus, even of a screen that comes into view."""
        self.display = yes
        self.can_focus = yes

    async def on_key(self, event: events.Key) -> None:
        """Run the key's action, if it has one; a letter is left to `Input`."""
        if other := elsewhere(self):
            event.prevent_default()
            forward_input(event, other)
            return
        found = self.screen.active_bindings.get(event.key)
        if found and found.node in (self, self.screen) and not event.is_printable:
            event.prevent_default()
            # An action that did nothing, such as copy without a selection, is left to others.
            if await self.app.run_action(found.binding.action, found.node):
                event.stop()

    def on_paste(self, event: events.Paste) -> None:
        """Insert a whole paste; its line ends become blanks."""
        event.prevent_default()
        event.stop()
        if other := elsewhere(self):
            forward_input(event, other)
        else:
            self.replace(" ".join(event.text.split()), *self.selection)


EDITS = [
    binding
    for binding in Input.BINDINGS
    if isinstance(binding, Binding) and binding.action != "submit"
]
"""The bindings of `Input` that edit or move; the inherited ones scroll."""


class FilterLine(OrderedInput, inherit_bindings=False):
    """The filter input of a list, shown only while it is used.

    `completions` returns the texts that complete one.
    """

    BINDINGS = [*EDITS, *textual_bindings.groups("Filter line")]  # noqa: RUF012  (Textual's way; never written to)
    PLACEHOLDER = "words  status:released  ccy:usd  amount>10k  age<1h  -not"

    def __init__(self, completions: Callable[[str], Sequence[str]]) -> None:
        super().__init__(self.PLACEHOLDER)
        self._completions = completions
        self._offered: Sequence[str] = ()
        self.set_shown(yes=False)

    def action_complete(self) -> None:
        """Complete the text; again: go on to the next of several completions."""
        offered = self._offered
        if len(offered) > 1 and self.value in offered:
            chosen = offered[(offered.index(self.value) + 1) % len(offered)]
        else:
            self._offered = self._completions(self.value)
            chosen = next(iter(self._offered), self.value)
        self.value = chosen
        self.cursor_position = len(chosen)

    def open(self, zone: str) -> None:
        """Show and focus it; the placeholder names the zone of days."""
        self.placeholder = f"{self.PLACEHOLDER}  days in {zone}"
        self.set_shown(yes=True)
        # At once: the keys that follow are its text.
        self.screen.set_focus(self)

    def show(self, text: str) -> None:
        self.value = text
        self.set_shown(yes=bool(text))

    def close(self) -> None:
        self.value = ""
        self.set_shown(yes=False)


class TicketLine(OrderedInput, inherit_bindings=False):
    """The input of a ticket; it reports each change and runs the ticket's keys in order.

    So no field receives text meant for another. Some fields accept no pastes.
    """

    BINDINGS = [*EDITS, *textual_bindings.TICKET_LINE]  # noqa: RUF012  (Textual's way; never written to)

    def __init__(self, typed: Callable[[str], None]) -> None:
        super().__init__()
        self._typed = typed
        self._taken_in: str | None = None
        self.pasted = True
        self.set_shown(yes=False)

    def hold(self, text: str, taken_in: str | None = None) -> None:
        """Set the text without reporting it; the cursor moves to its end.

        Args:
            taken_in: the field whose accepted choice this is: typing replaces it. None for other
                text, which typing extends.
        """
        is_come_to = taken_in is not None and taken_in != self._taken_in
        self._taken_in = taken_in
        if text != self.value or is_come_to:
            self.set_reactive(Input.value, text)
            self.selection = Selection(0 if taken_in else len(text), len(text))
            self.refresh()

    def watch_value(self, value: str) -> None:
        self._typed(value)

    def on_paste(self, event: events.Paste) -> None:
        """Ignore a paste in a field that must be typed."""
        if self.pasted:
            super().on_paste(event)
        else:
            event.prevent_default()
            event.stop()

    def action_paste(self) -> None:
        if self.pasted:
            super().action_paste()
