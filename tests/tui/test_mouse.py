"""The mouse, if enabled: a click, a second one, and the wheel."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from tests.tui.dashboard import Dashboard, lines, shows, until

MARK = "▌"

VIEWS = {
    "a list": (("3",), "JPY desk", "wal-3"),
    "a detail": (("3", "enter"), "Acme", "Account Acme"),
}
"""Keys that lead to it, words to click on, and words that come of opening them."""


def line_of(pilot: Pilot[None], words: str) -> int:
    return next(y for y, line in enumerate(lines(pilot)) if words in line and y > 2)


def marked(pilot: Pilot[None]) -> int:
    return next(y for y, line in enumerate(lines(pilot)) if MARK in line)


async def turn(
    pilot: Pilot[None], wheel: type[events.MouseScrollDown] | type[events.MouseScrollUp]
) -> None:
    """Turn the wheel once, over the list or the facts."""
    place, held = (5, 5, 0, 0, 0), (False, False, False)
    pilot.app.post_message(wheel(None, *place, *held))
    await pilot.pause()


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_a_click_moves_the_cursor_and_one_more_opens(ui: Dashboard, view: str) -> None:
    keys, words, opened = VIEWS[view]

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await shows(pilot, words)
        line = line_of(pilot, words)
        assert marked(pilot) != line
        await pilot.click(offset=(20, line))
        await until(pilot, lambda: marked(pilot) == line)
        assert opened not in "\n".join(lines(pilot))
        await pilot.click(offset=(20, line))
        await shows(pilot, opened)

    ui.play(scenario)


@pytest.mark.parametrize("view", VIEWS)
def test_the_wheel_goes_three_places_on_and_back(ui: Dashboard, view: str) -> None:
    keys, words, _ = VIEWS[view]

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await shows(pilot, words)
        await pilot.pause()
        first = marked(pilot)
        await pilot.press("j", "j", "j")
        await pilot.pause()
        third = marked(pilot)
        await turn(pilot, events.MouseScrollUp)
        assert marked(pilot) == first
        await turn(pilot, events.MouseScrollDown)
        assert marked(pilot) == third

    ui.play(scenario)
