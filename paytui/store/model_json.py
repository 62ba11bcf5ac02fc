"""Models as JSON: a list of the values of their fields, which are checked as they are read.

Strings must be clean, as after any read of the service: another program may have written them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache, lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NewType, get_args, get_origin

from paytui.domain.models import State, field_types
from paytui.platform.text import clean

_AMOUNT = re.compile(r"-?[0-9]{1,60}(\.[0-9]{1,100})?")  # All that the service's numbers can be

MALFORMED = (
    *(ValueError, LookupError, TypeError, AttributeError),
    *(ArithmeticError, RecursionError),
)
"""What a conversion raises besides Unreadable for a value of another shape."""


class Unreadable(Exception):
    """A value that this version did not write."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """The conversion of one type to and from JSON, except of None.

    Attributes:
        read: raises Unreadable, or one of `MALFORMED`.
        shape: a text that changes whenever the format changes.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    shape: str


def _conversion(hint: Any) -> Conversion:  # noqa: ANN401 - any type
    """Return the conversion of a type: of a scalar, a model, or several of them.

    Equal states share one object, as many records have them.
    """
    if known := _SCALARS.get(NewType if isinstance(hint, NewType) else hint):
        return known
    parts = get_args(hint)
    if get_origin(hint) is tuple:
        return tuple_of(conversion(parts[0]))
    if get_origin(hint) is Mapping:
        key, value = map(conversion, parts)
        return Conversion(
            lambda given: [[key.write(each), value.write(one)] for each, one in given.items()],
            lambda told: {key.read(each): value.read(one) for each, one in _listed(told)},
            f"{{{key.shape}:{value.shape}}}",
        )
    if issubclass(hint, Enum):
        return Conversion(lambda one: one.value, hint, hint.__name__)
    whole = conversion_of(hint, tuple(field_types(hint)))
    if hint is not State:
        return whole
    shared = lru_cache(maxsize=None, typed=True)(lambda *values: whole.read([*values]))
    return replace(whole, read=lambda told: shared(*told))


conversion: Callable[[object], Conversion] = cache(_conversion)


def conversion_of(model: type, names: Sequence[str]) -> Conversion:
    """Return the conversion of at least two fields of a model; others get their defaults."""
    types, values_of = field_types(model), attrgetter(*names)
    each = {name: conversion(types[name]) for name in names}
    writes = [(at, one.write) for at, one in enumerate(each.values()) if one.write != _as_it_is]
    reads = [(name, one.read) for name, one in each.items()]

    def write(record: object) -> list[object]:
        values = list(values_of(record))
        for at, write in writes:
            if values[at] is not None:
                values[at] = write(values[at])
        return values

    def read(told: object) -> object:
        pairs = zip(reads, _listed(told), strict=True)
        return model(**{name: read(value) for (name, read), value in pairs if value is not None})

    shapes = ",".join(f"{name}:{one.shape}" for name, one in each.items())
    return Conversion(write, read, f"{model.__name__}({shapes})")


def tuple_of(each: Conversion) -> Conversion:
    return Conversion(
        lambda given: [each.write(one) for one in given],
        lambda told: tuple(each.read(one) for one in _listed(told)),
        f"[{each.shape}]",
    )


def _listed(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise Unreadable
    return value


def _as_it_is(value: object) -> object:
    return value


def read_text(value: object) -> str:
    if not isinstance(value, str) or clean(value) != value:
        raise Unreadable
    return value


def _read_amount(value: object) -> Decimal:
    if not isinstance(value, str) or not _AMOUNT.fullmatch(value):
        raise Unreadable
    return Decimal(value)


def read_moment(value: object) -> datetime:
    return _moment(read_text(value))


@lru_cache(maxsize=256)
def _moment(text: str) -> datetime:
    """Parse a time; cached, since most records hold the same time twice."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Unreadable from None
    if moment.tzinfo is not UTC:
        raise Unreadable
    return moment


def _plain(*types: type) -> Callable[[object], Any]:
    def read(value: object) -> object:
        if type(value) not in types:
            raise Unreadable
        return value

    return read


def _number(value: object) -> float:
    return float(_plain(int, float)(value))


_SCALARS: Mapping[object, Conversion] = MappingProxyType(
    {
        str: Conversion(_as_it_is, read_text, "text"),
        # Codes and identifiers occur in many records.
        NewType: Conversion(_as_it_is, lambda value: sys.intern(read_text(value)), "code"),
        bool: Conversion(_as_it_is, _plain(bool), "flag"),
        int: Conversion(_as_it_is, _plain(int), "count"),
        float: Conversion(_as_it_is, _number, "number"),
        # Not `str`, which writes small numbers with an exponent.
        Decimal: Conversion(lambda value: f"{value:f}", _read_amount, "amount"),
        datetime: Conversion(datetime.isoformat, read_moment, "time"),
        date: Conversion(date.isoformat, lambda value: date.fromisoformat(read_text(value)), "day"),
        timedelta: Conversion(
            timedelta.total_seconds, lambda value: timedelta(seconds=_number(value)), "period"
        ),
    }
)
