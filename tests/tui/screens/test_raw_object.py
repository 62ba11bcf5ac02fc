"""The raw JSON of an object: read on request, and of that object only."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Kind, Problem, RawObject
from paytui.store.screen_rows import RawRead
from tests.support.clock import NOON
from tests.tui.dashboard import Dashboard, lines, shows, text

LINES = ("{", '  "walletId": "wal-1",', '  "colour": "[bold]teal[/bold]",', '  "n": 1.10', "}")
RAW = RawObject(LINES, cut=False, size=70, source="read wallet wal-1")


def arrives(ui: Dashboard, key: str, raw: RawObject | None, problem: Problem | None) -> None:
    ui.store.raw_reads.put([RawRead(Kind.WALLETS, key, NOON, raw, problem)])
    ui.store.notify()


async def open_raw(pilot: Pilot[None]) -> None:
    await pilot.press("3", "enter")
    await shows(pilot, "Wallet id")
    await pilot.press("R")
    await shows(pilot, "Reading it from the service")


@pytest.mark.slow
def test_it_is_asked_for_once_and_shown_with_the_time_of_its_read(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        assert ui.port.raw_reads == []
        await open_raw(pilot)
        assert ui.port.raw_reads == [(Kind.WALLETS, "wal-1")]
        arrives(ui, "wal-1", RAW, None)
        for line in LINES:
            await shows(pilot, line)
        assert "Service answer to: read wallet wal-1" in text(pilot)
        assert lines(pilot)[2].endswith("as received, 12:00:00 UTC ─")
        await pilot.press("escape")
        await shows(pilot, "Wallet id")
        assert ui.port.raw_reads == [(Kind.WALLETS, "wal-1")]

    ui.play(scenario)


@pytest.mark.slow
def test_the_answer_for_another_object_is_not_shown(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await open_raw(pilot)
        arrives(ui, "wal-2", RAW, None)
        await pilot.pause()
        assert "colour" not in text(pilot)
        assert "Reading it" in text(pilot)

    ui.play(scenario)


def test_an_answer_from_an_earlier_time_is_not_taken_for_this_one(ui: Dashboard) -> None:
    arrives(ui, "wal-1", RAW, None)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await open_raw(pilot)
        assert "colour" not in text(pilot)

    ui.play(scenario)


def test_why_it_cannot_be_read_is_said_in_words(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await open_raw(pilot)
        arrives(ui, "wal-1", None, Problem("read wallet wal-1", "404", "no such wallet"))
        await shows(pilot, "Could not read wallet wal-1: 404 (no such wallet).")
        assert "not read, 12:00:00 UTC" in lines(pilot)[2]

    ui.play(scenario)


@pytest.mark.slow
def test_what_is_cut_says_of_how_much(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await open_raw(pilot)
        cut = RawObject(("x" * 20_000,), cut=True, size=10_000_000, source="read wallet wal-1")
        arrives(ui, "wal-1", cut, None)
        await shows(pilot, "20,000 characters of a response of 10,000,000 bytes")

    ui.play(scenario, size=(120, 40))
