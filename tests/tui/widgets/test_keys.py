"""The footer: the key to all others stays, however narrow the screen."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.tui.dashboard import Dashboard, lines, shows, until


@pytest.mark.slow
@pytest.mark.parametrize("key", ["1", "3"])
def test_help_and_quit_are_told_whole_however_narrow_it_is(ui: Dashboard, key: str) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await shows(pilot, "? Help")
        assert "? Help" in lines(pilot)[-1]
        assert "q Quit" in lines(pilot)[-1]
        assert "…" not in lines(pilot)[-1]

    ui.play(scenario, size=(30, 20))


def test_lesser_hints_come_back_with_the_room_for_them(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await pilot.resize_terminal(30, 20)
        await until(pilot, lambda: "Export" not in lines(pilot)[-1])
        await pilot.resize_terminal(100, 20)
        await until(pilot, lambda: "e Export" in lines(pilot)[-1])

    ui.play(scenario)


def test_what_a_screen_has_alone_is_told_before_what_all_lists_have(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await until(pilot, lambda: "n New wallet" in lines(pilot)[-1])
        assert lines(pilot)[-1].startswith(" t Trade   p Pay   x Transfer   ⏎ Open")
        await pilot.press("enter")
        await until(pilot, lambda: "esc Back" in lines(pilot)[-1])
        assert "c Copy deposit details" in lines(pilot)[-1]
        assert "n Add…" in lines(pilot)[-1]

    ui.play(scenario)


def test_hints_that_fill_the_line_are_not_cut(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("comma")
        await until(pilot, lambda: "Reset to file" in lines(pilot)[-1])
        assert len(lines(pilot)[-1]) == 75  # of 80
        assert lines(pilot)[-1].endswith("q Quit")

    ui.play(scenario)
