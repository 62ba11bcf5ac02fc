"""Keys typed ahead under a dialog over a review confirm nothing."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.tui.ticket.screen import TicketScreen
from tests.support.intents import intent_row
from tests.tui.dashboard import Dashboard, answer, shows, tick, until
from tests.tui.ticket.paying import book, fill_in
from tests.tui.ticket.trading import of_wallet

DIALOGS = {"question_mark": "esc: back", "a": "enter: choose", "ctrl+p": "Search"}
"""The key that opens each dialog, and text that shows that it is visible."""


@pytest.fixture
def paying() -> Dashboard:
    return Dashboard(store=book(), answers=False)


async def confirm_under(dialog: str, pilot: Pilot[None]) -> None:
    """A payout is about to be confirmed, could have been seen, and a dialog is opened over it."""
    await fill_in(pilot)
    await answer(pilot)
    await pilot.press(dialog)
    await shows(pilot, DIALOGS[dialog])


@pytest.mark.slow
@pytest.mark.parametrize("key", ["question_mark", "ctrl+p"])
def test_what_is_typed_while_a_dialog_lies_on_an_armed_review_confirms_nothing(
    paying: Dashboard, key: str
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await confirm_under(key, pilot)
        for typed in ("escape", "enter", "enter"):
            pilot.app.post_message(events.Key(typed, None))
        await pilot.pause()
        assert ui.port.submitted == []
        await until(pilot, lambda: isinstance(pilot.app.screen, TicketScreen))
        await answer(pilot)
        await pilot.press("enter")
        await shows(pilot, "Payout · outcome")
        assert len(ui.port.submitted) == 1

    paying.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "answers"), [("question_mark", True), ("a", False), ("ctrl+p", True)]
)
def test_a_warning_that_came_under_a_dialog_is_to_be_seen_before_anything_is_confirmed(
    paying: Dashboard, key: str, answers: bool
) -> None:
    """The dialog hides it, and whatever the terminal answers meanwhile is of the dialog."""

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await confirm_under(key, pilot)
        ui.store.intents.put([of_wallet(intent_row(1), "wal-2")])
        ui.store.notify()
        for _ in range(2):
            ui.clock.advance(1)
            await tick(pilot)
            if answers:
                await answer(pilot)
        for typed in ("escape", "enter", "enter"):
            pilot.app.post_message(events.Key(typed, None))
        await shows(pilot, "In doubt since")
        assert ui.port.submitted == []

    paying.play(scenario)
