"""Readings as bytes: compressed JSON of the models, which is checked as it is read.

Strings must be clean, as after any read of the service: a colleague's program wrote them.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import cache
from hashlib import sha256
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from paytui.api.resources import READS
from paytui.domain.models import Kind, RateSheet
from paytui.platform.text import clean
from paytui.store.health import Feed
from paytui.store.shared_readings import Reading

LONGEST = 64_000_000  # Maximum of bytes of one reading before it is compressed


class Unreadable(Exception):
    """Bytes that this version did not write."""


def encode(kind: Kind, reading: Reading) -> bytes:
    parts = {
        "feed": _written(reading.feed),
        "rows": [_written(row) for row in reading.rows],
        "gone": list(reading.gone),
        "much": reading.is_too_much,
    }
    text = json.dumps([_format(kind), parts], ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode(errors="surrogatepass"))


def decode(kind: Kind, data: bytes) -> Reading:
    """Return what was encoded; raise Unreadable if this version cannot tell."""
    unpack = zlib.decompressobj()
    try:
        text = unpack.decompress(data, LONGEST)
        written_by, parts = json.loads(text)
        if written_by != _format(kind):
            raise Unreadable
        record = _record(kind)
        return Reading(
            _read(Feed | None, parts["feed"]),
            tuple(_read(record, row) for row in parts["rows"]),
            _read(tuple[str, ...], parts["gone"]),
            _read(bool, parts["much"]),
        )
    except (
        zlib.error, ValueError, LookupError, TypeError, AttributeError, RecursionError,
        InvalidOperation, OverflowError,
    ):  # fmt: skip
        raise Unreadable from None


@cache
def _format(kind: Kind) -> str:
    """Return a fingerprint of the fields: versions of paytui that share it read each other."""
    return sha256(repr((_shape(_record(kind)), _shape(Feed))).encode()).hexdigest()[:12]


def _record(kind: Kind) -> type:
    return READS[kind].record if kind in READS else RateSheet


def _shape(hint: object) -> object:
    if isinstance(hint, type) and is_dataclass(hint):
        return [(name, _shape(each)) for name, (_, each) in _fields(hint).items()]
    if parts := get_args(hint):
        return [str(get_origin(hint)), *map(_shape, parts)]
    return getattr(hint, "__name__", str(hint))


@cache
def _fields(cls: type) -> Mapping[str, tuple[Field[object], object]]:
    hints = get_type_hints(cls)
    return {each.name: (each, hints[each.name]) for each in fields(cls)}


def _written(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, tuple):
        return [_written(each) for each in value]
    if isinstance(value, Mapping):
        return [[_written(key), _written(each)] for key, each in value.items()]
    cls = type(value)
    if is_dataclass(cls):
        known = ((each, getattr(value, name)) for name, (each, _) in _fields(cls).items())
        return {each.name: _written(one) for each, one in known if not _is_default(each, one)}
    return next(write(value) for each, write in _WRITERS if isinstance(value, each))


_WRITERS: tuple[tuple[type, Callable[[Any], object]], ...] = (
    (Enum, lambda value: value.value),
    (str, str),
    (Decimal, lambda value: f"{value:f}"),  # not `str`, which writes small numbers with an exponent
    (date, lambda value: value.isoformat()),
    (timedelta, lambda value: value.total_seconds()),
)


def _is_default(each: Field[object], value: object) -> bool:
    if each.default_factory is not MISSING:
        return bool(value == each.default_factory())
    return each.default is not MISSING and bool(value == each.default)


def _read(hint: object, value: object) -> Any:  # noqa: ANN401 - a value of the hint's type
    """Return a value of a type; raise Unreadable or what `decode` catches if it is none."""
    hint = getattr(hint, "__supertype__", hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        [inner] = [each for each in parts if each is not type(None)]
        return None if value is None else _read(inner, value)
    if origin is not None:
        if not isinstance(value, list):
            raise Unreadable
        if origin is tuple:
            return tuple(_read(parts[0], each) for each in value)
        return {_read(parts[0], key): _read(parts[1], each) for key, each in value}
    if hint in _READERS:
        return _READERS[hint](value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if not isinstance(hint, type) or not isinstance(value, dict):
        raise Unreadable
    known = _fields(hint)
    return hint(**{name: _read(known[name][1], each) for name, each in value.items()})


def _of(*types: type) -> Callable[[object], Any]:
    def read(value: object) -> object:
        if type(value) not in types:
            raise Unreadable
        return value

    return read


def _text(value: object) -> str:
    if not isinstance(value, str) or clean(value) != value:
        raise Unreadable
    return value


def _number(value: object) -> float:
    return float(_of(int, float)(value))


def _amount(value: object) -> Decimal:
    amount = Decimal(_text(value))
    if not amount.is_finite():
        raise Unreadable
    return amount


def _moment(value: object) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.utcoffset() != timedelta(0):
        raise Unreadable
    return moment.astimezone(UTC)


_READERS: Mapping[object, Callable[[object], object]] = {
    str: _text,
    bool: _of(bool),
    int: _of(int),
    float: _number,
    Decimal: _amount,
    datetime: _moment,
    date: lambda value: date.fromisoformat(_text(value)),
    timedelta: lambda value: timedelta(seconds=_number(value)),
}
