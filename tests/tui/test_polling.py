"""What screens tell of what is to be read: how often, and whether at all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Kind
from tests.tui.dashboard import Dashboard, lines, shows, until


@pytest.mark.slow
def test_polling_is_paused_by_name_and_said_for_as_long_as_it_is(desk: Dashboard) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+p", *"pause polling")
        await shows(pilot, "Pause polling")
        await pilot.press("enter")
        await shows(pilot, "polling paused")
        assert desk.port.paused == [True]
        await pilot.press("ctrl+p", *"go on polling")
        await shows(pilot, "Go on polling")
        await pilot.press("enter")
        await until(pilot, lambda: desk.port.paused == [True, False])
        await until(pilot, lambda: "paused" not in lines(pilot)[0])

    desk.play(scenario, size=(120, 24))


def test_a_list_on_view_is_what_is_read_often_and_on_the_overview_it_is_all(
    desk: Dashboard,
) -> None:
    async def scenario(desk: Dashboard, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: bool(desk.port.seen))
        assert desk.port.seen[-1] == frozenset(Kind)
        await pilot.press("6")
        await until(pilot, lambda: desk.port.seen[-1] == {Kind.PAYMENTS})
        await pilot.press("1")
        await until(pilot, lambda: desk.port.seen[-1] == frozenset(Kind))

    desk.play(scenario)


def test_a_list_that_is_read_otherwise_than_its_dialect_says_tells_so_beside_its_count(
    desk: Dashboard,
) -> None:
    feed = desk.store.feed(Kind.PAYMENTS)
    desk.store.set_feed(replace(feed, remark="read in pages: asked for changes, it says 400"))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "read in pages: asked for changes, it says 400")

    desk.play(scenario, size=(120, 24))
