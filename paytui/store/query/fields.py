"""The fields that filters, sorting and exports can name.

They are derived from the models, so a new field of a model is available to all three. Nested fields
have dotted names: `physical_address.city`, `payment_addresses.currency`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, auto
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import TypeVar, get_args, get_origin, get_type_hints

from paytui.api.resources import READS
from paytui.domain.intent import Action, IntentRow
from paytui.domain.models import AccountId, Kind, RecipientId, State, WalletId
from paytui.domain.money import CurrencyCode
from paytui.platform.text import fold
from paytui.store.reports import EventRow
from paytui.store.store import Store
from paytui.store.views import account_name, recipient_name, wallet_label
from paytui.store.views.movements import Movement
from paytui.store.views.names import NameCache

Listed = Kind | type[IntentRow] | type[EventRow] | type[Movement]
"""The types of rows: objects of the service, intents, webhooks or movements of a wallet."""

Scalar = str | bool | Decimal | datetime | date
Values = tuple[Scalar, ...]
Read = Callable[[object], Values]


class FieldType(Enum):
    """The type of a field's values."""

    TEXT = auto()
    CODE = auto()
    """A word from a small vocabulary: a state's name or a currency."""
    NUMBER = auto()
    TIME = auto()
    DATE = auto()
    FLAG = auto()


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a kind.

    Attributes:
        values: returns the values of a row: none if the field is missing, several if it is in a
            list, such as the currencies of a recipient's addresses.
    """

    name: str
    type: FieldType
    values: Read


SPELLINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ccy": ("currency",),
        "state": ("status",),
        "amount": ("amount", "available_balance"),
        "age": ("created",),
    }
)
"""Aliases of fields, each with its candidates; the first candidate that exists is meant."""

_NAMED = frozenset({AccountId, WalletId, RecipientId})
"""The identifiers of objects that have names."""

_TYPES: Mapping[object, FieldType] = MappingProxyType(
    {
        str: FieldType.TEXT,
        CurrencyCode: FieldType.CODE,
        State: FieldType.CODE,
        Action: FieldType.CODE,
        Decimal: FieldType.NUMBER,
        int: FieldType.NUMBER,
        datetime: FieldType.TIME,
        date: FieldType.DATE,
        bool: FieldType.FLAG,
    }
)


def fields_of(listed: Listed) -> tuple[Field, ...]:
    """Return the fields of a list, in the order of its model."""
    return _fields_of(_record(listed))


@cache
def _fields_of(record: type) -> tuple[Field, ...]:
    return tuple(_fields(record))


def named_fields(store: Store, listed: Listed) -> tuple[Field, ...]:
    """Return the fields of a list and a field for each named object: `account`, `sell_wallet`.

    Such a field holds the name and the identifier, so that a search finds either.
    """
    return (*fields_of(listed), *_names(store, _record(listed)))


def references(listed: Listed) -> tuple[Callable[[object], str | None], ...]:
    """Return readers of the identifiers for which `named_fields` adds a name."""
    return tuple(attrgetter(name) for name, _ in _references(_record(listed)))


def _record(listed: Listed) -> type:
    return READS[listed].record if isinstance(listed, Kind) else listed


def find_fields(name: str, known: Sequence[Field]) -> list[Field]:
    """Return the fields that a typed word may mean.

    An exact name means that field alone. Else `currency` means `sell_currency` and
    `buy_currency`, `created` means `created_at`, `wallet` means `wallet_id`.
    """
    for spelling in SPELLINGS.get(name.lower(), (name.lower(),)):
        exact = [field for field in known if field.name == spelling]
        if found := exact or [field for field in known if _ends_with(field.name, spelling)]:
            return found
    return []


def _ends_with(name: str, word: str) -> bool:
    stems = (name, name.removesuffix("_id"), name.removesuffix("_at"))
    return any(f"_{stem}".replace(".", "_").endswith(f"_{word}") for stem in stems)


def _fields(record: type) -> Iterator[Field]:
    for name, hint in _hints(record).items():
        if get_args(hint)[:1] == (str,):
            yield Field(name, FieldType.TEXT, _texts(name))
        elif get_args(hint)[:1] == (tuple[str, str],):
            yield Field(name, FieldType.TEXT, _pairs(name))
        elif get_origin(hint) is tuple:
            yield from _nested(name, get_args(hint)[0], attrgetter(name))
        elif is_dataclass(hint) and hint is not State:
            yield from _nested(name, hint, _one(name))
        else:
            yield Field(name, _type(hint), _reader(name, hint))


def _hints(record: type) -> dict[str, type]:
    """Return the type of each field, without `| None`."""
    hints = get_type_hints(record)
    return {field.name: _told(hints[field.name]) for field in fields(record)}


def _told(hint: type) -> type:
    told: list[type] = [part for part in get_args(hint) if part is not type(None)]
    return told[0] if len(told) == 1 and type(None) in get_args(hint) else hint


def _type(hint: type) -> FieldType:
    return _TYPES.get(hint, FieldType.TEXT)


def _reader(name: str, hint: type) -> Read:
    get = attrgetter(name)

    def read(row: object) -> Values:
        value = get(row)
        return () if value is None else (value,)

    def read_state(row: object) -> Values:
        state = get(row)
        return () if state is None else (state.name,)

    def read_count(row: object) -> Values:
        return (Decimal(get(row)),)

    return {State: read_state, int: read_count}.get(hint, read)


def _one(name: str) -> Callable[[object], tuple[object, ...]]:
    get = attrgetter(name)

    def inner(row: object) -> tuple[object, ...]:
        value = get(row)
        return () if value is None else (value,)

    return inner


def _texts(name: str) -> Read:
    get = attrgetter(name)
    return lambda row: get(row) or ()


def _pairs(name: str) -> Read:
    """Return a reader of label and value pairs: `label: value`."""
    get = attrgetter(name)
    return lambda row: tuple(": ".join(pair) for pair in get(row))


def _nested(
    name: str, record: type, inner: Callable[[object], tuple[object, ...]]
) -> Iterator[Field]:
    for field in _fields(record):
        yield Field(f"{name}.{field.name}", field.type, _through(inner, field.values))


def _through(inner: Callable[[object], tuple[object, ...]], read: Read) -> Read:
    return lambda row: tuple(value for part in inner(row) for value in read(part))


def _references(record: type) -> Iterator[tuple[str, type]]:
    own = fields(record)[0].name
    for name, hint in _hints(record).items():
        if hint in _NAMED and name != own:
            yield name, hint


def _names(store: Store, record: type) -> Iterator[Field]:
    namers: dict[object, Callable[[str], str]] = {
        AccountId: NameCache(store.accounts, lambda key: account_name(store, AccountId(key))),
        WalletId: NameCache(store.wallets, lambda key: wallet_label(store, WalletId(key))),
        RecipientId: NameCache(
            store.recipients, lambda key: recipient_name(store, RecipientId(key))
        ),
    }
    for name, hint in _references(record):
        read = _named(attrgetter(name), namers[hint])
        yield Field(name.removesuffix("_id"), FieldType.TEXT, read)


def _named(get: Callable[[object], str | None], called: Callable[[str], str]) -> Read:
    def read(row: object) -> Values:
        key = get(row)
        return () if key is None else (called(key), key)

    return read


R = TypeVar("R")


class SortError(ValueError):
    """An invalid sort order; the message says what to write instead."""


@dataclass(frozen=True, slots=True)
class Order:
    """One field to sort by."""

    field: Field
    descending: bool

    def key(self, row: object) -> tuple[Scalar, ...]:
        """Return the sort key of a row; rows without a value come first."""
        values = self.field.values(row)
        if self.field.type is FieldType.TEXT:
            return tuple(fold(value) for value in values if isinstance(value, str))
        return values


def parse_orders(text: str, known: Sequence[Field]) -> list[Order]:
    """Parse a sort order: `-created_at,reference`, where `-` means descending.

    Raises:
        SortError: a field does not exist, or its name is ambiguous.
    """
    return [_order(part.strip(), known) for part in text.split(",")]


def _order(text: str, known: Sequence[Field]) -> Order:
    name = text.removeprefix("-")
    found = find_fields(name, known)
    if not found:
        names = ", ".join(field.name for field in known)
        raise SortError(f"There is no field {name or '(empty)'} to sort by. There are: {names}.")
    if len(found) > 1:
        names = ", ".join(field.name for field in found)
        raise SortError(f"{name} could mean several fields. Name one of them: {names}.")
    return Order(found[0], descending=text.startswith("-"))


def in_order(rows: Iterable[R], orders: Sequence[Order]) -> list[R]:
    """Return the rows, sorted stably."""
    result = list(rows)
    for order in reversed(orders):
        result.sort(key=order.key, reverse=order.descending)
    return result
