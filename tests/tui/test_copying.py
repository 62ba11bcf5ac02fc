"""`y` copies the identifier of what one looks at, and of nothing else."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.dashboard import Dashboard, shows


def test_y_copies_the_identifier_of_the_row_under_the_cursor(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j", "y")
        assert pilot.app.clipboard == "pay-2"

    desk.play(scenario)


def test_y_copies_the_identifier_of_an_object_in_full(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Wallet id")
        await pilot.press("y")
        assert pilot.app.clipboard == "wal-1"

    desk.play(scenario)


def test_y_on_an_empty_list_copies_nothing(empty: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "y")
        assert pilot.app.clipboard == ""

    empty.play(scenario)
