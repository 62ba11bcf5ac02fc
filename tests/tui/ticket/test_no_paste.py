"""Confirmations are typed: a paste does not count."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from tests.tui.book import read
from tests.tui.dashboard import Dashboard, armed, settings_of, shows
from tests.tui.ticket.paying import book, fill_in


@pytest.mark.slow
def test_an_amount_that_is_pasted_confirms_nothing() -> None:
    ui = Dashboard(store=book(), settings=settings_of(live=True))
    read(ui.store, ui.clock)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await shows(pilot, "Type 12 to confirm")
        await armed(ui, pilot)
        focused = pilot.app.focused
        assert focused is not None
        focused.post_message(events.Paste("12"))
        pilot.app.copy_to_clipboard("12")
        await pilot.press("ctrl+v", "enter")
        await pilot.pause()
        assert ui.port.submitted == []
        await pilot.press("1", "2", "enter")
        await pilot.pause()
        assert len(ui.port.submitted) == 1

    ui.play(scenario, size=(100, 30))
