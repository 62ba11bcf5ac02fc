"""The number of keys for the two commonest tasks from the overview, beside the amount."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.book import AUD_USD, read, sheet
from tests.tui.dashboard import Dashboard, shows
from tests.tui.wizards.paying import Paying
from tests.tui.wizards.test_payment_start import PAID
from tests.tui.wizards.trading import fill


async def press(pilot: Pilot[None], keys: list[str], words: str) -> int:
    """Press keys and wait for what they lead to; how many they are."""
    await pilot.press(*keys)
    await shows(pilot, words)
    return len(keys)


def test_a_payment_is_repeated_with_another_amount_in_twelve_keys() -> None:
    paying = Paying()
    paying.store.payments.put([PAID])
    read(paying.store, paying.clock)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        keys = await press(pilot, ["6", "P"], "enter: send")
        keys += await press(pilot, ["escape", "escape"], "amount")
        keys += await press(pilot, ["ctrl+u"], "2,500.00, 1k or 1.5m")
        await press(pilot, [*"2k"], "= 2,000.00 USD")
        keys += await press(pilot, ["enter", "enter"], "enter: send")
        ui.clock.advance(1)
        keys += await press(pilot, ["enter"], "Being recorded")
        assert keys <= 12
        assert [intent.terms.amount for intent in ui.port.submitted] == [2000]

    Dashboard(paying.store, paying.clock, port=paying.port).play(scenario)


def test_a_watched_pair_is_dealt_in_ten_keys() -> None:
    ui = Dashboard()
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        keys = await press(pilot, ["4", "t"], "1 of 7")
        keys += await press(pilot, ["enter"], "2 of 7")
        keys += await press(pilot, ["enter"], "3 of 7")
        keys += await press(pilot, ["enter"], "4 of 7")
        await press(pilot, [*"250k"], "= 250,000.00 AUD")
        keys += await press(pilot, ["enter"], "5 of 7")
        keys += await press(pilot, ["enter"], "6 of 7")
        keys += await press(pilot, ["enter"], "7 of 7")
        ui.clock.advance(1)
        keys += await press(pilot, ["enter"], "Trade · outcome")
        assert keys <= 10
        (intent,) = ui.port.submitted
        sold, bought = intent.terms.sell_currency, intent.terms.buy_currency
        assert (sold, bought) == (AUD_USD.sell, AUD_USD.buy)

    ui.play(scenario)
