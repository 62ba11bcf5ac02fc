"""From the wire to our objects, record by record and tolerantly.

Which JSON becomes which field follows from the dialect and from the types of the dataclasses
alone: one compiled column a field. On payments that takes about as long as mapping each record and
validating it with an adapter of pydantic, and spares its import; and a field of the wrong type must
become None here, never an error. A field without a default is needed: a record that lacks it is
bad.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Generic, TypeVar

from paytui.api import scalars
from paytui.api.dialect import Dialect, JsonPath
from paytui.api.jsontext import CannotReadError, Json
from paytui.api.models import State
from paytui.money import CurrencyCode
from paytui.text import clean

T = TypeVar("T")
Convert = Callable[[Json], object]

MOST_SHARED = 5_000
"""Values of one field that are remembered, so that equal ones are one object and are read once."""

LONGEST_SHARED = 100

STATES_KEPT = 200
"""Unknown words for states that are remembered, so that their objects are shared."""

_SCALARS: Mapping[object, Convert] = {
    CurrencyCode: scalars.read_currency,
    str: scalars.read_text,
    Decimal: scalars.read_decimal,
    datetime: scalars.read_time,
    date: scalars.read_date,
    bool: scalars.read_flag,
}


class BadRecord(CannotReadError):
    """A record without what identifies it, or no object at all; the message says which."""


@dataclasses.dataclass(frozen=True, slots=True)
class Column:
    """How one field is read.

    Attributes:
        inner: the class of the objects in it, if it holds any.
        is_shared: whether many records hold the same few values.
    """

    name: str
    paths: tuple[JsonPath, ...]
    convert: Convert
    absent: object
    required: bool
    inner: type | None = None
    is_shared: bool = False

    @property
    def key(self) -> str | None:
        """The first path where it is a single name: most are, and that is quick to look up."""
        return self.paths[0][0] if self.paths and len(self.paths[0]) == 1 else None

    @property
    def spelling(self) -> str:
        """What the service calls it first."""
        return (".".join(self.paths[0]) if self.paths else "") or self.name


_Step = tuple[
    str, str | None, Sequence[JsonPath], Convert, object, str | None, dict[str, object] | None
]


class Reader(Generic[T]):
    """Reads objects of one class."""

    def __init__(self, make: type[T], columns: Sequence[Column]) -> None:
        self._make = make
        self._name = columns[0].name
        self._plan: tuple[_Step, ...] = tuple(
            (
                column.name,
                column.key,
                column.paths[1:] if column.key else column.paths,
                column.convert,
                column.absent,
                column.spelling if column.required else None,
                {} if column.is_shared else None,
            )
            for column in columns
        )

    def read(self, raw: Json, **given: object) -> T:
        """An object from its JSON; `given` are the fields that do not come from there.

        Raises:
            BadRecord: not an object, or a needed field is missing.
        """
        if not isinstance(raw, dict):
            raise BadRecord(f"{kind_of(raw)} where an object was expected")
        get = raw.get
        for name, key, others, convert, absent, needed, shared in self._plan:
            found = get(key) if key else None
            if found is None and others:
                found = find(raw, others)
            if found is None:
                value = None
            elif shared is None or not isinstance(found, str):
                value = convert(found)
            elif (value := shared.get(found)) is None:
                value = convert(found)
                if len(shared) < MOST_SHARED and len(found) <= LONGEST_SHARED:
                    shared[found] = value
            if value is None:
                value = absent
            if needed is not None and (value is None or not str(value).strip()):
                raise BadRecord(f"a record without a usable {needed}")
            given[name] = value
        return self._make(**given)

    def identity(self, record: T) -> str:
        """The identifier of an object that was read: its first field."""
        return str(getattr(record, self._name))


class Readers:
    """The readers of a dialect, compiled when they are first used."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._readers: dict[type, Reader[object]] = {}

    def of(self, cls: type[T]) -> Reader[T]:
        """The reader of a class of `models.py`."""
        if cls not in self._readers:
            self._readers[cls] = Reader[object](cls, self.columns(cls))
        return typing.cast("Reader[T]", self._readers[cls])

    def columns(self, cls: type) -> list[Column]:
        """How each field of a class is read."""
        section = section_of(cls)
        paths = self._dialect.fields[section]
        return [
            Column(
                name=field.name,
                paths=paths[field.name],
                convert=self._converter(section, field.name, field.hint),
                absent=None if field.default is dataclasses.MISSING else field.default,
                required=field.default is dataclasses.MISSING,
                inner=_inner(field.hint),
                is_shared=_is_shared(field.hint) and number > 0,
            )
            for number, field in enumerate(_fields(cls))
            if field.name in paths
        ]

    def _converter(self, section: str, name: str, hint: object) -> Convert:
        if typing.get_origin(hint) is tuple:
            return self._many(typing.get_args(hint)[0])
        if hint is State:
            return StateReader(self._dialect.states[section])
        if isinstance(hint, type) and dataclasses.is_dataclass(hint):
            return self._nested(hint)
        if name in self._dialect.values:
            return ValueReader(self._dialect.values[name])
        is_identifier = hint not in _SCALARS and getattr(hint, "__supertype__", None) is str
        return scalars.read_identifier if is_identifier else _SCALARS[hint]

    def _nested(self, cls: type) -> Convert:
        reader: Reader[object] = self.of(cls)

        def read(raw: Json) -> object:
            try:
                return reader.read(raw)
            except BadRecord:
                return None

        return read

    def _many(self, cls: type) -> Convert:
        nested = self._nested(cls)

        def read(raw: Json) -> object:
            items = raw if isinstance(raw, list) else [raw]
            return tuple(item for item in map(nested, items) if item is not None)

        return read


class StateReader:
    """Finds a state by the service's word for it; keeps the word where no dialect lists it."""

    def __init__(self, known: Mapping[str, State]) -> None:
        self._known = known
        self._unknown: dict[str, State] = {}

    def __call__(self, raw: Json) -> State | None:
        word = raw if isinstance(raw, str) else scalars.read_text(raw)
        if word is None:
            return None
        known = self._known.get(word) or self._known.get(word.casefold())
        return known or self._as_written(clean(word))

    def _as_written(self, word: str) -> State:
        state = self._unknown.get(word) or State(word, final=False, known=False)
        if len(self._unknown) < STATES_KEPT:
            self._unknown[word] = state
        return state


class ValueReader:
    """Finds the canonical value of an enumeration; keeps the service's where none is listed."""

    def __init__(self, values: Mapping[str, tuple[str, ...]]) -> None:
        self._values = {
            spelling.casefold(): canonical
            for canonical, spellings in values.items()
            for spelling in spellings
        }

    def __call__(self, raw: Json) -> str | None:
        name = scalars.read_name(raw)
        return None if name is None else self._values.get(name.casefold(), name)


def find(raw: Json, paths: Sequence[JsonPath]) -> Json:
    """The first of these paths at which there is anything but null."""
    for path in paths:
        value = raw
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            return value
    return None


def kind_of(value: Json) -> str:
    """What a JSON value is, in a person's words."""
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


def section_of(cls: type) -> str:
    """A class's section of the dialect: `PayInAddress` is `payin_address`."""
    words = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
    return words.replace("pay_in", "payin")


@dataclasses.dataclass(frozen=True, slots=True)
class _Field:
    """A field of a class.

    Attributes:
        hint: what it holds where it is not None.
        default: or `dataclasses.MISSING`.
    """

    name: str
    hint: object
    default: object


@cache
def _fields(cls: type) -> tuple[_Field, ...]:
    """Those of a class; their types are texts until somebody asks, which takes a while."""
    hints = typing.get_type_hints(cls)
    return tuple(
        _Field(field.name, _without_none(hints[field.name]), field.default)
        for field in dataclasses.fields(cls)
    )


def _inner(hint: object) -> type | None:
    kind = typing.get_args(hint)[0] if typing.get_origin(hint) is tuple else hint
    is_object = isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind is not State
    return kind if is_object and isinstance(kind, type) else None


def _is_shared(hint: object) -> bool:
    """Whether it is a state, a code, or the name of another object."""
    return hint is State or getattr(hint, "__supertype__", None) is str


def _without_none(hint: object) -> object:
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return next(kind for kind in typing.get_args(hint) if kind is not types.NoneType)
    return hint
