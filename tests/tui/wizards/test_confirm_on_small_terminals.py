"""On a small terminal a confirm step may cut facts, but no warning and no input."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.pilot import Pilot

from tests.support.intents import intent_row
from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text, tick
from tests.tui.wizards.paying import Paying
from tests.tui.wizards.test_payment_screen import dashboard, seen
from tests.tui.wizards.trading import fill, of_wallet, to_confirm

ALL_OF_IT = ("enter: book", "You sell", "from", "You buy", "into", "Rate", "Inverse", "Sent to")
"""The texts of a trade's confirm step, from the first to the last."""


@pytest.mark.slow
def test_what_is_typed_and_the_warnings_stand_above_the_facts() -> None:
    ui = Dashboard(settings=settings_of(live=True))
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        found = [
            next(number for number, line in enumerate(lines(pilot)) if words in line)
            for words in ("Type 250000 to confirm", "enter: book", "You sell")
        ]
        assert found == sorted(found)
        await pilot.press("escape")
        await pilot.pause()
        shown = "\n".join(lines(pilot))
        assert "6 of 7" in shown

    ui.play(scenario, size=(60, 20))


def test_what_was_not_seen_to_its_end_cannot_be_confirmed() -> None:
    ui = Dashboard()
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        ui.clock.advance(1)
        await pilot.press("enter")
        await pilot.pause()
        assert ui.port.submitted == []
        assert "▼ page down" in "\n".join(lines(pilot))
        await pilot.press("pagedown", "pagedown", "pagedown")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert len(ui.port.submitted) == 1

    ui.play(scenario, size=(80, 13))


def test_a_step_that_one_comes_back_to_is_to_be_seen_to_its_end_as_before() -> None:
    """The step before fits on the terminal: that says nothing of this one."""
    paying = Paying()

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p")
        await shows(pilot, "from")
        await pilot.press("down", "down", "enter")
        await shows(pilot, "recipient")
        await seen(ui, pilot)
        await pilot.press("enter")
        await shows(pilot, "amount")
        await pilot.press(*"1.2k", "enter", *"INV 7", "enter")
        await shows(pilot, "▼ page down")
        await pilot.press("escape")
        await shows(pilot, "4 of 5")
        await pilot.press("enter")
        await shows(pilot, "5 of 5")
        await seen(ui, pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert paying.port.submitted == []
        assert "▼ page down" in text(pilot)

    dashboard(paying).play(scenario, size=(80, 16))


@pytest.mark.slow
@pytest.mark.parametrize("turns", [0, 6, 12, 27])
def test_what_comes_while_a_screen_is_come_back_to_is_to_be_seen_to_its_end_as_well(
    turns: int,
) -> None:
    """Warnings push facts off a small terminal before they are laid out: painting is held then."""
    ui = Dashboard()
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])
    in_doubt = [of_wallet(intent_row(number), "wal-1") for number in range(1, 5)]

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        await shows(pilot, "Sent to")
        await pilot.press("f8")
        await shows(pilot, "Health of this paytui")
        ui.store.intents.put(in_doubt)
        pilot.app.post_message(events.Key("escape", None))
        for _ in range(turns):
            await asyncio.sleep(0)
        ui.store.notify()
        await shows(pilot, "in doubt since")
        ui.clock.advance(1)
        await tick(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert ui.port.submitted == []
        assert "▼ page down" in text(pilot)

    ui.play(scenario, size=(80, 16))


def test_whose_money_it_is_and_how_long_the_rate_lasts_stay_while_facts_are_paged() -> None:
    ui = Dashboard(settings=settings_of(live=True))
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        await shows(pilot, "▼ page down")
        seen = set(lines(pilot))
        while "▼ page down" in "\n".join(lines(pilot)):
            await pilot.press("pagedown")
            await pilot.pause()
            bar, title, *below = lines(pilot)
            assert "ACME LIVE" in bar
            assert "7 of 7" in title
            assert "valid" in title
            assert "Type 250000 to confirm" in "\n".join(below)
            seen |= set(below)
        assert all(any(words in line for line in seen) for words in ALL_OF_IT)

    ui.play(scenario, size=(60, 11))
