"""Keys typed ahead under a dialog over a confirm step confirm nothing."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.tui.wizards.screen import WizardScreen
from tests.support.intents import intent_row
from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, answer, shows, tick, until
from tests.tui.wizards.trading import fill, of_wallet, to_confirm

DIALOGS = {"question_mark": "esc: back", "a": "enter: choose", "ctrl+p": "Search"}
"""The key that opens each dialog, and text that shows that it is visible."""


@pytest.fixture
def dealing() -> Dashboard:
    """A desk that can trade at a rate that is locked."""
    ui = Dashboard(answers=False)
    fill(ui.store)
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65123"})])
    return ui


async def confirm_under(dialog: str, ui: Dashboard, pilot: Pilot[None]) -> None:
    """A trade is about to be confirmed, could have been seen, and a dialog is opened over it."""
    await to_confirm(pilot)
    await answer(pilot)
    await pilot.press(dialog)
    await shows(pilot, DIALOGS[dialog])


@pytest.mark.slow
@pytest.mark.parametrize("key", ["question_mark", "ctrl+p"])
def test_what_is_typed_while_a_dialog_lies_on_an_armed_step_confirms_nothing(
    dealing: Dashboard, key: str
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await confirm_under(key, ui, pilot)
        for typed in ("escape", "enter", "enter"):
            pilot.app.post_message(events.Key(typed, None))
        await pilot.pause()
        assert ui.port.submitted == []
        await until(pilot, lambda: isinstance(pilot.app.screen, WizardScreen))
        await answer(pilot)
        await pilot.press("enter")
        await shows(pilot, "Trade · outcome")
        assert len(ui.port.submitted) == 1

    dealing.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "answers"), [("question_mark", True), ("a", False), ("ctrl+p", True)]
)
def test_a_warning_that_came_under_a_dialog_is_to_be_seen_before_anything_is_confirmed(
    dealing: Dashboard, key: str, answers: bool
) -> None:
    """The dialog hides it, and whatever the terminal answers meanwhile is of the dialog."""

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await confirm_under(key, ui, pilot)
        ui.store.intents.put([of_wallet(intent_row(1), "wal-1")])
        ui.store.notify()
        for _ in range(2):
            ui.clock.advance(1)
            await tick(pilot)
            if answers:
                await answer(pilot)
        for typed in ("escape", "enter", "enter"):
            pilot.app.post_message(events.Key(typed, None))
        await shows(pilot, "in doubt since")
        assert ui.port.submitted == []

    dealing.play(scenario)
