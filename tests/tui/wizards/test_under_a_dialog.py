"""Keys typed ahead under a dialog that lies on a confirm step confirm nothing."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.tui.wizards.frame import WizardScreen
from tests.tui.book import AUD_USD, sheet
from tests.tui.dashboard import Dashboard, shows, until
from tests.tui.wizards.trading import fill, to_confirm

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
