"""The number of keys for the commonest tasks, beside names and amounts."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.domain.models import RecipientId, WalletId
from tests.tui.book import AUD_USD, read, sheet
from tests.tui.dashboard import Dashboard, shows
from tests.tui.ticket.paying import USD_SPARE, Paying
from tests.tui.ticket.test_payment_start import PAID
from tests.tui.ticket.trading import fill


async def press(pilot: Pilot[None], keys: list[str], words: str) -> int:
    """Press keys and wait for what they lead to; how many they are."""
    await pilot.press(*keys)
    await shows(pilot, words)
    return len(keys)


def test_a_payment_is_repeated_with_another_amount_in_seven_keys() -> None:
    paying = Paying()
    paying.store.payments.put([PAID])
    read(paying.store, paying.clock)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        keys = await press(pilot, ["6", "P"], "enter: send")
        keys += await press(pilot, ["shift+tab", "shift+tab"], "Payout · amount")
        keys += await press(pilot, ["ctrl+u"], "e.g. 2,500.00, 1k or 1.5m")
        await press(pilot, [*"2k"], "= 2,000.00 USD")
        keys += await press(pilot, ["enter"], "enter: send")
        ui.clock.advance(1)
        keys += await press(pilot, ["enter"], "Being recorded")
        assert keys <= 7
        assert [intent.terms.amount for intent in ui.port.submitted] == [2000]

    Dashboard(paying.store, paying.clock, port=paying.port).play(scenario)


@pytest.mark.slow
def test_a_recipient_is_paid_by_name_in_four_keys() -> None:
    paying = Paying()
    paying.store.wallets.remove([USD_SPARE])
    read(paying.store, paying.clock)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        keys = await press(pilot, ["p"], "Payout · to")
        await press(pilot, [*"glob"], "› Globex")
        keys += await press(pilot, ["enter"], "Payout · amount")
        await press(pilot, [*"250"], "= 250.00 USD")
        keys += await press(pilot, ["enter"], "enter: send")
        ui.clock.advance(1)
        keys += await press(pilot, ["enter"], "Being recorded")
        assert keys <= 4
        assert [intent.terms.amount for intent in ui.port.submitted] == [250]

    Dashboard(paying.store, paying.clock, port=paying.port).play(scenario)


def test_the_pair_under_the_cursor_is_dealt_in_three_keys() -> None:
    ui = Dashboard()
    fill(ui.store)
    ui.store.wallets.remove([WalletId("wal-2")])
    ui.store.recipients.remove([RecipientId("rec-1")])
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await press(pilot, ["4"], "0.65123")
        keys = await press(pilot, ["t"], "Trade · sell amount")
        await press(pilot, [*"250k"], "= 250,000.00 AUD")
        keys += await press(pilot, ["enter"], "enter: book")
        ui.clock.advance(1)
        keys += await press(pilot, ["enter"], "Trade · outcome")
        assert keys <= 3
        (intent,) = ui.port.submitted
        sold, bought = intent.terms.sell_currency, intent.terms.buy_currency
        assert (sold, bought) == (AUD_USD.sell, AUD_USD.buy)

    ui.play(scenario)
