"""Keys typed ahead under a dialog that lies on a confirm step confirm nothing."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.tui.wizards.frame import WizardScreen
from tests.support.intents import intent_row
from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, shows, tick, until
from tests.tui.wizards.trading import fill, of_wallet, to_confirm

DIALOGS = {"question_mark": "esc goes back", "a": "enter chooses", "ctrl+p": "Search"}
"""What opens each, and words by which it is known to be on view."""


@pytest.mark.parametrize("key", DIALOGS)
def test_what_is_typed_while_a_dialog_lies_on_an_armed_step_confirms_nothing(key: str) -> None:
    desk = Dashboard()
    fill(desk.store)
    desk.store.rate_sheets.put([sheet("one", desk.clock, {AUD_USD: "0.65123"})])

    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        desk.clock.advance(1)
        await pilot.press(key)
        await shows(pilot, DIALOGS[key])
        for typed in ("escape", "enter", "enter"):
            pilot.app.post_message(events.Key(typed, None))
        await pilot.pause()
        assert desk.port.submitted == []
        await until(pilot, lambda: isinstance(pilot.app.screen, WizardScreen))
        desk.clock.advance(1)
        await pilot.press("enter")
        await shows(pilot, "Trade · confirmed")
        assert len(desk.port.submitted) == 1

    desk.play(scenario)


@pytest.mark.parametrize("answers", [True, False], ids=["answering", "mute"])
@pytest.mark.parametrize("key", DIALOGS)
def test_a_warning_that_came_under_a_dialog_is_to_be_seen_before_anything_is_confirmed(
    key: str, answers: bool
) -> None:
    """The dialog hides it, and whatever the terminal answers meanwhile is of the dialog."""
    desk = Dashboard()
    fill(desk.store)
    desk.store.rate_sheets.put([sheet("one", desk.clock, {AUD_USD: "0.65123"})])

    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await to_confirm(pilot)
        desk.clock.advance(1)
        await pilot.press(key)
        await shows(pilot, DIALOGS[key])
        desk.store.intents.put([of_wallet(intent_row(1), "wal-1")])
        desk.store.notify()
        for _ in range(2):
            desk.clock.advance(1)
            await tick(pilot)
            if answers:
                await answer(pilot)
        for typed in ("escape", "enter", "enter"):
            pilot.app.post_message(events.Key(typed, None))
        await shows(pilot, "in doubt since")
        assert desk.port.submitted == []

    desk.play(scenario)


async def answer(pilot: Pilot[None]) -> None:
    """The terminal has drawn what was sent so far."""
    pilot.app.post_message(events.CursorPosition(0, 0))
    await pilot.pause()
