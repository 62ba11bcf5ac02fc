"""A list with only its newest rows in memory tells the total, without a warning."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Kind, OlderRowsQuery, State
from paytui.store.store import OlderRows, Store
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
        await shows(pilot, "2 payments")
        assert lines(pilot)[2].endswith("2 of 5")

    retained().play(scenario)


@pytest.mark.slow
def test_on_the_overview_it_is_no_trouble_and_net_positions_lack_nothing() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "✓ payments 2 of 5")
        assert "net:" not in text(pilot)

    retained().play(scenario, size=(100, 40))


@pytest.mark.slow
def test_more_that_is_missing_than_was_left_out_is_a_warning() -> None:
    ui = retained()
    ui.store.set_feed(replace(ui.store.feed(Kind.PAYMENTS), cut=True))

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "! payments 2 of 5")
        assert "net: 2 of 5 payments" in text(pilot)

    ui.play(scenario, size=(100, 40))


@pytest.mark.slow
def test_enter_in_the_filter_looks_for_older_ones_in_the_cache() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"amount>5 aud")
        await shows(pilot, "No payments in memory match the filter. enter: search older ones too")
        assert ui.port.reached == []
        await pilot.press("enter")
        assert ui.port.reached == [
            (Kind.PAYMENTS, OlderRowsQuery("amount>5 aud", zone=ui.settings.display.zone))
        ]
        ui.store.set_older(Kind.PAYMENTS, OlderRows(ui.port.reached[0][1]))
        ui.store.notify()
        await shows(pilot, "No payments match the filter, older ones included. esc: clear.")

    retained().play(scenario, size=(120, 24))


@pytest.mark.slow
def test_a_filter_says_of_how_many_it_shows_the_newest_and_not_of_another_filter() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"aud", "enter")
        await shows(pilot, " 2 payments, filtered")
        [(_, query)] = ui.port.reached
        ui.store.set_older(Kind.PAYMENTS, OlderRows(query, total=34_120))
        ui.store.notify()
        await shows(pilot, " 2 of 34,120 payments, filtered")
        await pilot.press("slash", "end", "space", *"ref")
        await shows(pilot, " 2 payments, filtered")

    retained().play(scenario, size=(120, 24))


@pytest.mark.slow
def test_a_filter_says_why_older_ones_were_not_searched() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"aud", "enter")
        [(_, query)] = ui.port.reached
        ui.store.set_older(Kind.PAYMENTS, OlderRows(query, problem="The cache is disabled."))
        ui.store.notify()
        await shows(pilot, "Older ones not searched: The cache is disabled.")

    retained().play(scenario, size=(120, 24))


@pytest.mark.slow
def test_where_nothing_matches_a_failed_search_includes_no_older_ones() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"zzz", "enter")
        [(_, query)] = ui.port.reached
        ui.store.set_older(Kind.PAYMENTS, OlderRows(query, problem="The cache is disabled."))
        ui.store.notify()
        await shows(pilot, "No payments in memory match the filter. esc: clear.")
        assert "older ones included" not in text(pilot)

    retained().play(scenario, size=(120, 24))


@pytest.mark.slow
def test_a_full_id_is_asked_of_the_service_too() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"pay-00000009", "enter")
        [(_, query)] = ui.port.reached
        assert (query.filter, query.identifier) == ("pay-00000009", "pay-00000009")

    retained().play(scenario, size=(120, 24))


@pytest.mark.slow
def test_enter_asks_for_nothing_where_all_is_in_memory(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"pay-00000009", "enter")
        await shows(pilot, "No payments match the filter. esc: clear.")
        assert ui.port.reached == []
        assert "For older rows" not in text(pilot)

    ui.play(scenario, size=(120, 24))


@pytest.mark.slow
def test_what_came_from_the_cache_is_told() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "2 of 5")
        ui.store.payments.recall([replace(payment(9, "1"), status=State("completed", final=True))])
        ui.store.notify()
        await shows(pilot, "3 of 5, 1 from the cache")

    retained().play(scenario)
