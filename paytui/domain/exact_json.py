"""Exact JSON: no number passes through a binary float in either direction (RFC 8259)."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import TypeAlias

from paytui.domain.money import plain

Json: TypeAlias = "bool | int | Decimal | str | list[Json] | dict[str, Json] | None"
"""A JSON value; numbers with a fraction or an exponent are decimals."""

LONGEST_NUMBER = 200  # The most characters of a number; no amount or rate needs more


class CannotReadError(ValueError):
    """Input that cannot be read; the message gives the reason, in words that follow a colon."""


class NotJson(CannotReadError):
    """Text that is not JSON or exceeds a limit; the message says which."""


class Digits(str):
    """A number as its original digits."""

    __slots__ = ()


def parse(text: str | bytes, object_hook: Callable[[dict[str, Json]], Json] | None = None) -> Json:
    """Parse JSON; `NaN`, `Infinity` and oversized numbers become null.

    Raise NotJson if it is not JSON, not UTF-8, or nested too deeply.
    """
    return _loaded(
        lambda: json.loads(
            text,
            parse_float=_decimal,
            parse_int=lambda digits: int(digits) if len(digits) <= LONGEST_NUMBER else None,
            parse_constant=lambda _: None,
            object_hook=object_hook,
        )
    )


def parse_verbatim(text: str | bytes) -> Json:
    """Parse JSON for display, as `parse` does; every number becomes `Digits`."""
    return _loaded(
        lambda: json.loads(text, parse_float=Digits, parse_int=Digits, parse_constant=Digits)
    )


def _loaded(load: Callable[[], Json]) -> Json:
    try:
        return load()
    except json.JSONDecodeError as error:
        raise NotJson(f"not JSON, {error.msg}: character {error.pos}") from None
    except UnicodeDecodeError:
        raise NotJson("not UTF-8") from None
    except RecursionError:
        raise NotJson("nested too deeply") from None


def _decimal(digits: str) -> Decimal | None:
    try:
        return Decimal(digits) if len(digits) <= LONGEST_NUMBER else None
    except ArithmeticError:
        return None


def write(value: Json) -> str:
    """Return JSON without white space; a decimal keeps all digits and has no exponent."""
    match value:
        case dict():
            members = (f"{json.dumps(key)}:{write(item)}" for key, item in value.items())
            return "{" + ",".join(members) + "}"
        case list():
            return "[" + ",".join(write(item) for item in value) + "]"
        case Decimal():
            return plain(value)
        case _:
            return json.dumps(value)
