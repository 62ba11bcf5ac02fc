"""Pasted text is untrusted: control characters in it have no effect."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from paytui.domain.intent import SendPermission
from tests.support.escapes import foreign
from tests.tui.dashboard import Dashboard, shows, text

BAD = "bad\x9b2J \x1b[31m\x1b]52;c;ZXZpbA==\x07 sa\u202efe\u200b\u3164\ud800end\nsecond\x85third"


@pytest.mark.slow
@pytest.mark.parametrize(
    "way",
    [
        pytest.param(("3", "slash"), id="a filter"),
        pytest.param(("3", "ctrl+p"), id="the palette"),
        pytest.param(("2", "n", "enter", "down", "down"), id="a form"),
    ],
)
def test_nothing_of_a_paste_reaches_the_terminal_as_an_escape(
    ui: Dashboard, way: tuple[str, ...]
) -> None:
    ui.store.set_sending(SendPermission(allowed=True, why=""))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for key in way:
            await pilot.press(key)
        pilot.app.post_message(events.Paste(BAD))
        await shows(pilot, "bad\ufffd2J")
        assert foreign(text(pilot)) == []

    ui.play(scenario, size=(120, 30))
