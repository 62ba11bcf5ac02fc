"""The records of the cache: a JSON list for each record, validated like any input.

Sensitive personal data is not cached: bank accounts, addresses, e-mail, telephone, date of birth.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from paytui.api.resources import KIND_OF, READS
from paytui.domain import models
from paytui.domain.models import field_types
from paytui.platform.text import LIMIT, clean

LONGEST = 60_000
"""Maximum of characters in one record; ours have a few hundred. Eleven texts of 2,000 characters,
each written as two, are fewer."""

_KEPT: Mapping[type[models.Record], str] = MappingProxyType(
    {
        models.Account: """account_id kind status display_name created_at first_name middle_name
            last_name company_name trading_name""",
        models.Wallet: """wallet_id account_id currency wallet_name wallet_description status
            available_balance reserved_balance pending_balance created_at updated_at""",
        models.Recipient: """recipient_id account_id recipient_type first_name last_name
            company_name country status""",
        models.Trade: """trade_transaction_id account_id sell_currency buy_currency sell_amount
            buy_amount dealt_side rate rate_sheet_id sell_wallet_id buy_wallet_id recipient_id
            payment_address_id status reference created_at exchanged_at""",
        models.Payment: """payment_transaction_id payment_type account_id source_wallet_id
            destination_wallet_id recipient_id payment_address_id amount currency status
            reference end_to_end_id created_at updated_at failure_reason""",
        models.PayIn: """pay_in_transaction_id wallet_id pay_in_address_id amount currency status
            reference created_at credited_at""",
    }
)
"""The cached fields of each model; the identifier comes first."""

KEPT = tuple(KIND_OF[record] for record in _KEPT)  # The kinds that are cached

_AMOUNT = re.compile(r"-?[0-9]{1,60}(\.[0-9]{1,100})?")  # All that the service's numbers can be

Value = str | list[Any] | None  # A field in JSON


_Write = Callable[[Any], Value]
_Read = Callable[[Any], Any]
_Column = tuple[str, _Write, _Read]
"""The name of a field, and its conversions to and from the cache, except of None."""


class Unreadable(Exception):
    """A value that this version did not write."""


class Codec:
    """The serialiser of the records of one kind."""

    def __init__(self, kind: models.Kind) -> None:
        self._record = READS[kind].record
        hints = field_types(self._record)
        identifier, *others = kept_fields(kind)
        self._identifier = identifier
        self._columns: list[_Column] = [(identifier, _read_text, _read_text)]
        codes = (_read_text, _read_code)
        self._columns += [(name, *_CONVERSIONS.get(hints[name], codes)) for name in others]
        self._values: Callable[[models.Record], tuple[Any, ...]] = attrgetter(identifier, *others)
        writes = enumerate(write for _, write, _ in self._columns)
        self._converted = [(place, write) for place, write in writes if write is not _read_text]

    @property
    def signature(self) -> str:
        """A text that changes whenever the format changes."""
        columns = (f"{name}:{read.__name__}" for name, _, read in self._columns)
        return f"{self._record.__name__}({','.join(columns)})"

    def identifier(self, record: models.Record) -> str:
        return str(getattr(record, self._identifier))

    def write(self, record: models.Record) -> str | None:
        """Serialise a record; return None if it could not be read again."""
        values = list(self._values(record))
        try:
            for place, write in self._converted:
                if values[place] is not None:
                    values[place] = write(values[place])
            text = _encode(values)
            if not _is_plain(text):
                for value in values:
                    if isinstance(value, str):
                        _read_text(value)
        except Unreadable:
            return None
        return text if len(text) <= LONGEST else None

    def read(self, text: object) -> models.Record:
        """Parse a record; raise Unreadable if the text is none."""
        try:
            values = json.loads(text) if isinstance(text, str) and len(text) <= LONGEST else None
            if not isinstance(values, list) or not values[0]:
                raise Unreadable
            pairs = zip(self._columns, values, strict=True)
            given: dict[str, Any] = {
                name: read(value) for (name, _, read), value in pairs if value is not None
            }
            return self._record(**given)
        except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError):
            raise Unreadable from None


@cache
def codec_of(kind: models.Kind) -> Codec:
    return Codec(kind)


def kept_fields(kind: models.Kind) -> tuple[str, ...]:
    """Return the names of the cached fields; the identifier comes first."""
    return tuple(_KEPT[READS[kind].record].split())


@cache
def signature() -> str:
    """Return a fingerprint of the cached fields and their format."""
    whole = ";".join(codec_of(kind).signature for kind in KEPT)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _is_plain(text: str) -> bool:
    """Return True if each string in JSON text is clean for certain: nothing in it is escaped."""
    return len(text) <= LIMIT and text.isascii() and text.isprintable() and "\\" not in text


def _read_text(value: object) -> str:
    if not isinstance(value, str) or clean(value) != value:
        raise Unreadable
    return value


def _read_code(value: object) -> str:
    """Intern codes and identifiers, which occur in many records."""
    return sys.intern(_read_text(value))


def _write_amount(value: Decimal) -> str:
    text = f"{value:f}"  # not `str`, which writes small numbers with an exponent
    _read_amount(text)
    return text


def _read_amount(value: object) -> Decimal:
    if not isinstance(value, str) or not _AMOUNT.fullmatch(value):
        raise Unreadable
    return Decimal(value)


def _write_time(value: datetime) -> str:
    return value.isoformat()


def _read_time(value: object) -> datetime:
    return read_moment(_read_text(value))


@lru_cache(maxsize=256)
def read_moment(text: str) -> datetime:
    """Parse a time; cached, since most records hold the same time twice."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Unreadable from None
    if moment.tzinfo is not UTC:
        raise Unreadable
    return moment


def _write_state(value: models.State) -> list[object]:
    return [value.name, value.final, value.known, value.as_created]


def _read_state(value: Iterable[object]) -> models.State:
    return _state(*value)


@lru_cache(maxsize=None, typed=True)
def _state(*value: object) -> models.State:
    match value:
        case (str(name), bool(final), bool(known), bool(as_created)):
            return models.State(_read_code(name), final, known, as_created)
        case _:
            raise Unreadable


_CONVERSIONS: Mapping[object, tuple[_Write, _Read]] = {
    Decimal: (_write_amount, _read_amount),
    datetime: (_write_time, _read_time),
    models.State: (_write_state, _read_state),
    str: (_read_text, _read_text),
}
"""The conversions of each type; all others are codes and identifiers."""
