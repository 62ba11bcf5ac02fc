"""Asks before one leaves while something is still open, or would be lost."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from paytui.domain.intent import IntentRow
from paytui.tui import keys
from paytui.tui.app_base import UnlockCheck
from paytui.tui.notifications import open_words
from paytui.tui.screens.base import Dialog
from paytui.tui.theme.themes import Tone, toned
from paytui.tui.widgets.text import LongText

MEANING = "It stays as it is until paytui runs again: nobody looks for it meanwhile."


class QuitDialog(Dialog[None]):
    """Says what is open, and what would be lost; to quit again leaves.

    Args:
        rows: what is open.
        why_not: why nothing is sent from here; None where it is.
        unsent: what of forms would be lost, in words; empty where nothing would.
    """

    BINDINGS = keys.LEAVE

    def __init__(self, rows: list[IntentRow], why_not: str | None, unsent: str, key: str) -> None:
        super().__init__()
        self._rows = rows
        self._why_not = why_not
        self._unsent = unsent
        self._key = key

    def compose(self) -> ComposeResult:
        """What is open, and what leaving means, in a box."""
        lines = [toned(words, Tone.DOUBT) for words in open_words(self._rows)]
        if self._rows:
            lines += [Content(), toned(self._why_not or MEANING)]
        if self._unsent:
            lines += [*([Content()] if lines else []), toned(self._unsent, Tone.CLOSING)]
        text = Static(Content("\n").join(lines), markup=False)
        box = Vertical(VerticalScroll(text), classes="box")
        box.border_title = "Something is still open" if self._rows else "Something is not sent yet"
        box.border_subtitle = f"{self._key} leaves all the same, esc stays"
        yield box


# Unlocks what was locked while nobody pressed a key.


class UnlockLine(Input):
    """A line that is typed in, and takes no paste: it is no deliberate key."""

    def on_paste(self, event: events.Paste) -> None:
        """Take none of the terminal's."""
        event.prevent_default()
        event.stop()

    def action_paste(self) -> None:
        """Take none of our own."""


class UnlockDialog(Dialog[bool]):
    """Closes once the profile's name was typed, and whatever else is asked has let somebody in.

    Args:
        name: of the profile.
        prove: what else is asked.
    """

    def __init__(self, name: str, prove: UnlockCheck) -> None:
        super().__init__()
        self._name_of_profile = name
        self._prove = prove
        self._line = UnlockLine()
        self._line.cursor_blink = False
        help_words = f"Type {name}, the name of this profile, to go on."
        self._words = Static(toned(help_words, Tone.MUTED), markup=False)

    def compose(self) -> ComposeResult:
        """The line, and what is to be typed in it."""
        box = Vertical(self._line, self._words, classes="box")
        box.border_title = "Locked while nobody pressed a key"
        box.border_subtitle = "enter unlocks, esc goes back"
        yield box

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Unlock, or say why not."""
        if event.value.strip() != self._name_of_profile:
            self._say(f"That is not {self._name_of_profile}. It stays locked.")
        else:
            self._line.disabled = True
            self.run_worker(self._unlock(), group="unlock", exclusive=True)

    async def _unlock(self) -> None:
        self._say("Waiting for the program that lets you in.")
        if why_not := await self._prove():
            self._line.disabled = False
            self._line.focus()
            self._say(why_not)
        else:
            self.dismiss(True)

    def on_mount(self) -> None:
        """Have the line typed in."""
        self._line.focus()

    def _say(self, words: str) -> None:
        self._words.update(toned(words, Tone.CLOSING))


# One value alone, for a terminal that does not let programs write to its clipboard.


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
