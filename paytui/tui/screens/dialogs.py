"""Dialogs of the whole app: quit with open intents, unlock, and one value alone."""

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

MEANING = "It stays open until paytui runs again. It is not tracked meanwhile."


class QuitDialog(Dialog[None]):
    """A warning before quitting that lists open intents and unsent forms; quitting again leaves.

    Args:
        rows: the open intents.
        why_not: the reason why nothing is sent from here; None if sending works.
        unsent: the form entries that would be lost, in words, or "".
        key: the key that quits.
    """

    BINDINGS = keys.LEAVE

    def __init__(self, rows: list[IntentRow], why_not: str | None, unsent: str, key: str) -> None:
        super().__init__()
        self._rows = rows
        self._why_not = why_not
        self._unsent = unsent
        self._key = key

    def compose(self) -> ComposeResult:
        lines = [toned(words, Tone.DOUBT) for words in open_words(self._rows)]
        if self._rows:
            lines += [Content(), toned(self._why_not or MEANING)]
        if self._unsent:
            lines += [*([Content()] if lines else []), toned(self._unsent, Tone.CLOSING)]
        text = Static(Content("\n").join(lines), markup=False)
        box = Vertical(VerticalScroll(text), classes="box")
        box.border_title = "Something is still open" if self._rows else "Something is not sent yet"
        box.border_subtitle = f"{self._key}: quit anyway · esc: stay"
        yield box


class UnlockLine(Input):
    """A text input that ignores pastes: a paste is no deliberate key."""

    def on_paste(self, event: events.Paste) -> None:
        """Ignore a paste by the terminal."""
        event.prevent_default()
        event.stop()

    def action_paste(self) -> None:
        """Ignore a paste by key."""


class UnlockDialog(Dialog[bool]):
    """A lock that opens with the profile's name, and a proof of identity if one is set up.

    Args:
        name: the profile's name.
        prove: runs the further check; returns the reason if it fails.
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
        box = Vertical(self._line, self._words, classes="box")
        box.border_title = "Locked while nobody pressed a key"
        box.border_subtitle = "enter: unlock · esc: back"
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
        self._line.focus()

    def _say(self, words: str) -> None:
        self._words.update(toned(words, Tone.CLOSING))


class ValueDialog(Dialog[None]):
    """A whole value to select by mouse, for terminals whose clipboard programs cannot write."""

    def __init__(self, label: str, value: str) -> None:
        super().__init__()
        self._label = label
        self._value = value

    def compose(self) -> ComposeResult:
        box = Vertical(LongText(Content(self._value)), classes="box")
        box.border_title = Content(self._label)
        box.border_subtitle = "esc goes back"
        yield box
