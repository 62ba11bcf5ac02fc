"""The trade ticket on its screen: by keys alone, from the first field to its end."""

from __future__ import annotations

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widget import Widget

from paytui.domain.intent import Standing
from paytui.domain.money import Pair
from paytui.tui.app import PaytuiApp
from tests.support.intents import row_of
from tests.tui.book import AUD_USD, JPY, USD, sheet
from tests.tui.dashboard import Dashboard, answer, shows, text, tick
from tests.tui.ticket.trading import answer_quote, booked, fill, to_confirm


@pytest.fixture
def trading() -> Dashboard:
    ui = Dashboard()
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])
    return ui


def test_a_trade_is_booked_by_keys_alone_and_followed_to_its_end(trading: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        for words in ("250,000.00 AUD  fixed", "≈ 162,807.50 USD", "1 AUD = 0.651230 USD"):
            assert words in text(pilot)
        ui.clock.advance(1)
        await pilot.press("enter", "enter", "enter")
        await shows(pilot, "Trade · outcome")
        [intent] = ui.port.submitted
        ui.store.intents.put([row_of(intent, Standing.ACCEPTED, object_id="trd-1")])
        ui.store.trades.put([booked()])
        ui.store.notify()
        await shows(pilot, "You buy       162,807.50 USD")
        ui.store.trades.put([booked("exchanged")])
        ui.store.notify()
        await shows(pilot, "✓ exchanged")
        assert "[exchanged]" in text(pilot)
        assert "compliance" not in text(pilot)  # nobody saw it there, and the service does not say

    trading.play(scenario)


def test_an_expired_rate_books_nothing_until_a_new_one_was_seen(trading: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        ui.clock.advance(147)
        await tick(pilot)
        await pilot.press("enter")
        await shows(pilot, "too late to send")
        ui.clock.advance(3)
        await tick(pilot)
        await pilot.press("enter")
        await shows(pilot, "expired: press r")
        assert "0.651230" in text(pilot)
        await pilot.press("r", "r")
        [(_, pair)] = ui.port.quotes
        assert pair == AUD_USD
        answer_quote(ui.store, ui.clock, ui.port, "two", "0.65125")
        await shows(pilot, "was 0.651230 → now 0.651250")
        await pilot.press("enter")
        assert ui.port.submitted == []
        await answer(pilot)
        await pilot.press("enter")
        [intent] = ui.port.submitted
        assert intent.quote is not None
        assert intent.quote.rate_sheet_id == "two"

    trading.answers = False
    trading.play(scenario)


@pytest.mark.slow
def test_a_second_paints_no_more_than_the_countdown(
    trading: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[str] = []
    refresh = Widget.refresh

    def noted(self: Widget, *regions: Region, **how: bool) -> Widget:
        painted.append(type(self).__name__)
        return refresh(self, *regions, **how)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        ui.clock.advance(126)
        await tick(pilot)
        await shows(pilot, "valid 0:24")
        monkeypatch.setattr(Widget, "refresh", noted)
        ui.clock.advance(1)
        await tick(pilot)
        await shows(pilot, "valid 0:23")
        assert painted == ["CountdownCell"]

    trading.play(scenario)


@pytest.mark.slow
def test_a_trade_is_left_at_once_and_what_was_filled_in_is_kept(trading: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        await pilot.press("escape")
        await shows(pilot, "Balances")
        assert isinstance(pilot.app, PaytuiApp)
        values = pilot.app.ui.drafts["trade", "1"].values
        assert values["sell_amount"] == "250k"
        assert (values["sell"], values["buy"]) == ("AUD", "USD")

    trading.play(scenario)


@pytest.mark.slow
def test_a_trade_of_a_pair_is_ten_letters_and_two_enters(trading: Dashboard) -> None:
    """In place of a wallet chosen by hand: `t usd jpy 500 ⏎ ⏎`."""

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        usd_jpy = {Pair(USD, JPY): "150"}
        ui.store.rate_sheets.put([sheet("two", ui.clock, usd_jpy)])
        await pilot.press("t", *"usd ", *"jpy ", *"500", "enter")
        await shows(pilot, "Trade · confirm")
        ui.clock.advance(1)
        await pilot.press("enter")
        await shows(pilot, "Trade · outcome")
        [intent] = ui.port.submitted
        assert intent.title == "Trade: sell 500.00 USD, buy JPY"

    trading.play(scenario)
