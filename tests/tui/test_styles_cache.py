"""Closed screens are freed, however often one is opened."""

from __future__ import annotations

import gc

import pytest
from textual.pilot import Pilot
from textual.strip import Strip

from tests.tui.dashboard import Dashboard

OPENED = 6


@pytest.mark.slow
@pytest.mark.parametrize("keys", [("question_mark",), ("3", "enter")])
def test_a_screen_that_was_left_leaves_no_painted_lines(
    ui: Dashboard, keys: tuple[str, ...]
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        async def look() -> None:
            await pilot.press(*keys)
            await pilot.pause()
            await pilot.press("escape")
            await pilot.pause()

        for _time in range(OPENED):
            await look()
        before = painted_lines()
        for _time in range(OPENED):
            await look()
        assert painted_lines() - before < OPENED

    ui.play(scenario)


def painted_lines() -> int:
    gc.collect()
    return sum(isinstance(thing, Strip) for thing in gc.get_objects())


def test_painted_lines_are_freed_without_the_garbage_collector(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", *"jk" * 10)
        before = painted_lines()
        gc.disable()
        try:
            await pilot.press(*"jk" * 40)
            await pilot.pause()
            kept = sum(isinstance(thing, Strip) for thing in gc.get_objects()) - before
        finally:
            gc.enable()
        assert kept < 20  # of two lines a key

    ui.play(scenario)
