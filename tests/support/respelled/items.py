"""Translation of JSON objects between the documented and the other names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TypeAlias

from tests.support.respelled.names import TWENTY_DIGITS, Spelling

Json: TypeAlias = "bool | int | str | Decimal | list[Json] | dict[str, Json] | None"
Object: TypeAlias = dict[str, Json]
Digits: TypeAlias = Callable[[Decimal], Decimal]
"""The digits with which a number is written."""


def twenty_digits(number: Decimal) -> Decimal:
    """The number with twenty significant digits, the last of them a 1; nothing stays nothing."""
    if not number:
        return number
    return number + Decimal(1).scaleb(number.adjusted() - 19)


def exactly(number: Decimal) -> Decimal:
    """The number as it is."""
    return number


def respelled(
    item: Mapping[str, Json], spelling: Spelling, digits: Digits = twenty_digits
) -> Object:
    """An object as the other service writes it."""
    written: Object = {}
    for name, value in item.items():
        placed = _respelled_value(name, value, spelling, digits)
        _place(written, spelling.names.get(name, name), placed)
    return written


def _respelled_value(name: str, value: Json, spelling: Spelling, digits: Digits) -> Json:
    if name in spelling.inner:
        inner = spelling.inner[name]
        if isinstance(value, list):
            return [respelled(each, inner, digits) for each in value if isinstance(each, dict)]
        return respelled(value, inner, digits) if isinstance(value, dict) else value
    if name in TWENTY_DIGITS and isinstance(value, str):
        return digits(Decimal(value))
    if name == "status" and isinstance(value, str):
        return spelling.states.get(value, value)
    return value


def documented(body: Mapping[str, Json], spelling: Spelling) -> Object:
    """A request of the other service as the documented one takes it; unknown fields are dropped."""
    found: Object = {}
    for name, path in spelling.names.items():
        value = _at(body, path)
        if value is not None:
            found[name] = _documented_value(name, value, spelling)
    return found


def _documented_value(name: str, value: Json, spelling: Spelling) -> Json:
    if name in spelling.inner and isinstance(value, list):
        inner = spelling.inner[name]
        return [documented(each, inner) for each in value if isinstance(each, dict)]
    if name in TWENTY_DIGITS:
        assert isinstance(value, int | Decimal), f"{name} must be a JSON number"
        return format(Decimal(value), "f")
    return value


def _place(item: Object, path: str, value: Json) -> None:
    *outer, last = path.split(".")
    for name in outer:
        inner = item.setdefault(name, {})
        assert isinstance(inner, dict)
        item = inner
    item[last] = value


def _at(item: Mapping[str, Json], path: str) -> Json:
    value: Json = dict(item)
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def read(text: bytes) -> Json:
    """JSON with exact numbers."""
    value: Json = json.loads(text, parse_float=Decimal)
    return value


def write(value: Json) -> str:
    """JSON with exact numbers: decimals are written digit by digit."""
    match value:
        case dict():
            return "{" + ",".join(f"{json.dumps(k)}:{write(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ",".join(map(write, value)) + "]"
        case Decimal():
            return format(value, "f")
        case _:
            return json.dumps(value)
