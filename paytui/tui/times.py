"""Times, ages and periods for a trader, in UTC or in the zone of this machine."""

from __future__ import annotations

from datetime import datetime, timedelta

from paytui.domain.money import MISSING
from paytui.platform.clock import Zone


def short_time(moment: datetime | None, zone: Zone) -> str:
    """Return day and minute: `02 Mar 14:02`."""
    return MISSING if moment is None else _in(zone, moment).strftime("%d %b %H:%M")


def full_time(moment: datetime | None, zone: Zone) -> str:
    """Return date, time and zone: `2026-03-02 14:02:07 UTC`."""
    return MISSING if moment is None else _in(zone, moment).strftime("%Y-%m-%d %H:%M:%S %Z")


def since_time(moment: datetime, now: datetime, zone: Zone) -> str:
    """Return a start time: `14:02`; with the day if it is not today: `02 Mar 14:02`."""
    began = _in(zone, moment)
    is_today = began.date() == _in(zone, now).date()
    return began.strftime("%H:%M" if is_today else "%d %b %H:%M")


def clock_seconds(moment: datetime, zone: Zone) -> str:
    """Return the time of day with the zone: `14:02:07 UTC`."""
    return _in(zone, moment).strftime("%H:%M:%S %Z")


def dated_seconds(moment: datetime, now: datetime, zone: Zone) -> str:
    """Format a time like `clock_seconds`, with the date if it is not today."""
    is_today = _in(zone, moment).date() == _in(zone, now).date()
    return clock_seconds(moment, zone) if is_today else full_time(moment, zone)


def age(period: timedelta) -> str:
    """Format an age in its largest unit: `40s`, `4 min`, `3 h`, `2 d`."""
    seconds = max(0, int(period.total_seconds()))
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit}"
    return f"{seconds} s"


def _in(zone: Zone, moment: datetime) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:  # year 1 or 9999
        return moment
