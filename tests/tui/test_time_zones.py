"""Times in UTC or local time: the same in lists, details, header and exports."""

from __future__ import annotations

import csv
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.dashboard import Dashboard, shows, text


@pytest.fixture(autouse=True)
def brisbane(plain_environment: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ten hours ahead of UTC all the year, so that noon is 22:00."""
    monkeypatch.setenv("TZ", "AEST-10")
    time.tzset()
    yield
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


def test_z_shows_every_time_in_the_zone_of_this_machine_and_names_it(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "02 Mar 11:59")
        assert "12:00:00 UTC" in text(pilot)
        await pilot.press("z")
        await shows(pilot, "02 Mar 21:59")
        assert "22:00:00 AEST" in text(pilot)
        await pilot.press("enter")
        await shows(pilot, "2026-03-02 21:59:00 AEST")
        await pilot.press("z")
        await shows(pilot, "2026-03-02 11:59:00 UTC")

    ui.play(scenario)


def test_a_day_in_a_filter_is_one_of_the_zone_that_is_shown(ui: Dashboard) -> None:
    """20:00 UTC on the first is 06:00 on the second in Brisbane."""
    late = datetime(2026, 3, 1, 20, tzinfo=UTC)
    ui.store.payments.put([replace(row, created_at=late) for row in ui.store.payments.rows()])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash")
        await shows(pilot, "days in UTC")
        await pilot.press(*"created:2026-03-02", "enter")
        await shows(pilot, "0 payments, filtered")
        await pilot.press("z")
        await shows(pilot, "3 payments, filtered")
        await pilot.press("z")
        await shows(pilot, "0 payments, filtered")

    ui.play(scenario)


def test_an_export_has_the_times_that_the_screen_shows(
    ui: Dashboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "z", "e", "enter")
        await shows(pilot, "written to")

    ui.play(scenario)
    (file,) = tmp_path.iterdir()
    with file.open(newline="", encoding="utf-8") as lines:
        first = next(csv.DictReader(lines))
    assert first["created_at"] == "2026-03-02T21:59:00+10:00"
