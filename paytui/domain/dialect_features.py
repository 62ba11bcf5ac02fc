"""The features of a dialect for screens: offered, refused, required and added.

Made of the dialect where the parts are put together, so that screens know no word of the wire.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from paytui.domain.models import Kind
from paytui.domain.money import CurrencyCode


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedField:
    """A field that only this service wants (service.md, `[extra.<request>]`).

    Attributes:
        key: its name in the request's `extra`.
    """

    key: str
    label: str
    kind: Literal["text", "number", "boolean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectFeatures:
    """Of one service; everything by canonical names.

    Attributes:
        currencies: those in which wallets can be held (service.md §8), as far as we know.
        values: by field, what it can be: `account_type` → `cacc`, `svgs`, `oth`.
        states: by what is listed, the names of its states.
        refused: by field, values that are never sent, and why.
        required: by request (`wallet_request`), the fields without which nothing goes out; those
            of `added` among them.
        unsent: by request, the fields that the service takes none of.
        added: by request, the service's own fields.
        missing: operations that the dialect says the service has not: `create_recipient`.
        unread: kinds of which the service can show no object, by its dialect.
    """

    currencies: tuple[CurrencyCode, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    states: Mapping[Kind, tuple[str, ...]] = field(default_factory=dict)
    refused: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    required: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unsent: Mapping[str, frozenset[str]] = field(default_factory=dict)
    added: Mapping[str, tuple[AddedField, ...]] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    unread: frozenset[Kind] = frozenset()

    def reads(self, kind: Kind) -> bool:
        """Return True if the service has a read for objects of a kind."""
        return kind not in self.unread

    def takes(self, request: str, name: str) -> bool:
        """Return True if the service takes a field in a request."""
        return name not in self.unsent.get(request, ())
