"""Times, ages and periods as a trader reads them. All times are shown in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from paytui.money import MISSING


def short_time(moment: datetime | None) -> str:
    """Day and minute: `02 Mar 14:02`."""
    return MISSING if moment is None else moment.astimezone(UTC).strftime("%d %b %H:%M")


def full_time(moment: datetime | None) -> str:
    """Everything, with the zone: `2026-03-02 14:02:07 UTC`."""
    return MISSING if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def clock_time(moment: datetime) -> str:
    """The time of day: `14:02`."""
    return moment.astimezone(UTC).strftime("%H:%M")


def clock_seconds(moment: datetime) -> str:
    """The time of day to the second, with the zone: `14:02:07 UTC`."""
    return moment.astimezone(UTC).strftime("%H:%M:%S UTC")


def age(period: timedelta) -> str:
    """How old something is, in its largest unit: `40s`, `4 min`, `3 h`, `2 d`."""
    seconds = max(0, int(period.total_seconds()))
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit}"
    return f"{seconds} s"
