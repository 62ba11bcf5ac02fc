"""A tolerant decoder of JSON records into dataclasses.

The dialect and the types of the fields decide how JSON is read: each field has one compiled column.
For payments this is about as fast as a pydantic adapter, and saves its import. A field of the wrong
type becomes None, never an error. A field without a default is required: a record that lacks it is
bad.
"""

from __future__ import annotations

import dataclasses
import typing
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache, partial
from operator import attrgetter, itemgetter
from typing import Generic, TypeVar

from paytui.api.dialect import Dialect, JsonPath
from paytui.api.wire.json import (
    find,
    kind_of,
    read_currency,
    read_date,
    read_decimal,
    read_flag,
    read_identifier,
    read_name,
    read_text,
    read_time,
    read_together,
)
from paytui.domain.exact_json import CannotReadError, Json
from paytui.domain.models import State, field_types
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import section_of
from paytui.platform.interpreter import make_blank, slot_setters
from paytui.platform.text import clean

T = TypeVar("T")
Convert = Callable[[Json], object]

MOST_SHARED = 5_000
"""Values of one field in the cache: equal ones are decoded once and share one object."""

LONGEST_SHARED = 100

_SCALARS: Mapping[object, Convert] = {
    CurrencyCode: read_currency,
    str: read_text,
    Decimal: read_decimal,
    datetime: read_time,
    date: read_date,
    bool: read_flag,
}


class BadRecord(CannotReadError):
    """A record without a required field, or not an object; the message says which."""


class _Shared(dict[Json, object]):
    """A bounded cache of decoded texts of one field."""

    def __init__(self, convert: Convert) -> None:
        super().__init__()
        self._convert = convert

    def __missing__(self, told: Json) -> object:
        value = self._convert(told)
        is_text = told is None or (isinstance(told, str) and len(told) <= LONGEST_SHARED)
        if is_text and len(self) < MOST_SHARED:
            self[told] = value
        return value


@dataclasses.dataclass(slots=True)
class Column:
    """A decoder of one field of many records at once, twice as fast as record by record.

    `inner` is the class of the objects in it, if it holds any.
    """

    name: str
    paths: tuple[JsonPath, ...]
    convert: Convert
    absent: object
    required: bool
    inner: type | None
    shared: _Shared | None
    _key: str | None = dataclasses.field(init=False)
    _others: Sequence[JsonPath] = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        # A path of a single name is fast to look up.
        self._key = self.paths[0][0] if self.paths and len(self.paths[0]) == 1 else None
        self._others = self.paths[1:] if self._key else self.paths

    def values(self, records: Sequence[dict[str, Json]]) -> Sequence[object]:
        """Return the field's value of each record."""
        told, convert, shared = self._told(records), self.convert, self.shared
        try:
            values = (
                read_together(convert, told) if shared is None else [*map(shared.__getitem__, told)]
            )
        except TypeError:  # a list or an object is no key
            values = None
        values = values or [None if one is None else convert(one) for one in told]
        if self.absent is None:
            return values
        return [self.absent if value is None else value for value in values]

    def _told(self, records: Sequence[dict[str, Json]]) -> Sequence[Json]:
        key, others = self._key, self._others
        try:
            told = list(map(itemgetter(key), records))
        except KeyError:
            told = [record.get(key) for record in records] if key else [None] * len(records)
        if not others:
            return told
        pairs = zip(told, records, strict=True)
        return [find(record, others) if one is None else one for one, record in pairs]


class Reader(Generic[T]):
    """A decoder of one class, a dataclass with slots, which it sets directly.

    Attributes:
        identity: returns the identifier of a decoded object, which is its first field.
    """

    def __init__(self, make: type[T], columns: Sequence[Column]) -> None:
        self._make = make
        self.identity: Callable[[T], str] = attrgetter(columns[0].name)
        puts = slot_setters(make)
        self._plan = [(column, puts.pop(column.name)) for column in columns]
        fields = {field.name: field for field in dataclasses.fields(make)}  # type: ignore[arg-type] # it is a dataclass
        self._unread = [(put, fields[name]) for name, put in puts.items()]

    def read(self, raw: Json, **given: object) -> T:
        """Decode an object; `given` are the fields that are not in its JSON. Raises BadRecord."""
        [made] = self.read_each([raw], **given)
        if isinstance(made, BadRecord):
            raise made
        return made

    def identities(self, raws: Sequence[Json]) -> list[str]:
        """Return the identifiers of the readable ones of some objects, in their order."""
        read = self.read_each(raws)
        return [self.identity(one) for one in read if not isinstance(one, BadRecord)]

    def read_each(self, raws: Sequence[Json], **given: object) -> Sequence[T | BadRecord]:
        """Decode objects, in their order; a `BadRecord` takes the place of an unreadable one."""
        records = [raw if isinstance(raw, dict) else {} for raw in raws]
        bad = {
            place: BadRecord(f"{kind_of(raw)} where an object was expected")
            for place, raw in enumerate(raws)
            if not isinstance(raw, dict)
        }
        made = make_blank(self._make, len(records))
        for column, put in self._plan:
            values = column.values(records)
            if column.required:
                needed = ".".join(next(iter(column.paths), ())) or column.name
                for place, value in enumerate(values):
                    if value is None or not str(value).strip():
                        bad.setdefault(place, BadRecord(f"a record without a usable {needed}"))
            deque(map(put, made, values), maxlen=0)  # a `for` loop takes three times as long
        for put, field in self._unread:
            for one in made:
                put(one, given[field.name] if field.name in given else _default(field))
        return [bad.get(place, one) for place, one in enumerate(made)] if bad else made


class Readers:
    """The readers of a dialect, compiled on first use."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._readers: dict[type, Reader[object]] = {}

    def of(self, cls: type[T]) -> Reader[T]:
        """Return the reader of a class of `domain/models.py`."""
        if cls not in self._readers:
            self._readers[cls] = Reader[object](cls, self.columns(cls))
        return typing.cast("Reader[T]", self._readers[cls])

    def columns(self, cls: type) -> list[Column]:
        """Return the columns of a class, without the fields that the dialect does not have."""
        section = section_of(cls)
        paths, hints = self._dialect.fields[section], field_types(cls)
        return [
            Column(
                field.name,
                paths[field.name],
                convert := self._converter(section, field.name, hint),
                None if field.default is dataclasses.MISSING else field.default,
                field.default is dataclasses.MISSING,
                _inner(hint),
                _Shared(convert) if number and self._is_shared(field.name, hint) else None,
            )
            for number, field in enumerate(dataclasses.fields(cls))
            if field.name in paths
            for hint in (hints[field.name],)
        ]

    def _is_shared(self, name: str, hint: object) -> bool:
        """Return True for a state, a code, another object's identifier or an enumeration."""
        is_name = getattr(hint, "__supertype__", None) is str
        return hint is State or is_name or name in self._dialect.values

    def _converter(self, section: str, name: str, hint: object) -> Convert:
        if typing.get_origin(hint) is tuple:
            return self._many(typing.get_args(hint)[0])
        if hint is State:
            return _states(self._dialect.states[section])
        if isinstance(hint, type) and dataclasses.is_dataclass(hint):
            return self._nested(hint)
        if name in self._dialect.values:
            return _enumeration(self._dialect.values[name])
        is_identifier = hint not in _SCALARS and getattr(hint, "__supertype__", None) is str
        return read_identifier if is_identifier else _SCALARS[hint]

    def _nested(self, cls: type) -> Convert:
        reader: Reader[object] = self.of(cls)

        def read(raw: Json) -> object:
            try:
                return reader.read(raw)
            except BadRecord:
                return None

        return read

    def _many(self, cls: type) -> Convert:
        reader: Reader[object] = self.of(cls)

        def read(raw: Json) -> object:
            items = reader.read_each(raw if isinstance(raw, list) else [raw])
            return tuple(item for item in items if not isinstance(item, BadRecord))

        return read


def _states(known: Mapping[str, State]) -> Convert:
    """Return a decoder of the service's words; an unlisted word becomes an unknown state.

    The objects of 200 unlisted words are shared.
    """
    as_written = lru_cache(200)(partial(State, final=False, known=False))

    def read(raw: Json) -> State | None:
        word = raw if isinstance(raw, str) else read_text(raw)
        if word is None:
            return None
        return known.get(word) or known.get(word.casefold()) or as_written(clean(word))

    return read


def _enumeration(values: Mapping[str, tuple[str, ...]]) -> Convert:
    """Return a decoder to canonical values; an unlisted value stays as it is."""
    canonical = {each.casefold(): name for name, spelt in values.items() for each in spelt}

    def read(raw: Json) -> str | None:
        name = read_name(raw)
        return None if name is None else canonical.get(name.casefold(), name)

    return read


def _default(field: dataclasses.Field[object]) -> object:
    if field.default_factory is dataclasses.MISSING:
        return field.default
    return field.default_factory()


def _inner(hint: object) -> type | None:
    kind = typing.get_args(hint)[0] if typing.get_origin(hint) is tuple else hint
    is_object = isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind is not State
    return kind if is_object and isinstance(kind, type) else None
