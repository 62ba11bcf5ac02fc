"""Data of a previous run is shown at once, with its age until it is read again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Kind
from paytui.store.health import Link
from tests.tui.book import failed, payment, read
from tests.tui.dashboard import Dashboard, lines, shows, text, tick

FOURTEEN_MINUTES = 840


@pytest.fixture
def cached(ui: Dashboard) -> Dashboard:
    """A dashboard that just started on what another one knew fourteen minutes ago."""
    for kind in Kind:
        _cache(ui, kind)
    ui.store.set_link(Link())
    return ui


def _cache(ui: Dashboard, kind: Kind) -> None:
    feed = ui.store.feed(kind)
    if feed.read_at is not None:
        read_at = ui.clock.boot() - FOURTEEN_MINUTES
        ui.store.set_feed(replace(feed, read_at=read_at, cached=True))


def test_balances_are_there_and_each_panel_says_how_old_its_figures_are(cached: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "1,274,330.15")
        status, *body = lines(pilot)
        assert "cached, 14 min old" in status
        balances = next(line for line in body if "Balances" in line)
        assert "cached, 14 min old" in balances
        today = next(line for line in body if "Today  " in line and "Change" not in line)
        assert "cached, 14 min old" in today
        assert "lists cached, 14 min old" in text(pilot)

    cached.play(scenario, size=(100, 40))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["2", "6"])
def test_every_list_says_how_old_it_is(cached: Dashboard, key: str) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await shows(pilot, "cached, 14 min old")
        title = next(line for line in lines(pilot)[2:] if "cached" in line)
        assert title.endswith("cached, 14 min old ─")

    cached.play(scenario)


def test_the_age_goes_on_and_a_read_that_confirms_it_takes_the_mark_away(
    cached: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        ui.clock.advance(60)
        await tick(pilot)
        await shows(pilot, "cached, 15 min old")
        read(ui.store, ui.clock)
        await pilot.pause()
        await tick(pilot)
        assert "cached" not in text(pilot)
        assert "1,274,330.15" in text(pilot)

    cached.play(scenario)


def test_figures_of_today_and_net_positions_say_it_while_only_wallets_were_read(
    cached: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        feed = ui.store.feed(Kind.WALLETS)
        ui.store.set_feed(replace(feed, read_at=ui.clock.boot(), cached=False))
        ui.store.notify()
        await shows(pilot, "net: trades 14 min old")

    cached.play(scenario, size=(100, 40))


@pytest.mark.slow
def test_that_nothing_needs_anybody_is_not_said_of_what_is_old(cached: Dashboard) -> None:
    cached.store.payments.put([payment(3, "12000", "completed")])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        before = text(pilot)
        assert "Nothing needs" not in before
        read(ui.store, ui.clock)
        await shows(pilot, "Nothing needs")

    cached.play(scenario)


def test_a_list_that_cannot_be_read_says_why_and_how_old_it_is(cached: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        failed(ui.store, Kind.PAYMENTS, "503")
        await pilot.press("6")
        await shows(pilot, "payments 14 min old: 503")

    cached.play(scenario)
