"""Numbers, periods and moments as a person types them; None where a text is none."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Context, Decimal

_NUMBER = re.compile(
    r"(?P<sign>-?)(?P<digits>\d{1,3}(,\d{3})+|\d+(_\d+)*)?(?P<rest>\.\d+)?(?P<unit>[kmb]?)",
    re.ASCII | re.IGNORECASE,
)
_POWERS = {"": 0, "k": 3, "m": 6, "b": 9}
_PERIOD = re.compile(r"(\d{1,6})(s|min|m|h|d|w)", re.ASCII | re.IGNORECASE)
_UNITS = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
LONGEST_NUMBER = 100
_EXACT = Context(prec=LONGEST_NUMBER + 10)


def read_number(text: str) -> Decimal | None:
    """An exact number: `10000`, `10k`, `1.5m`, `2b`, `2,500,000`, `1_000`, `-3`.

    A comma is good only before each three digits: `1,5` could mean two things, and is no number.
    """
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > LONGEST_NUMBER or not (match["digits"] or match["rest"]):
        return None
    digits = (match["digits"] or "0").replace(",", "").replace("_", "")
    number = Decimal(f"{match['sign']}{digits}{match['rest'] or ''}")
    return number.scaleb(_POWERS[match["unit"].lower()], _EXACT)


def read_period(text: str) -> timedelta | None:
    """A period from seconds to weeks: `45s`, `30m`, `30min`, `1h`, `7d`, `2w`."""
    match = _PERIOD.fullmatch(text)
    return None if match is None else int(match[1]) * _UNITS[match[2].lower()]


def read_day(text: str) -> date | None:
    """A day; ISO 8601. It has no zone: where clocks go on at midnight it has no first moment."""
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        return None


def read_moment(text: str, zone: tzinfo | None = UTC) -> datetime | None:
    """A moment; ISO 8601.

    Where it names no offset it is in this zone; None is the zone of this machine.
    """
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None and zone is not None:
            moment = moment.replace(tzinfo=zone)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
