"""While an amount is typed to confirm, all other keys are listed and work."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows
from tests.tui.ticket.trading import answer_quote, fill, to_amount, to_confirm


@pytest.fixture
def trading() -> Dashboard:
    ui = Dashboard(settings=settings_of(live=True))
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])
    return ui


@pytest.mark.slow
def test_what_enter_and_f5_do_is_told(trading: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        for words in ("⏎ Confirm", "esc Leave", "f5 New rate"):
            await shows(pilot, words)
            assert words in lines(pilot)[-1]

    trading.play(scenario, size=(60, 24))


@pytest.mark.slow
def test_where_nothing_is_typed_the_shorter_key_is_told(trading: Dashboard) -> None:
    trading.settings = settings_of()

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_amount(pilot)
        await shows(pilot, "⏎ Next")
        await pilot.press(*"250k", "enter")
        await shows(pilot, "Trade · confirm")
        await shows(pilot, "r New rate")
        assert "f5" not in lines(pilot)[-1]

    trading.play(scenario)


@pytest.mark.slow
def test_f5_asks_for_a_new_rate_and_r_is_typed(trading: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        ui.clock.advance(1)
        await pilot.press("r")
        assert ui.port.quotes == []
        await pilot.press("f5")
        assert [pair for _, pair in ui.port.quotes] == [AUD_USD]
        answer_quote(ui.store, ui.clock, ui.port, "two", "0.65")
        await shows(pilot, "was 0.651230 → now 0.650000")
        ui.clock.advance(1)
        await pilot.press(*"250000", "enter")
        await shows(pilot, "Trade · outcome")
        assert ui.port.submitted[0].quote is not None
        assert ui.port.submitted[0].quote.rate_sheet_id == "two"

    trading.play(scenario)
