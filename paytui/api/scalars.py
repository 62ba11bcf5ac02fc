"""Single values of the wire: what is not what it should be is None, never an exception."""

from __future__ import annotations

import re
import sys
from datetime import UTC, date, datetime
from decimal import Decimal

from paytui.domain.exact_json import LONGEST_NUMBER, Json
from paytui.domain.money import CurrencyCode
from paytui.platform.text import LIMIT, clean

LARGEST_EXPONENT = 50
"""Amounts and rates beyond 1e±50 are nonsense, and writing them out would fill the memory."""

MOST_DIGITS = 40
"""Digits of an amount or a rate; no money needs more, and a screen has no room for them."""

LONGEST_CODE = 12
"""Characters of a currency code; those of ISO 4217 have three."""

_USUAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?")


def read_text(value: Json) -> str | None:
    """A string, cleaned; a number as its digits (api.md §2: both forms are used)."""
    if isinstance(value, str):
        # Most are plain: a call less for each.
        is_plain = value.isascii() and value.isprintable() and len(value) <= LIMIT
        return value if is_plain else clean(value)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return str(value)


def read_name(value: Json) -> str | None:
    """A string of which there are few, such as an enumeration's value: kept in memory once."""
    text = read_text(value)
    return None if text is None else sys.intern(text)


def read_identifier(value: Json) -> str | None:
    """What the service calls an object; none where cleaning would make it the name of another."""
    text = read_text(value)
    return None if isinstance(value, str) and text != value else text


def read_currency(value: Json) -> CurrencyCode | None:
    """A currency code as it came; none where it is too long for one, or likewise."""
    if not isinstance(value, str) or clean(value, LONGEST_CODE) != value:
        return None
    return CurrencyCode(sys.intern(value))


def read_decimal(value: Json) -> Decimal | None:
    """An exact decimal from a string or a number; NaN, infinities and absurd sizes are none."""
    if isinstance(value, str):
        if len(value) <= MOST_DIGITS and _USUAL.fullmatch(value):
            return Decimal(value)  # too short to be absurd
        return _sane(Decimal(value)) if _is_number(value) else None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return _sane(Decimal(value))


def read_count(value: Json) -> int | None:
    """How many there are of something, as a whole number or in digits."""
    number = read_decimal(value)
    if number is None or number < 0 or number != number.to_integral_value():
        return None
    return int(number)


def _is_number(text: str) -> bool:
    return len(text) <= LONGEST_NUMBER and _NUMBER.fullmatch(text) is not None


def _sane(number: Decimal) -> Decimal | None:
    if not number.is_finite() or abs(number.adjusted()) > LARGEST_EXPONENT:
        return None
    return None if len(number.as_tuple().digits) > MOST_DIGITS else number


def read_time(value: Json) -> datetime | None:
    """A point in time in UTC, from ISO 8601 with `Z`, with an offset, or with none (then UTC)."""
    if not isinstance(value, str):
        return None
    try:
        time = datetime.fromisoformat(value)
        if time.tzinfo is UTC:
            return time
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def read_date(value: Json) -> date | None:
    """A day, from `YYYY-MM-DD`, or from a date-time that begins with it."""
    if not isinstance(value, str):
        return None
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None


def read_flag(value: Json) -> bool | None:
    """True or false, and nothing that merely looks like it."""
    return value if isinstance(value, bool) else None


def write_time(time: datetime) -> str:
    """ISO 8601 in UTC, ending in `Z`."""
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")
