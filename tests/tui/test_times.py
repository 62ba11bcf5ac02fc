"""Times as a trader reads them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from paytui.platform.clock import Zone
from paytui.tui.times import dated_seconds, since_time

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours_ago", "zone", "expected"),
    [
        (2, UTC, "07:00"),
        (9, UTC, "00:00"),
        (10, UTC, "01 Mar 23:00"),
        (49, UTC, "28 Feb 08:00"),
        (10, timezone(timedelta(hours=10)), "09:00"),
    ],
)
def test_what_began_before_today_says_the_day(hours_ago: int, zone: Zone, expected: str) -> None:
    assert since_time(NINE - timedelta(hours=hours_ago), NINE, zone) == expected


def test_an_end_on_another_day_says_the_date() -> None:
    assert dated_seconds(NINE + timedelta(seconds=150), NINE, UTC) == "09:02:30 UTC"
    assert dated_seconds(NINE - timedelta(days=1), NINE, UTC) == "2026-03-01 09:00:00 UTC"
