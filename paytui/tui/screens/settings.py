"""Settings: those that can be changed on screen, their list, and the dialog that changes one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import get_args

from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Input, Static

from paytui.config.key_bindings import first_key
from paytui.config.settings import Characters, Colours, Display, KeyScheme, Settings, TimeZone
from paytui.config.validation import ConfigError, KeyPath
from paytui.domain.money import CurrencyCode, format_amount
from paytui.tui import textual_bindings
from paytui.tui.base_screens import BaseScreen, Dialog
from paytui.tui.format.cells import Cell, Tone, toned
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import DataList
from paytui.tui.ui_context import SettingsChanged, UiContext
from paytui.tui.widgets.text import RuleLine

MINUTE = 60

ALWAYS = "0 (every amount)"
"""Shown for a currency without a limit: every amount is confirmed by typing it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting.

    Attributes:
        value: the present value, as shown and typed.
        options: the choices; () if it is typed.
        takes: converts the option or the typed text to the configuration's value.
    """

    key: KeyPath
    name: str
    value: str
    help: str
    options: tuple[str, ...] = ()
    takes: Callable[[str], object] = str.strip

    @property
    def place(self) -> str:
        """Return its dotted key: `display.theme`."""
        return ".".join(self.key)


def _display(settings: Settings, themes: Sequence[str]) -> Iterator[Setting]:
    display, turn = settings.display, first_key(settings.keys, "app.zone")
    explained = {**Display.explanations(), "theme": "Colours."}
    explained["time_zone"] += f" `{turn}` switches for a while."
    explained["key_scheme"] += " `?`: all keys. One key: [keys] in your file."
    choices = (
        ("theme", "Theme", themes),
        ("colours", "Colours", get_args(Colours)),
        ("characters", "Characters", get_args(Characters)),
        ("time_zone", "Times", get_args(TimeZone)),
        ("key_scheme", "Keys", get_args(KeyScheme)),
    )
    for key, name, options in choices:
        yield Setting(
            key=("display", key),
            name=name,
            value=getattr(display, key),
            help=explained[key],
            options=tuple(options),
        )
    yield Setting(
        key=("display", "heartbeat"),
        name="Heartbeat",
        value="on" if display.heartbeat else "off",
        help=explained["heartbeat"],
        options=("on", "off"),
        takes=lambda option: option == "on",
    )


def _limits(settings: Settings, currencies: Sequence[CurrencyCode]) -> Iterator[Setting]:
    profile = settings.profile
    for currency in currencies:
        limit, where = profile.confirm_above.get(currency), ""
        if not profile.live:
            operators = profile.always_typed_above.get(currency)
            holds = "never" if operators is None else "only above the operator's limit"
            limit = limit if operators is None else operators
            where = f" This profile is not live: {holds} here."
        yield Setting(
            key=("profiles", profile.name, "confirm_above", currency),
            name=f"Retype {currency} amounts above",
            value=ALWAYS if limit is None else format_amount(limit, currency),
            help="On a live profile, larger amounts are retyped before sending; without a limit, "
            f"every amount. Example: 250000.{where}",
            takes=_digits,
        )


def _polling(settings: Settings) -> Iterator[Setting]:
    polling = settings.polling
    yield Setting(
        key=("polling", "paused"),
        name="Polling",
        value="paused" if polling.paused else "on",
        help="While paused, only `r` reads. Sending continues.",
        options=("on", "paused"),
        takes=lambda option: option == "paused",
    )
    yield Setting(
        key=("polling", "floor"),
        name="Minimum time between reads",
        value=_seconds(polling.floor),
        help="At least 1s. Example: 2s.",
    )
    for kind, interval in polling.intervals.items():
        yield Setting(
            key=("polling", kind.value),
            name=f"Read {kind.value.replace('_', ' ').replace('payin', 'pay-in')} every",
            value=_seconds(interval),
            help="Seconds, minutes or hours: 30s, 5m, 1h. Never below the minimum.",
        )


def _digits(typed: str) -> str:
    return typed.strip().replace(",", "").replace("_", "")


def _seconds(interval: timedelta) -> str:
    seconds = interval.total_seconds()
    return f"{seconds / MINUTE:g}m" if seconds % MINUTE == 0 else f"{seconds:g}s"


class ChangeDialog(Dialog[None]):
    """A list or a line for one setting's value; it closes once the value is valid and set."""

    def __init__(self, setting: Setting, choose: Callable[[object], Awaitable[None]]) -> None:
        super().__init__()
        self._setting = setting
        self._choose = choose
        self._words = Static(toned(setting.help, Tone.MUTED), markup=False)
        typed = "" if setting.value == ALWAYS else setting.value
        self._line = Input(typed, select_on_focus=True)
        self._line.cursor_blink = False
        self._options: DataList[str, str] = DataList(
            (Column(title=setting.name, cell=Cell, width=20, grows=True),),
            lambda option: option,
            opened=self._take_option,
        )

    def compose(self) -> ComposeResult:
        chooses = bool(self._setting.options)
        value, keys = (self._options, "choose") if chooses else (self._line, "set")
        yield self.box(self._setting.name, value, self._words, keys=f"enter: {keys}")

    def on_mount(self) -> None:
        if self._setting.options:
            self._options.styles.height = len(self._setting.options) + 1
            self._options.replace(self._setting.options)
            self._options.move_to(self._setting.value)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
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


class SettingsScreen(BaseScreen):
    """A list of settings; changes take effect at once."""

    BINDINGS = textual_bindings.groups("Back", "Settings")

    def __init__(self, ui: UiContext, themes: Callable[[], Awaitable[list[str]]]) -> None:
        super().__init__(ui)
        self._find_themes = themes
        self._themes = [ui.settings.display.theme]
        self._title = RuleLine(classes="title")
        self._list: DataList[str, Setting] = DataList(
            (
                Column(title="Setting", cell=lambda setting: Cell(setting.name), width=34),
                Column(
                    title="Value", cell=lambda setting: Cell(setting.value), width=14, whole=True
                ),
                Column(
                    title="From",
                    cell=lambda setting: Cell(
                        ui.settings.origins.get(setting.place, "default"), Tone.MUTED
                    ),
                    width=18,
                    grows=True,
                    gives_way=1,
                ),
            ),
            lambda setting: setting.place,
            opened=self._change,
        )

    def body(self) -> Iterator[Widget]:
        yield self._title
        yield self._list

    async def on_mount(self) -> None:
        """Set the title, and find the themes before any key can choose one."""
        lasting = self.ui.choices.lasting
        kept = "are saved beside your configuration" if lasting else "last until you quit"
        self._title.say(toned("Settings", bold=True), toned(f"changes {kept}", Tone.MUTED))
        self._themes = await self._find_themes()
        self._list.focus()

    async def pull(self) -> None:
        await super().pull()
        held = {wallet.currency for wallet in self.ui.store.wallets.rows() if wallet.currency}
        settings = self.ui.settings
        limits = _limits(settings, sorted(held | set(settings.profile.confirm_above)))
        self._list.replace((*_display(settings, self._themes), *_polling(settings), *limits))

    async def action_take_back(self) -> None:
        """Reset the setting under the cursor to the user's own file."""
        if (setting := self._list.selected) is None:
            return
        reset, settings = self.ui.choices.reset, self.ui.settings
        try:
            self._adopt(await asyncio.to_thread(reset, settings, setting.key))
        except ConfigError as error:
            self.app.notify(str(error))

    def _change(self, setting: Setting) -> None:
        if setting.place in self.ui.settings.operator_locked:
            origin = self.ui.settings.origins[setting.place]
            self.app.notify(f"{setting.name}: {origin}.")
            return

        async def save(value: object) -> None:
            choose, settings = self.ui.choices.set_value, self.ui.settings
            self._adopt(await asyncio.to_thread(choose, settings, setting.key, value))

        # Shielded: once chosen, the value is saved and applied even if the dialog is closed.
        self.app.push_screen(ChangeDialog(setting, lambda value: asyncio.shield(save(value))))

    def _adopt(self, settings: Settings) -> None:
        self.app.post_message(SettingsChanged(settings))
