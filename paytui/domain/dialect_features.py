"""The features of a dialect for screens: offered, refused, required and added fields.

They are built from the dialect at start, so that screens do not depend on wire names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from paytui.domain.models import Kind
from paytui.domain.money import CurrencyCode


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedField:
    """A field that only this service has; `key` is its name in the request's `extra`."""

    key: str
    label: str
    kind: Literal["text", "number", "boolean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectFeatures:
    """The features of one service, by canonical names.

    Attributes:
        currencies: the known currencies of wallets (service.md §8).
        values: by field, its permitted values: `account_type` → `cacc`, `svgs`, `oth`.
        states: by kind, the names of its states.
        settled: by kind, the names of the states that `State.settled` holds for.
        refused: by field, values that are never sent, each with the reason.
        required: by request (`wallet_request`), the mandatory fields, including those of `added`.
        unsent: by request, fields that the service does not accept.
        added: by request, the service's own fields.
        missing: operations that the service lacks by its dialect: `create_recipient`.
        unread: kinds that the service cannot read by its dialect.
    """

    currencies: tuple[CurrencyCode, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    states: Mapping[Kind, tuple[str, ...]] = field(default_factory=dict)
    settled: Mapping[Kind, tuple[str, ...]] = field(default_factory=dict)
    refused: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    required: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unsent: Mapping[str, frozenset[str]] = field(default_factory=dict)
    added: Mapping[str, tuple[AddedField, ...]] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    unread: frozenset[Kind] = frozenset()

    def reads(self, kind: Kind) -> bool:
        return kind not in self.unread

    def takes(self, request: str, name: str) -> bool:
        """Return True if the service accepts a field in a request."""
        return name not in self.unsent.get(request, ())
