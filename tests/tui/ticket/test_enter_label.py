"""The label of enter names its action."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, lines, shows
from tests.tui.ticket.trading import fill, to_confirm


@pytest.mark.slow
def test_enter_goes_on_then_confirms_and_in_the_end_does_nothing() -> None:
    ui = Dashboard()
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("t")
        await shows(pilot, "⏎ Next")
        await pilot.press("escape")
        await to_confirm(pilot)
        await shows(pilot, "⏎ Confirm")
        ui.clock.advance(1)
        await pilot.press("enter")
        await shows(pilot, "Trade · outcome")
        await shows(pilot, "esc Leave")
        assert "⏎" not in lines(pilot)[-1]

    ui.play(scenario)
