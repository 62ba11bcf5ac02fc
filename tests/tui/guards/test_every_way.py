"""Where nothing may be sent, no key and no command starts anything that would: all are tried."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from inspect import isawaitable

import pytest
from textual.binding import Binding, BindingType
from textual.pilot import Pilot
from textual.widgets import Input

from paytui.config.settings import LockSettings
from paytui.domain.intent import SendPermission
from paytui.domain.models import AccountId, Recipient, RecipientId
from paytui.tui import keys
from paytui.tui.commands import Commands
from paytui.tui.forms.screen import FormScreen
from paytui.tui.wizards.screen import WizardScreen
from tests.support.intents import intent_row
from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, settings_of, shows

SCREENS = {"3": "4 wallets", "6": "3 payments", "8": "1 intent"}
"""Where there is something to start from, and what shows that it is on view."""

FORMS = ("2n", "2N", "3n", "7n", "3dn", "2⏎n", "3⏎n", "7⏎n")
"""The keys that lead to each form, some from inside the detail of an object."""

ALLOWED = SendPermission(allowed=True, why="")
CLOSED = SendPermission(allowed=False, why="Another one sends.")
REASONS = ["another process sends", "read-only", "nobody was there"]


def every_key() -> Iterator[str]:
    """All that these screens know but what leads away from them or ends the dashboard."""
    known: list[BindingType] = [
        *keys.APP,
        *keys.LIST,
        *keys.ACCOUNTS,
        *keys.WALLETS,
        *keys.RECIPIENTS,
        *keys.PAYIN_ADDRESSES,
        *keys.DETAIL,
        *keys.OBJECT,
        *keys.INTENT,
    ]
    for binding in known:
        assert isinstance(binding, Binding)
        if binding.action != "quit" and not binding.action.startswith("mode("):
            yield from binding.key.split(",")


async def press(pilot: Pilot[None], key: str) -> None:
    """What a key does, without its way through the terminal: that takes half a minute for all."""
    if not await pilot.app._check_bindings(key, priority=True):
        await pilot.app._check_bindings(key)
    settled = asyncio.Event()
    pilot.app.call_later(settled.set)  # behind what the key has put off
    await settled.wait()


async def leave(pilot: Pilot[None]) -> bool:
    """Back to the screen that is listed by number; whether a wizard or a form was come upon."""
    stack = pilot.app.screen_stack
    came_up = any(isinstance(screen, WizardScreen | FormScreen) for screen in stack)
    if len(stack) > 1:
        await pilot._wait_for_screen()
    while len(pilot.app.screen_stack) > 1:
        await pilot.app.pop_screen()
    if isinstance(pilot.app.focused, Input):  # a filter is typed in
        await press(pilot, "escape")
    return came_up


async def keys_that_start(pilot: Pilot[None]) -> set[str]:
    found: set[str] = set()
    for number, words in SCREENS.items():
        await pilot.press(number)
        await shows(pilot, words)
        for key in sorted(set(every_key())):
            await press(pilot, key)
            if await leave(pilot):
                found.add(key)
    return found


async def forms_that_open(pilot: Pilot[None]) -> list[str]:
    found: list[str] = []
    for way in FORMS:
        await pilot.press(*("enter" if key == "⏎" else key for key in way))
        if await leave(pilot):
            found.append(way)
    return found


async def commands_that_start(pilot: Pilot[None]) -> set[str]:
    found: set[str] = set()
    names = [hit.text or "" async for hit in Commands(pilot.app.screen).discover()]
    for name in names:
        if name.startswith("Quit"):
            continue
        await press(pilot, "6")
        async for hit in Commands(pilot.app.screen).discover():
            if hit.text == name:
                done = hit.command()
                if isawaitable(done):
                    await done
        if await leave(pilot):
            found.add(name)
    return found


@pytest.fixture
def desk(desk: Dashboard) -> Dashboard:
    """A dashboard on which every way of creating something has what it starts from."""
    desk.store.intents.put([intent_row(1)])
    desk.store.recipients.put([Recipient(RecipientId("rec-1"), AccountId("acc-1"))])
    desk.store.rate_sheets.put([sheet("s1", desk.clock, {AUD_USD: "0.65"})])
    desk.store.set_sending(ALLOWED)
    return desk


@pytest.mark.slow
def test_these_keys_and_commands_start_something_where_it_may_be_sent(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert await keys_that_start(pilot) == {"t", "p", "x", "P", "d", "n"}
        started = await commands_that_start(pilot)
        assert {name.split()[0] for name in started} == {
            "Trade",
            "Payout",
            "Transfer",
            "Repeat",
            "New",
        }

    desk.play(scenario)


def close(desk: Dashboard, why: str) -> None:
    """Let nothing be sent; where nobody was there, once ten minutes have gone by."""
    if why == "read-only":
        desk.settings = settings_of(read_only=True)
    elif why == "nobody was there":
        desk.settings = replace(desk.settings, lock=LockSettings(after=timedelta(seconds=600)))
    else:
        desk.store.set_sending(CLOSED)


@pytest.mark.slow
@pytest.mark.parametrize("why", REASONS)
def test_none_of_them_does_where_nothing_may_be_sent(desk: Dashboard, why: str) -> None:
    close(desk, why)

    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        desk.clock.advance(600)
        assert await keys_that_start(pilot) == set()
        assert await commands_that_start(pilot) == set()
        assert (desk.port.submitted, desk.port.decided) == ([], [])

    desk.play(scenario)


@pytest.mark.slow
def test_each_form_opens_where_it_may_be_sent(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert await forms_that_open(pilot) == list(FORMS)

    desk.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("why", REASONS)
def test_no_form_opens_where_nothing_may_be_sent(desk: Dashboard, why: str) -> None:
    close(desk, why)

    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        desk.clock.advance(600)
        assert await forms_that_open(pilot) == []

    desk.play(scenario)


@pytest.mark.parametrize("way", [("3", "t"), ("6", "P"), ("8", "d")])
def test_each_says_why(desk: Dashboard, way: tuple[str, str]) -> None:
    desk.store.set_sending(CLOSED)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        number, key = way
        await pilot.press(number)
        await shows(pilot, SCREENS[number])
        await pilot.press(key)
        await shows(pilot, CLOSED.why)
        assert [toast.message for toast in pilot.app._notifications] == [CLOSED.why]

    desk.play(scenario)


def test_rate_sheets_are_held_all_the_same(desk: Dashboard) -> None:
    desk.settings = settings_of(read_only=True)

    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "0.65")
        assert desk.port.watched[-1] == desk.settings.rates.watch

    desk.play(scenario)
