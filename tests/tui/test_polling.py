"""Screens tell the worker which lists to read, and how often."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Kind
from tests.tui.dashboard import Dashboard, lines, shows, until


@pytest.mark.slow
def test_polling_is_paused_by_name_and_said_for_as_long_as_it_is(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+p", *"pause polling")
        await shows(pilot, "Pause polling")
        await pilot.press("enter")
        await shows(pilot, "polling paused")
        assert ui.port.paused == [True]
        await pilot.press("ctrl+p", *"resume polling")
        await shows(pilot, "Resume polling")
        await pilot.press("enter")
        await until(pilot, lambda: ui.port.paused == [True, False])
        await until(pilot, lambda: "paused" not in lines(pilot)[0])

    ui.play(scenario, size=(120, 24))


def test_a_list_on_view_is_what_is_read_often_and_on_the_overview_it_is_all(
    ui: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: bool(ui.port.seen))
        assert ui.port.seen[-1] == frozenset(Kind)
        await pilot.press("6")
        await until(pilot, lambda: ui.port.seen[-1] == {Kind.PAYMENTS})
        await pilot.press("1")
        await until(pilot, lambda: ui.port.seen[-1] == frozenset(Kind))

    ui.play(scenario)


def test_a_list_that_is_read_otherwise_than_its_dialect_says_tells_so_beside_its_count(
    ui: Dashboard,
) -> None:
    feed = ui.store.feed(Kind.PAYMENTS)
    ui.store.set_feed(replace(feed, remark="read in pages: the list of changes fails: 400"))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "read in pages: the list of changes fails: 400")

    ui.play(scenario, size=(120, 24))
