"""Keys close behind the one that opens a ticket are typed into it, in order."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.pilot import Pilot

from tests.tui.dashboard import Dashboard, shows, text
from tests.tui.ticket.paying import book

TYPED = "abcdefgh"


@pytest.mark.parametrize("turns", [0, 1, 2, 5])
def test_what_is_typed_while_a_ticket_opens_stays_in_order(turns: int) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for key in f"p{TYPED}":
            pilot.app.post_message(events.Key(key, key))
            for _turn in range(turns):  # of the event loop, until the next key comes
                await asyncio.sleep(0)
        await shows(pilot, TYPED[-1])
        await pilot.pause()
        [line] = [line for line in text(pilot).splitlines() if "▌ To" in line]
        assert TYPED in line

    Dashboard(store=book()).play(scenario)
