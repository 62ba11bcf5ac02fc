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
import sys
import types
import typing
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from typing import Generic, TypeVar

from paytui.api.dialect import Dialect, JsonPath
from paytui.domain.exact_json import LONGEST_NUMBER, CannotReadError, Json
from paytui.domain.models import State
from paytui.domain.money import CurrencyCode
from paytui.platform.text import LIMIT, clean

# Single values of the wire: what is not what it should be is None, never an exception.

LARGEST_EXPONENT = 50
"""Amounts and rates beyond 1e±50 are nonsense, and writing them out would fill the memory."""

MOST_DIGITS = 40
"""Digits of an amount or a rate; no money needs more, and a screen has no room for them."""

LONGEST_CODE = 12
"""Characters of a currency code; those of ISO 4217 have three."""

_USUAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?")


def read_text(value: Json) -> str | None:
    """A string, cleaned; a number as its digits (service.md §2: both forms are used)."""
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


T = TypeVar("T")
Convert = Callable[[Json], object]

MOST_SHARED = 5_000
"""Values of one field that are remembered, so that equal ones are one object and are read once."""

LONGEST_SHARED = 100

STATES_KEPT = 200
"""Unknown words for states that are remembered, so that their objects are shared."""

_SCALARS: Mapping[object, Convert] = {
    CurrencyCode: read_currency,
    str: read_text,
    Decimal: read_decimal,
    datetime: read_time,
    date: read_date,
    bool: read_flag,
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


_Put = Callable[[object, object], None]
"""Sets a field of an object that is being made."""


class _Shared(dict[str, object]):
    """What texts of one field are read as: each once, for as long as there is room."""

    def __init__(self, convert: Convert) -> None:
        super().__init__()
        self._convert = convert

    def __missing__(self, text: str) -> object:
        value = self._convert(text)
        if len(self) < MOST_SHARED and len(text) <= LONGEST_SHARED:
            self[text] = value
        return value


class _Step:
    """Reads one field of many records at once: a loop for each field of each takes twice as long.

    Attributes:
        put: sets the field.
        needed: what the service calls it, where no record may lack it; else None.
    """

    def __init__(self, column: Column, put: _Put) -> None:
        self.put = put
        self.needed = column.spelling if column.required else None
        self._key = column.key
        self._others = column.paths[1:] if column.key else column.paths
        self._convert = column.convert
        self._absent = column.absent
        self._shared = _Shared(column.convert) if column.is_shared else None

    def values(self, records: Sequence[dict[str, Json]]) -> Sequence[object]:
        """What each record says of the field, in their order."""
        told = self._told(records)
        convert, shared = self._convert, self._shared
        values: list[object]
        if shared is None:
            values = [None if one is None else convert(one) for one in told]
        else:
            values = [
                shared[one] if isinstance(one, str) else None if one is None else convert(one)
                for one in told
            ]
        if self._absent is None:
            return values
        return [self._absent if value is None else value for value in values]

    def _told(self, records: Sequence[dict[str, Json]]) -> Sequence[Json]:
        key, others = self._key, self._others
        told = [record.get(key) for record in records] if key else [None] * len(records)
        if not others:
            return told
        pairs = zip(told, records, strict=True)
        return [find(record, others) if one is None else one for one, record in pairs]


class Reader(Generic[T]):
    """Reads objects of one class, a dataclass with slots.

    Its own `__init__` takes three times as long: a frozen class looks each field up by its name.
    """

    def __init__(self, make: type[T], columns: Sequence[Column]) -> None:
        self._make = make
        self._name = columns[0].name
        puts = _puts_of(make)
        self._plan = [_Step(column, puts.pop(column.name)) for column in columns]
        fields = {field.name: field for field in dataclasses.fields(make)}  # type: ignore[arg-type] # it is a dataclass
        self._unread = [(put, fields[name]) for name, put in puts.items()]

    def read(self, raw: Json, **given: object) -> T:
        """An object from its JSON; `given` are the fields that do not come from there.

        Raises:
            BadRecord: not an object, or a needed field is missing.
        """
        [made] = self.read_each([raw], **given)
        if isinstance(made, BadRecord):
            raise made
        return made

    def read_each(self, raws: Sequence[Json], **given: object) -> Sequence[T | BadRecord]:
        """Objects from their JSON, in its order; in place of one that cannot be read, why."""
        records = [raw if isinstance(raw, dict) else {} for raw in raws]
        bad = {
            place: BadRecord(f"{kind_of(raw)} where an object was expected")
            for place, raw in enumerate(raws)
            if not isinstance(raw, dict)
        }
        made = [object.__new__(self._make) for _ in records]
        for step in self._plan:
            values = step.values(records)
            if step.needed is not None:
                for place in (at for at, value in enumerate(values) if _is_blank(value)):
                    bad.setdefault(place, BadRecord(f"a record without a usable {step.needed}"))
            deque(map(step.put, made, values), maxlen=0)  # a loop of our own takes three times that
        for put, field in self._unread:
            for one in made:
                put(one, given[field.name] if field.name in given else _default(field))
        return [bad.get(place, one) for place, one in enumerate(made)] if bad else made

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
                is_shared=number > 0 and self._is_shared(field),
            )
            for number, field in enumerate(_fields(cls))
            if field.name in paths
        ]

    def _is_shared(self, field: _Field) -> bool:
        """Whether it is a state, a code, the name of another object, or one of a few words."""
        is_name = getattr(field.hint, "__supertype__", None) is str
        return field.hint is State or is_name or field.name in self._dialect.values

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


class StateReader:
    """Finds a state by the service's word for it; keeps the word where no dialect lists it."""

    def __init__(self, known: Mapping[str, State]) -> None:
        self._known = known
        self._unknown: dict[str, State] = {}

    def __call__(self, raw: Json) -> State | None:
        word = raw if isinstance(raw, str) else read_text(raw)
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
        name = read_name(raw)
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


def _puts_of(cls: type) -> dict[str, _Put]:
    """What sets each field of an object that is being made, past its class being frozen."""
    slots: dict[str, types.MemberDescriptorType] = {
        field.name: getattr(cls, field.name) for field in dataclasses.fields(cls)
    }
    return {name: slot.__set__ for name, slot in slots.items()}


def _default(field: dataclasses.Field[object]) -> object:
    """What a field holds that nothing is said of."""
    if field.default_factory is dataclasses.MISSING:
        return field.default
    return field.default_factory()


def _is_blank(value: object) -> bool:
    return value is None or not str(value).strip()


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


def _without_none(hint: object) -> object:
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return next(kind for kind in typing.get_args(hint) if kind is not types.NoneType)
    return hint
