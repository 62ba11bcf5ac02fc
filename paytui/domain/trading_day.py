"""The start of a desk's trading day: a time of day in a time zone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

_WRITTEN = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9]) (\S+)")


class NotADayStart(ValueError):
    """A text that is not the start of a day; the message is a clause with the reason."""


@dataclass(frozen=True, slots=True)
class DayStart:
    """The start of a trading day: `07:00 Australia/Sydney`."""

    at: time = time(0)
    zone: tzinfo = UTC
    zone_name: str = "UTC"

    def __str__(self) -> str:
        return f"{self.at:%H:%M} {self.zone_name}"

    @property
    def short(self) -> str:
        """Return a shorter form: `07:00 Sydney`."""
        return f"{self.at:%H:%M} {self.zone_name.rpartition('/')[2].replace('_', ' ')}"

    def begun(self, now: datetime) -> datetime:
        """Return the start in UTC of the day that contains `now`, across clock changes."""
        today = now.astimezone(self.zone).date()
        began = self._begin(today)
        return began if began <= now else self._begin(today - timedelta(days=1))

    def _begin(self, day: date) -> datetime:
        return datetime.combine(day, self.at, self.zone).astimezone(UTC)


def parse_day_start(text: str) -> DayStart:
    """Parse a time of day and a zone by its name in the tz database.

    Raises:
        NotADayStart: the text is not one, or the zone is unknown.
    """
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise NotADayStart("must be a time of day and a time zone")
    return DayStart(time(int(match[1]), int(match[2])), _zone(match[3]), match[3])


def _zone(name: str) -> tzinfo:
    if name == "UTC":  # works without a tz database
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # the name may also be a path or a folder
        raise NotADayStart("names no time zone that this machine knows") from None
