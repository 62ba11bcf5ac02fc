"""One setting, to be changed: chosen from a list, or typed until it will do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from paytui.config.errors import ConfigError
from paytui.tui.screens.dialog import Dialog
from paytui.tui.settings import Setting
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import Ledger
from paytui.tui.theme.themes import Cell, Tone, toned

Choose = Callable[[object], Awaitable[None]]


class ChangeDialog(Dialog[None]):
    """Closes once what was chosen holds."""

    def __init__(self, setting: Setting, choose: Choose) -> None:
        super().__init__()
        self._setting = setting
        self._choose = choose
        self._words = Static(toned(setting.help, Tone.MUTED), markup=False)
        self._line = Input(setting.typed, select_on_focus=True)
        self._line.cursor_blink = False
        self._options: Ledger[str, str] = Ledger(
            (Column(title=setting.name, cell=Cell, width=20, grows=True),),
            lambda option: option,
            opened=self._take_option,
        )

    def compose(self) -> ComposeResult:
        """The line or the list, and what is to be known of it."""
        chooses = bool(self._setting.options)
        box = Vertical(self._options if chooses else self._line, self._words, classes="box")
        box.border_title = self._setting.name
        box.border_subtitle = f"enter {'chooses' if chooses else 'sets it'}, esc goes back"
        yield box

    def on_mount(self) -> None:
        """Put the cursor on what it is now."""
        if self._setting.options:
            self._options.styles.height = len(self._setting.options) + 1
            self._options.replace(self._setting.options)
            self._options.move_to(self._setting.value)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Set what was typed, or say why not."""
        await self._take(event.value)

    def _take_option(self, option: str) -> None:
        self.run_worker(self._take(option), group="take")

    async def _take(self, chosen: str) -> None:
        try:
            await self._choose(self._setting.takes(chosen))
        except ConfigError as error:
            self._words.update(toned(f"It {error.message}. {error.remedy}", Tone.CLOSING))
        else:
            self.dismiss(None)
