"""The fields that filters, sorting and exports can name.

They are derived from the models, so a new field of a model is available to all three. Nested fields
have dotted names: `physical_address.city`, `payment_addresses.currency`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, auto
from functools import cache, lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_origin

from paytui.api.resources import READS
from paytui.domain import models
from paytui.domain.intent import Action, IntentRow
from paytui.domain.money import CurrencyCode
from paytui.platform.text import fold
from paytui.store.screen_rows import EventRow, Movement

Listed = models.Kind | type[IntentRow] | type[EventRow] | type[Movement]
"""The types of rows: objects of the service, intents, webhooks or movements of a wallet."""

Scalar = str | bool | Decimal | datetime | date
Values = tuple[Scalar, ...]
Read = Callable[[object], Values]


class FieldType(Enum):
    TEXT = auto()
    CODE = auto()  # A word from a small vocabulary: a state's name or a currency
    NUMBER = auto()
    TIME = auto()
    DATE = auto()
    FLAG = auto()


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a kind.

    `values` returns none if the field is missing, and several if it `is_list`, such as the
    currencies of a recipient's addresses. `heading` is that of its column, from `HEADINGS`.
    """

    name: str
    type: FieldType
    values: Read
    heading: str | None = None
    is_list: bool = False


SPELLINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ccy": ("currency",),
        "state": ("status",),
        "amount": ("amount", "available_balance"),
        "created": ("created", "confirmed"),
        "age": ("created", "confirmed"),
        "last": ("created", "confirmed"),
    }
)
"""Aliases of fields, each with its candidates; the first candidate that exists is meant."""

HEADINGS: Mapping[type, Mapping[str, str]] = MappingProxyType(
    {
        models.Account: {
            "kind": "type",
            "email": "e_mail",
            "registration_number": "registration",
            "registration_country": "country",
        },
        models.Trade: {
            "sell_amount": "sold",
            "buy_amount": "bought",
            "sell_currency": "pair",
            "buy_currency": "pair",
            "sell_wallet": "from",
            "recipient": "to",
            "buy_wallet": "to",
            "trade_transaction_id": "trade_id",
        },
        models.Payment: {
            "source_wallet": "from",
            "recipient": "to",
            "destination_wallet": "to",
            "payment_transaction_id": "payment_id",
            "source_wallet_id": "source_id",
            "destination_wallet_id": "destination_id",
        },
        models.PayIn: {"wallet": "into", "pay_in_transaction_id": "pay_in_id"},
        models.Recipient: {
            "recipient_type": "type",
            "email": "e_mail",
            "payment_addresses.currency": "currencies",
        },
        Movement: {"at": "created", "what": "movement", "key": "transaction_id"},
        IntentRow: {
            "title": "intent",
            "object_id": "result",
            "terms.account": "account",
            "terms.source_wallet": "from",
        },
        EventRow: {
            "trust": "verified",
            "caused": "effect",
            "object_kind": "object",
            "object_id": "object",
            "created_at": "event_time",
        },
    }
)
"""Column headings of fields by record, where `find_fields` would not know them by their names.

A heading of several fields means all of them: `to` is a recipient or a wallet.
"""

_TYPES: Mapping[object, FieldType] = MappingProxyType(
    {
        str: FieldType.TEXT,
        CurrencyCode: FieldType.CODE,
        models.State: FieldType.CODE,
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
    return _fields_of(record_of(listed))


@cache
def _fields_of(record: type) -> tuple[Field, ...]:
    return with_headings(_fields(record), record)


def with_headings(known: Iterable[Field], record: type) -> tuple[Field, ...]:
    headings = HEADINGS.get(record, {})
    return tuple(replace(field, heading=headings.get(field.name)) for field in known)


def record_of(listed: Listed) -> type:
    return READS[listed].record if isinstance(listed, models.Kind) else listed


def find_fields(name: str, known: Sequence[Field]) -> list[Field]:
    """Return the fields that a typed word may mean.

    An exact name means that field alone, a column heading the fields in that column. Else
    `currency` means `sell_currency` and `buy_currency`, `created` means `created_at`, `available`
    means `available_balance`. The parts of a name are joined by `_` or `-`.
    """
    typed = _typed(name)
    for spelling in SPELLINGS.get(typed, (typed,)):
        if found := (
            [field for field in known if field.name == spelling]
            or [field for field in known if field.heading == spelling]
            or [field for field in known if _ends_with(field.name, spelling)]
        ):
            return found
    return []


def names_of(known: Sequence[Field]) -> list[str]:
    """Return the aliases, headings and names that mean one of the fields."""
    aliases = [alias for alias in SPELLINGS if find_fields(alias, known)]
    headings = [field.heading for field in known if field.heading]
    return list(dict.fromkeys((*aliases, *headings, *(field.name for field in known))))


def _typed(name: str) -> str:
    return name.lower().replace("-", "_")


_ENDING = re.compile("_(at|balance|enabled|id|name|reason|side)$")  # not in column headings


def _ends_with(name: str, word: str) -> bool:
    stems = (name, _ENDING.sub("", name))
    return any(f"_{stem}".replace(".", "_").endswith(f"_{word}") for stem in stems)


def _fields(record: type) -> Iterator[Field]:
    for name, hint in models.field_types(record).items():
        get = attrgetter(name)
        is_list = get_origin(hint) is tuple
        item = get_args(hint)[0] if is_list else hint
        if is_dataclass(item) and item is not models.State:
            parts = get if is_list else _optional(get)
            for each in _fields(item):
                values, has_several = _through(parts, each.values), is_list or each.is_list
                yield Field(f"{name}.{each.name}", each.type, values, is_list=has_several)
        else:
            kind = _TYPES.get(item, FieldType.TEXT)
            yield Field(name, kind, _reader(get, hint), is_list=is_list)


def _reader(get: Callable[[object], Any], hint: type) -> Read:
    if hint is models.State:
        return lambda row: () if (state := get(row)) is None else (state.name,)
    if hint is int:
        return lambda row: (Decimal(get(row)),)
    if get_args(hint)[:1] == (str,):
        return lambda row: get(row) or ()
    if get_args(hint)[:1] == (tuple[str, str],):
        return lambda row: tuple(": ".join(pair) for pair in get(row))
    return _optional(get)


def _optional(get: Callable[[object], Any]) -> Callable[[object], tuple[Any, ...]]:
    return lambda row: () if (value := get(row)) is None else (value,)


def _through(parts: Callable[[object], Iterable[object]], read: Read) -> Read:
    return lambda row: tuple(value for part in parts(row) for value in read(part))


_AMOUNT = re.compile("(^|_|[.])(amount|balance|rate)$")


def is_amount(field: Field) -> bool:
    """Return True for amounts, balances and rates, which words find if they are numbers."""
    return field.type is FieldType.NUMBER and _AMOUNT.search(field.name) is not None


SearchText = Callable[[object], str]  # Returns the searchable text of a row
NAMES = 2_000  # Size of the cache of normalised values with accents: many rows share few names

WORDS = frozenset({FieldType.TEXT, FieldType.CODE})
"""The types of fields that are searched for words."""


def search_text(known: Sequence[Field]) -> SearchText:
    """Return a function that joins all textual fields of a row."""
    reads = [field.values for field in known if field.type in WORDS]
    folded = lru_cache(NAMES)(fold)

    def text(row: object) -> str:
        values = [value for read in reads for value in read(row) if isinstance(value, str)]
        whole = "\n".join(values)
        if whole.isascii():
            return fold(whole)  # once a row, not once a field: half the time
        return "\n".join(fold(value) if value.isascii() else folded(value) for value in values)

    return text


R = TypeVar("R")


class SortError(ValueError):
    """An invalid sort order; the message says what to write instead."""


@dataclass(frozen=True, slots=True)
class Order:
    """One field to sort by, or all fields of a column."""

    fields: tuple[Field, ...]
    descending: bool

    def key(self, row: object) -> tuple[Scalar, ...]:
        """Return the sort key of a row; rows without a value come first."""
        return tuple(
            fold(value) if field.type is FieldType.TEXT and isinstance(value, str) else value
            for field in self.fields
            for value in field.values(row)
        )


def parse_orders(text: str, known: Sequence[Field]) -> list[Order]:
    """Parse a sort order: `-created_at,reference`, where `-` means descending.

    Raise SortError if a field does not exist, or its name is ambiguous.
    """
    return [_order(part.strip(), known) for part in text.split(",")]


def _order(text: str, known: Sequence[Field]) -> Order:
    name = text.removeprefix("-")
    found = find_fields(name, known)
    if not found:
        names = ", ".join(field.name for field in known)
        raise SortError(f"No field {name or '(empty)'} to sort by. Known: {names}.")
    if len(found) > 1 and any(field.heading != _typed(name) for field in found):
        names = ", ".join(field.name for field in found)
        raise SortError(f"{name} could mean several fields. Name one of them: {names}.")
    return Order(tuple(found), descending=text.startswith("-"))


def in_order(rows: Iterable[R], orders: Sequence[Order]) -> list[R]:
    result = list(rows)
    for order in reversed(orders):
        result.sort(key=order.key, reverse=order.descending)
    return result
