"""A line with a left and a right part: neither displaces the other; a cut is marked."""

from __future__ import annotations

from textual.pilot import Pilot

from paytui.domain.models import Kind
from tests.tui.book import failed
from tests.tui.dashboard import Dashboard, lines, shows


def test_long_words_on_a_feed_leave_the_title_of_its_panel(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        failed(ui.store, Kind.WALLETS, "the service says that it is being maintained until 18:00")
        await shows(pilot, " Balances  3    wallets 0 s old: the service…─ Rates")

    ui.play(scenario)


def test_a_long_title_leaves_half_of_the_line_to_the_words_on_its_feed(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "enter")
        ui.store.payments.remove([row.payment_transaction_id for row in ui.store.payments.rows()])
        failed(ui.store, Kind.PAYMENTS, "503")
        await shows(pilot, " Payout 12,000.00 AUD        the service no longer lists it…")

    ui.play(scenario, size=(60, 20))


def test_words_on_a_feed_do_not_read_as_part_of_the_title(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        failed(ui.store, Kind.PAYMENTS, "no answer in time, which is a minute")
        await pilot.press("6", "/", *"payout", "enter")
        await shows(pilot, "filtered")
        count, why = lines(pilot)[2].split("  ", 1)
        assert count == " 3 payments, filtered, by Created ▼"
        assert why.strip() == "payments 0 s old: no answer in time, which…"

    ui.play(scenario)
