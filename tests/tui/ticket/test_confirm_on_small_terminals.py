"""On a small terminal a review may be cut, but no warning and no input."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.pilot import Pilot

from tests.support.intents import intent_row
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text, tick
from tests.tui.ticket.paying import Paying, fill_in
from tests.tui.ticket.test_payment_screen import dashboard, seen
from tests.tui.ticket.trading import of_wallet

ALL_OF_IT = ("enter: send", "Amount", "From", "To", "Bank account", "Bank", "Reference", "Service")
"""The texts of a payout's review, from the first to the last."""


@pytest.fixture
def paying() -> Paying:
    return Paying()


@pytest.mark.slow
def test_what_is_typed_and_the_warnings_stand_above_the_facts(paying: Paying) -> None:
    paying.store.intents.put([of_wallet(intent_row(1), "wal-2")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        found = [
            next(number for number, line in enumerate(lines(pilot)) if words in line)
            for words in ("Type 12 to confirm", "In doubt since", "enter: send", "Amount")
        ]
        assert found == sorted(found)

    dashboard(paying, live=True).play(scenario, size=(60, 20))


def test_what_was_not_seen_to_its_end_cannot_be_confirmed(paying: Paying) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await seen(ui, pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert paying.port.submitted == []
        assert "▼ page down" in "\n".join(lines(pilot))
        await pilot.press("pagedown", "pagedown", "pagedown")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert len(paying.port.submitted) == 1

    dashboard(paying).play(scenario, size=(80, 13))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 13), (120, 13)])
def test_a_review_that_one_comes_back_to_is_to_be_seen_to_its_end_as_before(
    paying: Paying, size: tuple[int, int]
) -> None:
    """The fields fit on the terminal: that says nothing of the review."""

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await shows(pilot, "▼ page down")
        await pilot.press("shift+tab")
        await shows(pilot, "Payout · reference")
        await seen(ui, pilot)
        await pilot.press("enter")
        await shows(pilot, "Payout · confirm")
        await seen(ui, pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert paying.port.submitted == []
        assert "▼ page down" in text(pilot)

    dashboard(paying).play(scenario, size=size)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [0, 6, 12, 27])
def test_what_comes_while_a_screen_is_come_back_to_is_to_be_seen_to_its_end_as_well(
    paying: Paying, turns: int
) -> None:
    """Warnings push facts off a small terminal before they are laid out: painting is held then."""
    in_doubt = [of_wallet(intent_row(number), "wal-2") for number in range(1, 7)]

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await shows(pilot, "Service")
        await pilot.press("f8")
        await shows(pilot, "Health of this paytui")
        ui.store.intents.put(in_doubt)
        pilot.app.post_message(events.Key("escape", None))
        for _ in range(turns):
            await asyncio.sleep(0)
        ui.store.notify()
        await shows(pilot, "In doubt since")
        ui.clock.advance(1)
        await tick(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert paying.port.submitted == []
        assert "▼ page down" in text(pilot)

    dashboard(paying).play(scenario, size=(80, 20))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 11), (120, 11)])
def test_whose_money_it_is_and_what_is_typed_stay_while_facts_are_paged(
    paying: Paying, size: tuple[int, int]
) -> None:
    ui = Dashboard(paying.store, paying.clock, settings=settings_of(live=True))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await shows(pilot, "▼ page down")
        seen = set(lines(pilot))
        while "▼ page down" in "\n".join(lines(pilot)):
            await pilot.press("pagedown")
            await pilot.pause()
            bar, title, *below = lines(pilot)
            assert "ACME LIVE" in bar
            assert "Payout · confirm" in title
            assert "Type 12 to confirm" in "\n".join(below)
            seen |= set(below)
        assert all(any(words in line for line in seen) for words in ALL_OF_IT)

    ui.play(scenario, size=size)
