"""The choices of a step in the available room: no reason and no owner is cut in silence."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.tui.book import USD, account, wallet
from tests.tui.dashboard import Dashboard, lines, shows, text
from tests.tui.wizards.paying import address, book, recipient

LONG = "Consolidated Meridian Holdings and Shipping Company of the Eastern Archipelago"
REASON = "address type electronic_deposit no longer accepted"


def test_a_column_in_which_nothing_stands_takes_no_room() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "1 of 5")
        assert "Balance" in heading(pilot)
        await pilot.press("down", "down", "enter")
        await shows(pilot, "recipient")
        assert "Unavailable" in heading(pilot)
        assert "Balance" not in heading(pilot)

    Dashboard(store=book()).play(scenario)


@pytest.mark.slow
def test_a_reason_has_its_room_before_anything_else_is_told_of_a_choice() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "1 of 5")
        await pilot.press("down", "down", "enter")
        await shows(pilot, "recipient")
        assert REASON in row(pilot, "Stark")

    Dashboard(store=book()).play(scenario)


@pytest.mark.slow
def test_what_finds_no_room_is_said_whole_below_the_list_of_the_choice_under_the_cursor() -> None:
    ui = Dashboard(store=book())
    ui.store.recipients.put([recipient(5, LONG, address(5, 5, account_type="electronic_deposit"))])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "1 of 5")
        await pilot.press("down", "down", "enter")
        await shows(pilot, "recipient")
        assert "…" in row(pilot, "Consolidated")
        assert f"{LONG}: {REASON}" not in flowing(pilot)
        while "▌ Consolidated" not in text(pilot):
            await pilot.press("down")
        assert f"{LONG}: {REASON}" in flowing(pilot)
        await pilot.press("up")
        await pilot.pause()
        assert f"{LONG}: {REASON}" not in flowing(pilot)

    ui.play(scenario)


def test_an_owner_that_finds_no_room_is_said_whole_as_well() -> None:
    ui = Dashboard(store=book())
    ui.store.accounts.put([account(1, LONG)])
    ui.store.wallets.put([wallet(2, "USD desk", "5000", currency=USD)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "1 of 5")
        while "▌ USD desk" not in text(pilot):
            await pilot.press("down")
        assert "5,000.00 USD" in row(pilot, "USD desk")
        assert f"USD desk, 5,000.00 USD, {LONG}" in flowing(pilot)

    ui.play(scenario)


def heading(pilot: Pilot[None]) -> str:
    return row(pilot, "Choice")


def row(pilot: Pilot[None], name: str) -> str:
    return next(line for line in lines(pilot) if name in line)


def flowing(pilot: Pilot[None]) -> str:
    """Return the text of the screen without line breaks."""
    return " ".join(text(pilot).split())
