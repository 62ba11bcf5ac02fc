"""The settings that can be changed on screen, declared as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import get_args

from textual.message import Message

from paytui.config.key_bindings import first_key
from paytui.config.settings import Characters, Colours, Display, KeyScheme, Settings, TimeZone
from paytui.config.validation import KeyPath
from paytui.domain.money import CurrencyCode, format_amount

MINUTE = 60

ALWAYS = "0 (every amount)"
"""Shown for a currency without a limit: every amount is confirmed by typing it."""


class SettingsChanged(Message):
    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings


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
    def typed(self) -> str:
        return "" if self.value == ALWAYS else self.value

    @property
    def place(self) -> str:
        """Return its dotted key: `display.theme`."""
        return ".".join(self.key)


def settings_to_set(
    settings: Settings, themes: Sequence[str], currencies: Sequence[CurrencyCode]
) -> Iterator[Setting]:
    """Yield all settings that can be changed while the dashboard runs.

    Confirm limits are offered for the given currencies.
    """
    yield from _display(settings, themes)
    yield from _polling(settings)
    yield from _limits(settings, currencies)


def _display(settings: Settings, themes: Sequence[str]) -> Iterator[Setting]:
    display, turn = settings.display, first_key(settings.keys, "app.zone")
    explained = Display.explanations()
    yield Setting(
        key=("display", "theme"),
        name="Theme",
        value=display.theme,
        help="Colours.",
        options=tuple(themes),
    )
    yield Setting(
        key=("display", "colours"),
        name="Colours",
        value=display.colours,
        help=explained["colours"],
        options=get_args(Colours),
    )
    yield Setting(
        key=("display", "characters"),
        name="Characters",
        value=display.characters,
        help=explained["characters"],
        options=get_args(Characters),
    )
    yield Setting(
        key=("display", "time_zone"),
        name="Times",
        value=display.time_zone,
        help=f"{explained['time_zone']} `{turn}` switches for a while.",
        options=get_args(TimeZone),
    )
    yield Setting(
        key=("display", "key_scheme"),
        name="Keys",
        value=display.key_scheme,
        help=f"{explained['key_scheme']} `?`: all keys.",
        options=get_args(KeyScheme),
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
