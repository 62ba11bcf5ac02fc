"""Keys close behind a screen's number act on that screen, on its rows as they are now."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.domain.models import RecipientId
from tests.tui.dashboard import Dashboard, shows, tells, text, until
from tests.tui.ticket.paying import book

STARTS = {"overview": (), "list": ("3",), "detail": ("3", "enter"), "visited": ("7", "1")}


async def burst(pilot: Pilot[None], keys: str, turns: int = 0) -> None:
    """Press keys, with so many turns of the event loop between them."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key))
        for _ in range(turns):
            await asyncio.sleep(0)


async def start_at(pilot: Pilot[None], start: str) -> None:
    for key in STARTS[start]:
        await pilot.press(key)
        await pilot.pause()


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("turns", [0, 1, 2, 5])
def test_the_row_of_the_new_screen_is_paid(start: str, turns: int) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await start_at(pilot, start)
        await burst(pilot, "7jp", turns)
        await shows(pilot, "▌ From")
        await tells(pilot, "To Globex")

    Dashboard(store=book()).play(scenario)


@pytest.mark.slow
def test_a_review_that_a_number_leaves_takes_none_of_the_keys_behind_it() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("p", *"globex", "enter", "enter", "1", "tab", "enter")
        await shows(pilot, "Payout · confirm")
        await burst(pilot, "7jp", 1)
        await shows(pilot, "▌ From")
        await tells(pilot, "To Globex")
        assert "1.00 USD" not in text(pilot)

    Dashboard(store=book()).play(scenario)


def test_a_number_typed_before_the_first_paint_waits_for_it(ui: Dashboard) -> None:
    modes: list[str] = []

    async def scenario() -> None:
        app = ui.app()
        app._painted = lambda: modes.append(app.current_mode)
        app.post_message(events.Key("3", "3"))
        async with app.run_test() as pilot:
            await shows(pilot, "Wallets")
            await until(pilot, lambda: app.current_mode == "wallets")

    asyncio.run(scenario())
    assert modes == ["overview"]


def test_keys_that_wait_in_the_old_screen_come_before_later_ones() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await burst(pilot, "7j")
        await burst(pilot, "jp", 1)
        await tells(pilot, "To Hooli")

    Dashboard(store=book()).play(scenario)


def test_a_row_that_is_gone_meanwhile_is_not_paid() -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await start_at(pilot, "visited")
        ui.store.recipients.remove([RecipientId("rec-7")])
        await burst(pilot, "7p")
        await tells(pilot, "To Globex")
        assert "Cyberdyne" not in text(pilot)

    Dashboard(store=book()).play(scenario)


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_a_key_before_the_number_means_nothing_to_the_new_screen(turns: int) -> None:
    """`n` is bound on Recipients, but not on the Overview."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await burst(pilot, "n7", turns)
        await until(pilot, lambda: pilot.app.current_mode == "recipients")
        await pilot.pause()
        assert len(pilot.app.screen_stack) == 1

    Dashboard(store=book()).play(scenario)
