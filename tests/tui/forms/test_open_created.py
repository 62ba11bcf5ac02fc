"""A created object is one key away."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import Standing
from paytui.tui.forms.declarations import wallet_form
from tests.tui.book import wallet
from tests.tui.dashboard import Dashboard, shows, text
from tests.tui.forms.filling import filling, opened, send, stands


@pytest.mark.slow
def test_what_was_made_opens_by_one_key_once_it_is_known_and_esc_leads_all_the_way_back() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await opened(pilot, wallet_form)
        await pilot.press(*"bo", "enter", *"usd", "f2")
        await send(ui, pilot)
        stands(ui, Standing.ACCEPTED, object_id="wal-9")
        await shows(pilot, "not read yet")
        assert "Open" not in text(pilot)
        ui.store.wallets.put([wallet(9, "USD desk", "0")])
        ui.store.notify()
        await shows(pilot, "o Open")
        await pilot.press("o")
        await shows(pilot, " Wallet USD desk of Acme")
        await pilot.press("escape")
        await shows(pilot, "New wallet · outcome")
        await pilot.press("escape")
        await shows(pilot, "1 Overview")

    filling().play(scenario)
