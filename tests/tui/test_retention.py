"""A list with only its newest rows in memory tells the total, without a warning."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Kind, State
from paytui.store.store import Store
from tests.tui.book import payment, read, wallet
from tests.tui.dashboard import Dashboard, lines, shows, text


def retained() -> Dashboard:
    """Two of five payments are in memory."""
    ui = Dashboard(store=Store(retain=2))
    done = State("completed", final=True)
    five = [replace(payment(n, "1", minutes_ago=n), status=done) for n in range(5)]
    ui.store.wallets.put([wallet(1, "AUD desk", "10")])
    ui.store.payments.put(five)
    retention = ui.store.retention(Kind.PAYMENTS)
    assert retention is not None
    payments = ui.store.table(Kind.PAYMENTS)
    payments.remove([payments.key(row) for row in retention.surplus()])
    read(ui.store, ui.clock)
    ui.store.set_feed(replace(ui.store.feed(Kind.PAYMENTS), total=5))
    return ui


@pytest.mark.slow
def test_the_list_says_how_many_of_how_many() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "2+ payments")
        assert lines(pilot)[2].endswith("2 of 5 ─")

    retained().play(scenario)


@pytest.mark.slow
def test_on_the_overview_it_is_no_trouble_and_net_positions_lack_nothing() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "✓ all lists current")
        assert "net:" not in text(pilot)

    retained().play(scenario, size=(100, 40))


@pytest.mark.slow
def test_more_that_is_missing_than_was_left_out_is_a_warning() -> None:
    ui = retained()
    ui.store.set_feed(replace(ui.store.feed(Kind.PAYMENTS), cut=True))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "! payments 3 of 5 not read")
        assert "net: 3 payments not read" in text(pilot)

    ui.play(scenario, size=(100, 40))


@pytest.mark.slow
def test_what_came_from_the_cache_is_told() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "2 of 5")
        ui.store.payments.recall([replace(payment(9, "1"), status=State("completed", final=True))])
        ui.store.notify()
        await shows(pilot, "3 of 5, 1 from the cache")

    retained().play(scenario)
