"""The palette opens and closes at the speed of typing."""

from __future__ import annotations

import asyncio

import pytest
from textual.pilot import Pilot

from paytui.tui.command_palette import Palette
from tests.tui.dashboard import Dashboard

TURNS = 40
"""Of the event loop, in the last of which it is long there."""


@pytest.mark.slow
def test_it_can_be_gone_at_any_moment_of_its_search(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        app = pilot.app
        for turns in range(TURNS):
            app.action_command_palette()
            while not any(search.node is app.screen for search in app.workers):  # noqa: ASYNC110 - nothing else tells it
                await asyncio.sleep(0)
            for _turn in range(turns):
                await asyncio.sleep(0)
            await app.pop_screen()
            await pilot.pause()
        await pilot.press("ctrl+p")
        assert isinstance(app.screen, Palette)

    ui.play(scenario)
