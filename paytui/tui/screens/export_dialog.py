"""Where an export goes: a name is asked for until the file is written."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from paytui.store.export import ExportError, Format, export_rows, write_file
from paytui.tui.context import Desk
from paytui.tui.format.feeds import counted
from paytui.tui.screens.contents import Contents
from paytui.tui.screens.dialog import Dialog
from paytui.tui.theme.themes import Tone, toned


class ExportDialog(Dialog[None]):
    """Writes rows as they were when it opened."""

    def __init__(self, desk: Desk, contents: Contents, rows: Sequence[object]) -> None:
        super().__init__()
        self._desk = desk
        self._contents = contents
        self._rows = rows
        moment = desk.time.latest()
        self._line = Input(f"{contents.stem}-{moment:%Y%m%d-%H%M%S}.csv", select_on_focus=False)
        self._line.cursor_blink = False
        self._words = Static(markup=False)
        self._written = False

    def compose(self) -> ComposeResult:
        """The name, and what is the matter with it."""
        box = Vertical(self._line, self._words, classes="box")
        box.border_title = f"Export {counted(len(self._rows), self._contents.noun)}"
        box.border_subtitle = "enter writes, esc goes back"
        yield box

    def on_mount(self) -> None:
        """Say which names there are."""
        self._say("The ending decides: .csv, .json or .jsonl", Tone.MUTED)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write the file, or say why not; once it is written, put the dialog away."""
        if self._written:
            self.dismiss(None)
            return
        try:
            path = _path(event.value)
        except (RuntimeError, ValueError):
            self._say("There is no such folder", Tone.CLOSING)
            return
        ending = path.suffix.removeprefix(".").lower()
        if ending not in set(Format):
            self._say("The name must end in .csv, .json or .jsonl", Tone.CLOSING)
            return
        write = partial(
            export_rows, self._contents.listed, self._rows, Format(ending), zone=self._desk.zone
        )
        try:
            # In a thread: a disk far away must not stop the screen.
            await asyncio.to_thread(write_file, path, write)
        except ExportError as error:
            self._say(str(error), Tone.CLOSING)
        else:
            self._written = True
            self._say(f"Written to {path}", Tone.INK)

    def _say(self, words: str, tone: Tone) -> None:
        self._words.update(toned(words, tone))


def _path(typed: str) -> Path:
    return Path(typed).expanduser().absolute()
