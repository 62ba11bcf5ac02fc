"""Whoever confirms what cannot have been seen yet is told so; nothing that is pressed is mute."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, answer, lines, settings_of, tick
from tests.tui.wizards.trading import fill, to_confirm

NOT_SEEN, NOT_WHOLE = "not yet seen: wait a moment", "scroll to the end to confirm"
CONFIRMS = {False: ["enter"], True: [*"250000", "enter"]}
"""What confirms a quarter of a million, by whether real money moves."""


@pytest.fixture(params=[False, True], ids=["demo", "live"])
def trading(request: pytest.FixtureRequest) -> Dashboard:
    desk = Dashboard(settings=settings_of(live=request.param), answers=False)
    fill(desk.store)
    desk.store.rate_sheets.put([sheet("one", desk.clock, {AUD_USD: "0.65123"})])
    return desk


def keys(desk: Dashboard) -> list[str]:
    return CONFIRMS[desk.settings.profile.live]


@pytest.mark.slow
def test_a_key_that_comes_too_early_is_told_to_wait_until_it_need_not(trading: Dashboard) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        assert NOT_SEEN not in lines(pilot)[-1]
        first, *others = keys(desk)
        await pilot.press(first)
        assert NOT_SEEN in lines(pilot)[-1]
        await pilot.press(*others)
        assert desk.port.submitted == []
        await answer(pilot)
        await tick(pilot)
        assert NOT_SEEN not in lines(pilot)[-1]

    trading.play(scenario)


def test_where_there_is_more_below_it_says_to_look_at_it_first(trading: Dashboard) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        await answer(pilot)
        await pilot.press(*keys(desk))
        assert NOT_WHOLE in lines(pilot)[-1]
        await pilot.press("pagedown", "pagedown", "pagedown")
        await tick(pilot)
        assert NOT_WHOLE not in lines(pilot)[-1]
        assert desk.port.submitted == []
        await pilot.press(*keys(desk))
        await pilot.pause()
        assert len(desk.port.submitted) == 1

    trading.play(scenario, size=(80, 13))


@pytest.mark.slow
def test_at_another_step_no_such_thing_is_said(trading: Dashboard) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        await pilot.press(*keys(desk), "escape")
        await tick(pilot)
        assert NOT_SEEN not in lines(pilot)[-1]

    trading.play(scenario)
