"""Without permission to send, no key and no command starts anything that would."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from inspect import isawaitable

import pytest
from textual.binding import Binding
from textual.pilot import Pilot
from textual.widgets import Input

from paytui.config.settings import LockSettings
from paytui.domain.intent import SendPermission
from paytui.domain.models import AccountId, Recipient, RecipientId
from paytui.tui import textual_bindings
from paytui.tui.command_palette import Commands
from paytui.tui.ticket.screen import TicketScreen
from tests.support.intents import intent_row
from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, settings_of, shows

SCREENS = {"3": "4 wallets", "6": "3 payments", "8": "1 intent"}
"""Screens with an object to start from, and text that shows that they are visible."""

FORMS = ("2n", "2N", "3n", "7n", "3dn", "2⏎n", "3⏎n", "7⏎n")
"""The keys that lead to each form, some from inside the detail of an object."""

ALLOWED = SendPermission(allowed=True, why="")
CLOSED = SendPermission(allowed=False, why="Another one sends.")
REASONS = ["another process sends", "read-only", "nobody was there"]

STARTING_KEYS = {"t", "p", "x", "P", "T", "d", "n"}
STARTING_COMMANDS = {"Trade", "Pay", "Transfer", "Repeat", "New"}
"""Their first words."""


def every_key() -> Iterator[str]:
    """All that these screens know but what leads away from them or ends the dashboard."""
    of_lists = ("Lists", "Accounts", "Wallets", "Recipients", "Pay-in addresses")
    of_details = ("Back", "Details", "Objects", "Intents")
    for binding in textual_bindings.groups("Everywhere", *of_lists, *of_details):
        assert isinstance(binding, Binding)
        if binding.action != "quit" and not binding.action.startswith("mode("):
            yield from binding.key.split(",")


async def press(pilot: Pilot[None], key: str) -> None:
    """Run the action of a key, without the terminal, which would take half a minute for all."""
    if not await pilot.app._check_bindings(key, priority=True):
        await pilot.app._check_bindings(key)
    settled = asyncio.Event()
    pilot.app.call_later(settled.set)  # behind what the key has put off
    await settled.wait()


async def leave(pilot: Pilot[None]) -> bool:
    """Back to the screen that is listed by number; whether a ticket was come upon."""
    stack = pilot.app.screen_stack
    came_up = any(isinstance(screen, TicketScreen) for screen in stack)
    if len(stack) > 1:
        await pilot._wait_for_screen()
    while len(pilot.app.screen_stack) > 1:
        await pilot.app.pop_screen()
    if isinstance(pilot.app.focused, Input):  # a filter is typed in
        await press(pilot, "escape")
    return came_up


async def keys_that_start(pilot: Pilot[None], keys: set[str]) -> set[str]:
    found: set[str] = set()
    for number, words in SCREENS.items():
        await pilot.press(number)
        await shows(pilot, words)
        for key in sorted(keys):
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


async def commands(pilot: Pilot[None]) -> set[str]:
    """Return the name of every command but the one that ends the dashboard."""
    names = {hit.text or "" async for hit in Commands(pilot.app.screen).discover()}
    return {name for name in names if not name.startswith("Quit")}


def starting(commands: set[str]) -> set[str]:
    return {name for name in commands if name.split()[0] in STARTING_COMMANDS}


async def commands_that_start(pilot: Pilot[None], names: set[str]) -> set[str]:
    found: set[str] = set()
    for name in sorted(names):
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
def ui(ui: Dashboard) -> Dashboard:
    """A dashboard on which every way of creating something has what it starts from."""
    ui.store.intents.put([intent_row(1)])
    ui.store.recipients.put([Recipient(RecipientId("rec-1"), AccountId("acc-1"))])
    ui.store.rate_sheets.put([sheet("s1", ui.clock, {AUD_USD: "0.65"})])
    ui.store.set_sending(ALLOWED)
    return ui


@pytest.mark.slow
def test_these_keys_and_commands_start_something_where_it_may_be_sent(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert await keys_that_start(pilot, set(every_key())) == STARTING_KEYS
        started = await commands_that_start(pilot, await commands(pilot))
        assert {name.split()[0] for name in started} == STARTING_COMMANDS

    ui.play(scenario)


def close(ui: Dashboard, why: str) -> None:
    """Let nothing be sent; where nobody was there, once ten minutes have gone by."""
    if why == "read-only":
        ui.settings = settings_of(read_only=True)
    elif why == "nobody was there":
        ui.settings = replace(ui.settings, lock=LockSettings(after=timedelta(seconds=600)))
    else:
        ui.store.set_sending(CLOSED)


@pytest.mark.slow
@pytest.mark.parametrize("why", REASONS)
def test_none_of_them_does_where_nothing_may_be_sent(ui: Dashboard, why: str) -> None:
    close(ui, why)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        ui.clock.advance(600)
        assert await keys_that_start(pilot, STARTING_KEYS) == set()
        names = await commands(pilot)
        assert await commands_that_start(pilot, starting(names)) == set()
        assert (ui.port.submitted, ui.port.decided) == ([], [])

    ui.play(scenario)


@pytest.mark.slow
def test_each_form_opens_where_it_may_be_sent(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert await forms_that_open(pilot) == list(FORMS)

    ui.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("why", REASONS)
def test_no_form_opens_where_nothing_may_be_sent(ui: Dashboard, why: str) -> None:
    close(ui, why)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        ui.clock.advance(600)
        assert await forms_that_open(pilot) == []

    ui.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("way", [("3", "t"), ("6", "P"), ("8", "d")])
def test_each_says_why(ui: Dashboard, way: tuple[str, str]) -> None:
    ui.store.set_sending(CLOSED)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        number, key = way
        await pilot.press(number)
        await shows(pilot, SCREENS[number])
        await pilot.press(key)
        await shows(pilot, CLOSED.why)
        assert [toast.message for toast in pilot.app._notifications] == [CLOSED.why]

    ui.play(scenario)


def test_rate_sheets_are_held_all_the_same(ui: Dashboard) -> None:
    ui.settings = settings_of(read_only=True)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "0.65")
        assert set(ui.settings.rates.watch) <= set(ui.port.watched[-1])

    ui.play(scenario)
