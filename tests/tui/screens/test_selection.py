"""The selection for a wizard: the object under the cursor of the visible screen."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.tui.base_screens import BaseScreen
from tests.tui.book import AUD_USD, USD_AUD, sheet
from tests.tui.dashboard import Dashboard, shows


def selected(pilot: Pilot[None]) -> object | None:
    screen = pilot.app.screen
    assert isinstance(screen, BaseScreen)
    return screen.selected


@pytest.mark.slow
def test_it_is_the_row_of_a_list_and_the_object_of_a_detail_view(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "AUD payroll")
        await pilot.press("j")
        wallet = selected(pilot)
        assert wallet in ui.store.wallets.rows()
        await pilot.press("enter")
        await shows(pilot, "Wallet id")
        assert selected(pilot) == wallet

    ui.play(scenario)


def test_it_is_a_pair_where_rates_are_listed(ui: Dashboard) -> None:
    rates = {AUD_USD: "0.65", USD_AUD: "1.53"}
    ui.store.rate_sheets.put([sheet("s1", ui.clock, rates)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "0.65")
        assert selected(pilot) == AUD_USD
        await pilot.press("right")  # the offer: base bought
        assert selected(pilot) == USD_AUD
        await pilot.press("left")
        assert selected(pilot) == AUD_USD

    ui.play(scenario)


def test_it_is_nothing_where_there_is_no_row(empty: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert selected(pilot) is None
        await pilot.press("6")
        await shows(pilot, "Loading payments")
        assert selected(pilot) is None

    empty.play(scenario)
