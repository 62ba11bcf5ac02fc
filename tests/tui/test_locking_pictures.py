"""A locked dashboard as pictures."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.book import read
from tests.tui.dashboard import shows
from tests.tui.pictures import USUAL, Compare
from tests.tui.test_locking import UNLOCK, Locking, leave_alone
from tests.tui.ticket.paying import book, fill_in


def test_a_confirmation_that_was_left_alone_looks_as_it_did(snap_compare: Compare) -> None:
    ui = Locking(store=book())
    read(ui.store, ui.clock)

    async def go(pilot: Pilot[None]) -> None:
        await fill_in(pilot)
        await leave_alone(ui, pilot)
        await shows(pilot, "no key was pressed")

    assert snap_compare(ui.app(), run_before=go, terminal_size=USUAL)


def test_the_way_to_unlock_looks_as_it_did(snap_compare: Compare) -> None:
    ui = Locking(store=book())
    read(ui.store, ui.clock)

    async def go(pilot: Pilot[None]) -> None:
        await leave_alone(ui, pilot)
        await pilot.press(UNLOCK, *"demon", "enter")
        await shows(pilot, "That is not")

    assert snap_compare(ui.app(), run_before=go, terminal_size=USUAL)
