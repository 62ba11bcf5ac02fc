"""The dialect: the service's spelling of our canonical names (service.md, "The dialect")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from paytui.domain.models import State
from paytui.domain.money import CurrencyCode

JsonPath = tuple[str, ...]  # Names of nested members; empty = the object itself


@dataclass(frozen=True, slots=True)
class Route:
    """One spelling of an operation: `GET /wallets/{wallet_id}`."""

    method: str
    path: str


@dataclass(frozen=True, slots=True)
class ExtraField:
    """A field of a request that only this service has."""

    path: JsonPath
    label: str
    kind: Literal["text", "number", "boolean"]


@dataclass(frozen=True, slots=True)
class Idempotency:
    """The service's handling of a repeated key.

    Attributes:
        replayed: the header that marks a repeated response.
        replay_safe: operations whose repeat is answered, but not executed again.
        retention: the time for which the service remembers a key.
    """

    header: str
    replayed: str
    replay_safe: frozenset[str]
    retention: timedelta


@dataclass(frozen=True, slots=True)
class Paging:
    """The pagination of lists; sizes are counts of records.

    Attributes:
        order: the order of lists; "" = unknown.
        unpaged: operations with the whole list in one response.
    """

    style: Literal["page", "offset", "cursor", "none"]
    page: str
    first: int
    offset: str
    size: str
    records: int
    total: JsonPath
    cursor: str
    next: JsonPath
    order: Literal["newest_first", "oldest_first", "none", ""]
    unpaged: frozenset[str]

    def of(self, operation: str) -> Paging:
        """Return the pagination of an operation's list."""
        return replace(self, style="none") if operation in self.unpaged else self


@dataclass(frozen=True, slots=True)
class ErrorShape:
    """The members of an error response.

    Attributes:
        title: a heading, shown before the message.
        token_codes: codes of a 401 that refuse the token, so that nothing was executed.
        key_words: words in an error that mean the idempotency key.
        token_gone: codes of a 401 for an unknown or expired token, not for a superseded one.
    """

    code: tuple[JsonPath, ...]
    message: tuple[JsonPath, ...]
    title: tuple[JsonPath, ...]
    trace_id: tuple[JsonPath, ...]
    details: tuple[JsonPath, ...]
    trace_headers: tuple[str, ...]
    token_codes: tuple[str, ...]
    key_words: tuple[str, ...]
    token_gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A service's spelling of everything: checked, compiled once (`dialect_file.py`), and frozen.

    Attributes:
        paths: spellings of each operation, in the order in which they are tried.
        query: the service's name of each canonical parameter that it offers.
        tell_changes: operations that can list only changes since a time.
        fields: by object and canonical field, the paths in the order in which they are read.
        states: by object and the service's word in casefold, the state; shared, never copied.
        required: by request, the canonical and `extra` fields that must be filled in.
        extra: by request, the service's own fields.
        values: by canonical field and value, the service's spellings.
        refused: by canonical field, the service's values that are never sent, and the reasons.
    """

    prefix: str
    auth_prefix: str
    currencies: tuple[CurrencyCode, ...]
    headers: Mapping[str, str]
    paths: Mapping[str, tuple[Route, ...]]
    query: Mapping[str, str]
    tell_changes: frozenset[str]
    fields: Mapping[str, Mapping[str, tuple[JsonPath, ...]]]
    states: Mapping[str, Mapping[str, State]]
    required: Mapping[str, tuple[str, ...]]
    extra: Mapping[str, Mapping[str, ExtraField]]
    idempotency: Idempotency
    values: Mapping[str, Mapping[str, tuple[str, ...]]]
    refused: Mapping[str, Mapping[str, str]]
    one: tuple[JsonPath, ...]
    many: tuple[JsonPath, ...]
    paging: Paging
    amounts: Literal["string", "number"]
    errors: ErrorShape
    token_lifetime: timedelta
    rate_sheet_lifetime: timedelta
    gateway_patience: timedelta


def section_of(cls: type) -> str:
    """Return a class's section of the dialect: `payin_address` for `PayInAddress`."""
    words = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
    return words.replace("pay_in", "payin")
