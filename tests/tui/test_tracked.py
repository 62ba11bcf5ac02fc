"""Lists of tracked objects show their number and how to add to them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.api.dialect import load_dialect
from paytui.cli.wiring.compose import vocabulary_of
from paytui.domain.models import Kind, Problem, State
from paytui.store.health import Feed
from tests.support.clock import NOON
from tests.tui.book import payment
from tests.tui.dashboard import Dashboard, shows, text, tick


def track(ui: Dashboard, kind: Kind, tracked: int, problem: Problem | None = None) -> None:
    """The service has no list of a kind, and so many identifiers were read just now."""
    since = NOON if problem else None
    now = ui.clock.boot()
    ui.store.set_feed(
        Feed(
            kind,
            as_of=NOON,
            read_at=now,
            offered=False,
            tracked=tracked,
            problem=problem,
            failing_since=since,
        )
    )
    ui.store.notify()


def test_a_list_of_tracked_objects_says_how_many_and_how_to_add_more(ui: Dashboard) -> None:
    track(ui, Kind.PAYMENTS, 3)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        await shows(pilot, "no list, 3 tracked; more: paytui track ID…")
        await pilot.press("1")
        await shows(pilot, "✓ all lists current")

    ui.play(scenario)


def test_one_that_is_tracked_in_vain_is_named(ui: Dashboard) -> None:
    ui.store.payments.remove([payment(3, "1").payment_transaction_id])
    track(ui, Kind.PAYMENTS, 3, Problem("read payment pay-3", "404"))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "2 payments")
        await shows(pilot, "could not read payment pay-3: 404, since 12:00")

    ui.play(scenario, size=(120, 40))


def test_tracked_objects_that_nobody_read_lately_are_old(ui: Dashboard) -> None:
    track(ui, Kind.PAYMENTS, 3)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        ui.clock.advance(600)
        await tick(pilot)
        assert "payments 10 min old" in text(pilot)

    ui.play(scenario)


@pytest.mark.slow
def test_what_cannot_be_read_is_said_to_be_as_it_was_created(ui: Dashboard) -> None:
    known = ui.store.wallets.rows()
    unread = Feed(Kind.WALLETS, offered=False, tracked=len(known), unread=len(known))
    ui.store.set_feed(unread)
    state = State("pending, as created", known=False, as_created=True)
    ui.store.wallets.put([replace(one, status=state) for one in known])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, f"no list; {len(known)} as created, cannot be read")
        await shows(pilot, "? pending, as created")
        await pilot.press("enter")
        await shows(pilot, "? cannot be read")

    ui.play(scenario, size=(120, 40))


@pytest.mark.slow
def test_nobody_is_told_to_track_what_the_dialect_cannot_read(empty: Dashboard) -> None:
    empty.store.set_feed(Feed(Kind.TRADES, offered=False))
    empty.vocabulary = vocabulary_of(
        replace(load_dialect(), paths={**load_dialect().paths, "list_trades": (), "get_trade": ()})
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("5")
        await shows(
            pilot, "This service offers no list of trades. It cannot read single ones either."
        )
        assert "paytui track" not in text(pilot)

    empty.play(scenario)


@pytest.mark.slow
def test_what_is_never_listed_is_not_to_be_tracked(empty: Dashboard) -> None:
    empty.store.set_feed(Feed(Kind.RATE_SHEETS, offered=False))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await shows(pilot, "This service offers no locked rates.")
        assert "paytui track" not in text(pilot)

    empty.play(scenario)
