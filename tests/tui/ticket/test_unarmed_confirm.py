"""An early confirmation is refused with a message; no key is ignored in silence."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.tui.dashboard import Dashboard, answer, lines, settings_of, tick
from tests.tui.ticket.paying import book, fill_in

NOT_SEEN, NOT_WHOLE = "not yet seen: wait a moment", "scroll to the end to confirm"
CONFIRMS = {False: ["enter"], True: ["1", "2", "enter"]}
"""Keys that confirm twelve dollars, by whether real money moves."""


@pytest.fixture(params=[False, True], ids=["demo", "live"])
def paying(request: pytest.FixtureRequest) -> Dashboard:
    return Dashboard(store=book(), settings=settings_of(live=request.param), answers=False)


def keys(ui: Dashboard) -> list[str]:
    return CONFIRMS[ui.settings.profile.live]


@pytest.mark.slow
def test_a_key_that_comes_too_early_is_told_to_wait_until_it_need_not(paying: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        assert NOT_SEEN not in lines(pilot)[-1]
        first, *others = keys(ui)
        await pilot.press(first)
        assert NOT_SEEN in lines(pilot)[-1]
        await pilot.press(*others)
        assert ui.port.submitted == []
        await answer(pilot)
        await tick(pilot)
        assert NOT_SEEN not in lines(pilot)[-1]

    paying.play(scenario)


@pytest.mark.slow
def test_where_there_is_more_below_it_says_to_look_at_it_first(paying: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await answer(pilot)
        await pilot.press(*keys(ui))
        assert NOT_WHOLE in lines(pilot)[-1]
        await pilot.press("pagedown", "pagedown", "pagedown")
        await tick(pilot)
        assert NOT_WHOLE not in lines(pilot)[-1]
        assert ui.port.submitted == []
        await pilot.press(*keys(ui))
        await pilot.pause()
        assert len(ui.port.submitted) == 1

    paying.play(scenario, size=(80, 13))


@pytest.mark.slow
def test_at_a_field_no_such_thing_is_said(paying: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await pilot.press(*keys(ui), "shift+tab")
        await tick(pilot)
        assert NOT_SEEN not in lines(pilot)[-1]

    paying.play(scenario)
