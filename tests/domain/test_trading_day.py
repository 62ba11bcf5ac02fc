"""The start of a trading day in two zones, also on the days when clocks change."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from paytui.domain.rates import DayStart, parse_day_start


@pytest.mark.parametrize(
    ("written", "now", "began"),
    [
        # Sydney is 11 h ahead in March: 07:00 there is 20:00 UTC of the day before.
        ("07:00 Australia/Sydney", "2026-03-02T12:00", "2026-03-01T20:00"),
        ("07:00 Australia/Sydney", "2026-03-02T19:59", "2026-03-01T20:00"),
        ("07:00 Australia/Sydney", "2026-03-02T20:00", "2026-03-02T20:00"),
        # Clocks go back an hour on 5 April 2026: from 20:00 UTC to 21:00 UTC.
        ("07:00 Australia/Sydney", "2026-04-05T12:00", "2026-04-04T21:00"),
        ("07:00 Australia/Sydney", "2026-04-04T12:00", "2026-04-03T20:00"),
        ("17:00 America/New_York", "2026-01-15T12:00", "2026-01-14T22:00"),
        ("17:00 America/New_York", "2026-07-15T12:00", "2026-07-14T21:00"),
        ("00:00 UTC", "2026-03-02T12:00", "2026-03-02T00:00"),
        # 02:30 was skipped in Berlin on 29 March 2026: the day begins at 01:30 UTC all the same.
        ("02:30 Europe/Berlin", "2026-03-29T12:00", "2026-03-29T01:30"),
    ],
)
def test_a_day_begins_at_its_time_in_its_zone(written: str, now: str, began: str) -> None:
    day = parse_day_start(written)
    found = day.begun(datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert found == datetime.fromisoformat(began).replace(tzinfo=UTC)


def test_a_zone_is_called_by_its_town() -> None:
    assert parse_day_start("17:00 America/New_York").short == "17:00 New York"
    assert DayStart().short == "00:00 UTC"
