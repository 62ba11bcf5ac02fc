"""JSON of the wire: parsing of long responses in a thread, and single values."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from paytui.domain.exact_json import LONGEST_NUMBER, Json, parse
from paytui.domain.money import CurrencyCode
from paytui.platform.text import LIMIT, clean

LONG = 500_000  # Bytes from which a text is parsed in a thread; others take a few milliseconds


def parse_in_turns(body: bytes) -> Json:
    """Parse like `exact_json.parse`, and let other threads run after each object.

    The scanner of `json` keeps the interpreter to itself, except while it calls Python. For 14 MB
    that is 200 ms, in which no key is answered; with a call for each object it is 9 ms.
    """
    return parse(body, lambda value: value)


LARGEST_EXPONENT = 50
"""Amounts and rates beyond 1e±50 are nonsense, and printing their digits would fill the memory."""

MOST_DIGITS = 40
"""Digits of an amount or a rate; money never needs more, and a screen has no room for more."""

LONGEST_CODE = 12  # Characters of a currency code; ISO 4217 codes have three

_PLAIN = r"-?[0-9]{1,19}(?:\.[0-9]{1,19})?"  # At most `MOST_DIGITS`
_USUAL, _ALL_USUAL = re.compile(_PLAIN), re.compile(f"{_PLAIN}(?: {_PLAIN})*+")

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?")


def read_text(value: Json) -> str | None:
    """Read a string, cleaned, or the digits of a number (service.md §2: both forms are used)."""
    if isinstance(value, str):
        # Most strings are plain, which saves a call.
        is_plain = value.isascii() and value.isprintable() and len(value) <= LIMIT
        return value if is_plain else clean(value)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return str(value)


def read_name(value: Json) -> str | None:
    """Read a string with few distinct values, such as an enumeration's, and intern it."""
    text = read_text(value)
    return None if text is None else sys.intern(text)


def read_identifier(value: Json) -> str | None:
    """Read an identifier; None if cleaning would change it into that of another object."""
    text = read_text(value)
    return None if isinstance(value, str) and text != value else text


def read_currency(value: Json) -> CurrencyCode | None:
    """Read a currency code; None if it is too long or cleaning would change it."""
    if not isinstance(value, str) or clean(value, LONGEST_CODE) != value:
        return None
    return CurrencyCode(sys.intern(value))


def read_decimal(value: Json) -> Decimal | None:
    """Read an exact decimal from a string or number; None for NaN, infinities and absurd sizes."""
    if isinstance(value, str):
        if _USUAL.fullmatch(value):
            return Decimal(value)
        is_number = len(value) <= LONGEST_NUMBER and _NUMBER.fullmatch(value)
        return _sane(Decimal(value)) if is_number else None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return _sane(Decimal(value))


def read_count(value: Json) -> int | None:
    """Read a count, from a whole number or a string of digits."""
    number = read_decimal(value)
    if number is None or number < 0 or number != number.to_integral_value():
        return None
    return int(number)


def _sane(number: Decimal) -> Decimal | None:
    if not number.is_finite() or abs(number.adjusted()) > LARGEST_EXPONENT:
        return None
    return None if len(number.as_tuple().digits) > MOST_DIGITS else number


def read_time(value: Json) -> datetime | None:
    """Read a time in UTC, from ISO 8601 with `Z`, an offset or neither (then UTC)."""
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
    """Read a date, from `YYYY-MM-DD` or a date-time that begins with it."""
    if not isinstance(value, str):
        return None
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None


def read_flag(value: Json) -> bool | None:
    """Read a boolean; no other value counts as one."""
    return value if isinstance(value, bool) else None


def _texts(values: Sequence[str]) -> Sequence[str] | None:
    whole = "".join(values)
    is_plain = whole.isascii() and whole.isprintable() and max(map(len, values), default=0) <= LIMIT
    return values if is_plain else None


def _times(values: Sequence[str]) -> Sequence[datetime] | None:
    times = list(map(datetime.fromisoformat, values))
    return times if all(time.tzinfo is UTC for time in times) else None


def _decimals(values: Sequence[str]) -> Sequence[Decimal] | None:
    return list(map(Decimal, values)) if _ALL_USUAL.fullmatch(" ".join(values)) else None


_TOGETHER: Mapping[object, Callable[[Any], Sequence[object] | None]] = MappingProxyType(
    {read_text: _texts, read_identifier: _texts, read_time: _times, read_decimal: _decimals}
)


def read_together(
    read: Callable[[Json], object], values: Sequence[Json]
) -> Sequence[object] | None:
    """Read many values at once, twice as fast; return None if one of them is unusual."""
    try:
        return together(values) if (together := _TOGETHER.get(read)) else None
    except (TypeError, ValueError, ArithmeticError):
        return None


def find(raw: Json, paths: Sequence[tuple[str, ...]]) -> Json:
    """Return the first value at one of these paths that is not null, else None."""
    for path in paths:
        value = raw
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            return value
    return None


def kind_of(value: Json) -> str:
    """Return the kind of a JSON value in words, for errors."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true or false"
        case str():
            return "a string"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return "a number"
