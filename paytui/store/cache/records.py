"""The records of the cache: a JSON list for each record, validated like any input.

Sensitive personal data is not cached: bank accounts, addresses, e-mail, telephone, date of birth.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from paytui.api.resources import KIND_OF, READS
from paytui.domain.models import (
    Account,
    Kind,
    PayIn,
    Payment,
    Recipient,
    Record,
    State,
    Trade,
    Wallet,
)
from paytui.platform.text import clean

LONGEST = 20_000
"""Maximum of characters in one record; ours have a few hundred."""

_KEPT: Mapping[type[Record], str] = types.MappingProxyType(
    {
        Account: """account_id kind status display_name created_at first_name middle_name last_name
            company_name trading_name""",
        Wallet: """wallet_id account_id currency wallet_name wallet_description status
            available_balance reserved_balance pending_balance created_at updated_at""",
        Recipient: """recipient_id account_id recipient_type first_name last_name company_name
            country status""",
        Trade: """trade_transaction_id account_id sell_currency buy_currency sell_amount buy_amount
            dealt_side rate rate_sheet_id sell_wallet_id buy_wallet_id recipient_id
            payment_address_id status reference created_at exchanged_at""",
        Payment: """payment_transaction_id payment_type account_id source_wallet_id
            destination_wallet_id recipient_id payment_address_id amount currency status
            reference end_to_end_id created_at updated_at failure_reason""",
        PayIn: """pay_in_transaction_id wallet_id pay_in_address_id amount currency status
            reference created_at credited_at""",
    }
)
"""The cached fields of each model; the identifier comes first."""

KEPT = tuple(KIND_OF[record] for record in _KEPT)
"""The kinds that are cached."""

_AMOUNT = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?")

Value = str | list[Any] | None
"""A field in JSON."""


class Unreadable(Exception):
    """A value that this version did not write."""


@dataclass(frozen=True, slots=True)
class _Column:
    """The conversion of a field to and from the cache, except None."""

    name: str
    write: Callable[[Any], Value]
    read: Callable[[Any], Any]


class Codec:
    """The serialiser of the records of one kind."""

    def __init__(self, kind: Kind) -> None:
        self._record = READS[kind].record
        hints = get_type_hints(self._record)
        identifier, *others = _KEPT[self._record].split()
        self._columns = [
            _Column(identifier, _read_text, _read_text),
            *(_column(name, hints[name]) for name in others),
        ]

    @property
    def signature(self) -> str:
        """A text that changes whenever the format changes."""
        columns = (f"{column.name}:{column.read.__name__}" for column in self._columns)
        return f"{self._record.__name__}({','.join(columns)})"

    def identifier(self, record: Record) -> str:
        identifier: str = getattr(record, self._columns[0].name)
        return identifier

    def write(self, record: Record) -> str | None:
        """Serialise a record; return None if it could not be read again."""
        pairs = ((column, getattr(record, column.name)) for column in self._columns)
        try:
            values = [None if value is None else column.write(value) for column, value in pairs]
        except Unreadable:
            return None
        text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
        return text if len(text) <= LONGEST else None

    def read(self, text: object) -> Record:
        """Parse a record.

        Raises:
            Unreadable: the text is not a record.
        """
        try:
            values = json.loads(text) if isinstance(text, str) and len(text) <= LONGEST else None
            if not isinstance(values, list) or not values[0]:
                raise Unreadable
            pairs = zip(self._columns, values, strict=True)
            given: dict[str, Any] = {
                column.name: column.read(value) for column, value in pairs if value is not None
            }
            return self._record(**given)
        except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError):
            raise Unreadable from None


@cache
def codec_of(kind: Kind) -> Codec:
    """Return the codec of a kind, created once."""
    return Codec(kind)


@cache
def signature() -> str:
    """Return a fingerprint of the cached fields and their format."""
    whole = ";".join(codec_of(kind).signature for kind in KEPT)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def _column(name: str, hint: object) -> _Column:
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(one for one in get_args(hint) if one is not type(None))
    if hint is Decimal:
        return _Column(name, _write_amount, _read_amount)
    if hint is datetime:
        return _Column(name, _write_time, _read_time)
    if hint is State:
        return _Column(name, _write_state, _read_state)
    return _Column(name, _read_text, _read_text if hint is str else _read_code)


def _read_text(value: object) -> str:
    if not isinstance(value, str) or clean(value) != value:
        raise Unreadable
    return value


def _read_code(value: object) -> str:
    """Intern codes and identifiers, which occur in many records."""
    return sys.intern(_read_text(value))


def _write_amount(value: Decimal) -> str:
    return str(_read_amount(f"{value:f}"))


def _read_amount(value: object) -> Decimal:
    if not isinstance(value, str) or not _AMOUNT.fullmatch(value):
        raise Unreadable
    return Decimal(value)


def _write_time(value: datetime) -> str:
    return value.isoformat()


def _read_time(value: object) -> datetime:
    return _moment(_read_text(value))


@lru_cache(maxsize=256)
def _moment(text: str) -> datetime:
    """Parse a time; cached, since most records hold the same time twice."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not UTC:
        raise Unreadable
    return moment


def _write_state(value: State) -> list[object]:
    if value.as_created:  # a later run learns it from the outbox
        raise Unreadable
    return [value.name, value.final, value.known]


def _read_state(value: object) -> State:
    match value:
        case [str(name), bool(final), bool(known)]:
            return _state(_read_code(name), final, known)
        case _:
            raise Unreadable


@cache
def _state(name: str, final: bool, known: bool) -> State:
    return State(name, final, known)
