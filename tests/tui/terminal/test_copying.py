"""`y` copies the value under the cursor, `Y` the full identifier; both name the value."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.platform.host import TerminalEnvironment
from paytui.tui.base_screens import BaseScreen
from tests.tui.book import wallet
from tests.tui.dashboard import Dashboard, shows, text


def test_y_copies_the_identifier_of_the_row_under_the_cursor(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j", "y")
        assert pilot.app.clipboard == "pay-2"
        await shows(pilot, "copied Payment id")

    ui.play(scenario)


@pytest.mark.parametrize(
    ("key", "copied", "label"),
    [("y", "1,204,330.15 AUD", "Available"), ("Y", "wal-1", "Wallet id")],
    ids=["the value under the cursor", "in capitals the identifier"],
)
def test_in_full_it_is_said_which_value_is_copied(
    ui: Dashboard, key: str, copied: str, label: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Wallet id")
        await pilot.press(key)
        assert pilot.app.clipboard == copied
        await shows(pilot, f"copied {label}")

    ui.play(scenario)


@pytest.mark.slow
def test_a_state_is_copied_without_its_sign(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "Status ")
        await pilot.press("j", "j", "y")
        assert pilot.app.clipboard == "rejected"

    ui.play(scenario)


@pytest.mark.slow
def test_what_the_service_did_not_send_is_not_copied_as_a_dash(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        await shows(pilot, "Failure reason")
        await pilot.press("j", "j", "j", "y")
        await shows(pilot, "nothing to copy: Failure reason was not sent")
        assert pilot.app.clipboard == ""

    ui.play(scenario)


def test_y_on_an_empty_list_copies_nothing(empty: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "y")
        assert pilot.app.clipboard == ""

    empty.play(scenario)


def test_a_value_can_be_seen_alone_where_the_terminal_has_no_clipboard(empty: Dashboard) -> None:
    long = "A name that goes on [bold]and on[/bold] " * 10
    empty.store.wallets.put([wallet(1, long.strip(), "1")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Wallet id")
        await pilot.press("j", "j", "j", "v")
        await shows(pilot, "esc: back")
        assert "[bold]and on[/bold]" in text(pilot)
        await pilot.press("escape")
        await shows(pilot, "Wallet id")

    empty.play(scenario)


def test_what_is_more_than_a_terminal_takes_is_copied_in_part_and_says_so(
    empty: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app.screen, BaseScreen)
        pilot.app.screen.copy("Notes", "x" * 60_000)
        assert pilot.app.clipboard == "x" * 50_000
        await shows(pilot, "copied the first 50,000 of 60,000 characters of Notes")

    empty.play(scenario)


def test_letters_that_take_more_than_one_byte_count_as_what_they_take(empty: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app.screen, BaseScreen)
        pilot.app.screen.copy("Notes", "x" + "é" * 30_000)
        assert pilot.app.clipboard == "x" + "é" * 24_999
        await shows(pilot, "copied the first 25,000 of 30,001 characters of Notes")

    empty.play(scenario)


@pytest.mark.slow
def test_in_tmux_it_is_said_that_it_may_stay_there(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "y")
        await shows(pilot, "copied Payment id, if tmux or screen allows it")

    replace(ui, surroundings=TerminalEnvironment(multiplexed=True)).play(scenario)
