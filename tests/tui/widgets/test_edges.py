"""A line with two ends: neither pushes the other off, and what is cut says so."""

from __future__ import annotations

from textual.pilot import Pilot

from paytui.domain.models import Kind
from tests.tui.book import failed
from tests.tui.dashboard import Dashboard, shows


def test_long_words_on_a_feed_leave_the_title_of_its_panel(desk: Dashboard) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        failed(desk.store, Kind.WALLETS, "the service says that it is being maintained until 18:00")
        await shows(pilot, " Balances wallets 0 s old: the service…│ Rates")

    desk.play(scenario)


def test_a_long_title_leaves_half_of_the_line_to_the_words_on_its_feed(desk: Dashboard) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        desk.store.payments.remove(
            [row.payment_transaction_id for row in desk.store.payments.rows()]
        )
        failed(desk.store, Kind.PAYMENTS, "503")
        await shows(pilot, " Payment pay-3  the service … payments 0 s old: 503, since …")

    desk.play(scenario, size=(60, 20))
