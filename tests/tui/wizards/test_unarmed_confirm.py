"""An early confirmation is refused with a message; no key is ignored in silence."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, answer, lines, settings_of, tick
from tests.tui.wizards.trading import fill, to_confirm

NOT_SEEN, NOT_WHOLE = "not yet seen: wait a moment", "scroll to the end to confirm"
CONFIRMS = {False: ["enter"], True: [*"250000", "enter"]}
"""Keys that confirm a quarter of a million, by whether real money moves."""


@pytest.fixture(params=[False, True], ids=["demo", "live"])
def trading(request: pytest.FixtureRequest) -> Dashboard:
    ui = Dashboard(settings=settings_of(live=request.param), answers=False)
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])
    return ui


def keys(ui: Dashboard) -> list[str]:
    return CONFIRMS[ui.settings.profile.live]


@pytest.mark.slow
def test_a_key_that_comes_too_early_is_told_to_wait_until_it_need_not(trading: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        assert NOT_SEEN not in lines(pilot)[-1]
        first, *others = keys(ui)
        await pilot.press(first)
        assert NOT_SEEN in lines(pilot)[-1]
        await pilot.press(*others)
        assert ui.port.submitted == []
        await answer(pilot)
        await tick(pilot)
        assert NOT_SEEN not in lines(pilot)[-1]

    trading.play(scenario)


def test_where_there_is_more_below_it_says_to_look_at_it_first(trading: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
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

    trading.play(scenario, size=(80, 13))


@pytest.mark.slow
def test_at_another_step_no_such_thing_is_said(trading: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        await pilot.press(*keys(ui), "escape")
        await tick(pilot)
        assert NOT_SEEN not in lines(pilot)[-1]

    trading.play(scenario)
