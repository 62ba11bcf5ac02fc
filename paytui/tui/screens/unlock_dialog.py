"""Unlocks what was locked while nobody pressed a key."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from paytui.tui.app_base import Prove
from paytui.tui.screens.dialog import Dialog
from paytui.tui.theme.themes import Tone, toned


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

    def __init__(self, name: str, prove: Prove) -> None:
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
