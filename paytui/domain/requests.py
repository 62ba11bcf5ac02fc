"""The requests that create objects or move money, in canonical names, and checks of bank numbers.

Shapes are from service.md §2 and §4; where it is silent, service.md §2. A field that is None is
not sent. `extra` holds fields that a dialect adds for its service. `DialectFeatures` tells screens
what a service takes, adds, offers and refuses, without the names on the wire. Each finding of a
check is a warning, since the service decides; no check is stricter than its standard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from paytui.domain import models
from paytui.domain.money import CurrencyCode, Pair

Extra = dict[str, str]

IN_PATH = {"in_path": True}
"""Metadata of a field that is part of the operation's path, not of the body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndividualAccountRequest:
    """service.md §2, individual account request shape."""

    birth_date: date | None = None
    email: str | None = None
    first_name: str | None = None
    middle_name: str | None = None
    last_name: str | None = None
    phone_country_code: str | None = None
    phone: str | int | None = None
    physical_address: models.PhysicalAddress | None = None
    primary_identification: models.Identification | None = None
    authorised_representatives: tuple[models.Representative, ...] = ()
    terms_and_conditions_accepted: bool | None = None
    individual_is_acting_as_trustee: bool | None = None
    trust: models.Trust | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorporateAccountRequest:
    """Assumed (service.md): service.md does not show the corporate fields."""

    company_name: str | None = None
    trading_name: str | None = None
    registration_number: str | None = None
    registration_country: str | None = None
    email: str | None = None
    phone_country_code: str | None = None
    phone: str | int | None = None
    physical_address: models.PhysicalAddress | None = None
    authorised_representatives: tuple[models.Representative, ...] = ()
    terms_and_conditions_accepted: bool | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WalletRequest:
    """service.md §2, wallet request fields."""

    account_id: models.AccountId
    currency: CurrencyCode
    wallet_name: str | None = None
    wallet_description: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PayInAddressRequest:
    """service.md §2; the type is `local` or `international`."""

    wallet_id: models.WalletId
    pay_in_address_type: str
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateSheetRequest:
    """The pairs to price (service.md §4)."""

    currency_pairs: tuple[Pair, ...]
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeRequest:
    """A trade with exactly one amount and one destination: a wallet, or a recipient's address."""

    sell_currency: CurrencyCode
    buy_currency: CurrencyCode
    sell_wallet_id: models.WalletId
    sell_amount: Decimal | None = None
    buy_amount: Decimal | None = None
    buy_wallet_id: models.WalletId | None = None
    recipient_id: models.RecipientId | None = None
    payment_address_id: models.PaymentAddressId | None = None
    rate_sheet_id: models.RateSheetId | None = None
    account_id: models.AccountId | None = None
    reference: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentAddressRequest:
    """A bank account of a recipient; `account_type` is `cacc`, `svgs` or `oth` (service.md §9).

    `recipient_id`, part of the path, is None within a `RecipientRequest`.
    """

    account_type: str
    recipient_id: models.RecipientId | None = field(default=None, metadata=IN_PATH)
    currency: CurrencyCode | None = None
    country: str | None = None
    account_name: str | None = None
    account_number: str | None = None
    iban: str | None = None
    bic: str | None = None
    routing_code: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipientRequest:
    """A recipient with at least one payment address (service.md §4)."""

    account_id: models.AccountId
    payment_addresses: tuple[PaymentAddressRequest, ...]
    recipient_type: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    company_name: str | None = None
    email: str | None = None
    country: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferRequest:
    """A transfer between two wallets of one currency (service.md §4)."""

    source_wallet_id: models.WalletId
    destination_wallet_id: models.WalletId
    amount: Decimal
    currency: CurrencyCode | None = None
    account_id: models.AccountId | None = None
    reference: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutRequest:
    """A payout to an Active payment address of an Active recipient (service.md §4)."""

    source_wallet_id: models.WalletId
    recipient_id: models.RecipientId
    payment_address_id: models.PaymentAddressId
    amount: Decimal
    currency: CurrencyCode | None = None
    account_id: models.AccountId | None = None
    reference: str | None = None
    extra: Extra = field(default_factory=dict)


MoneyRequest = TradeRequest | PayoutRequest | TransferRequest
"""A request that moves money; `account_id` owns the wallet that the money leaves."""

OMISSIBLE = frozenset({"account_id", "currency", "sell_currency", "buy_currency", "recipient_id"})
"""Fields of a money request that are omitted if the dialect has no name for them.

The wallets and the payment address, which are always sent, imply them.
"""

INDISPENSABLE: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "trade_request": (
        ("sell_wallet_id",),
        ("sell_amount", "buy_amount"),
        ("buy_wallet_id", "payment_address_id"),
    ),
    "payout_request": (("source_wallet_id",), ("payment_address_id",), ("amount",)),
    "transfer_request": (("source_wallet_id",), ("destination_wallet_id",), ("amount",)),
}
"""By money request, groups of fields; at least one of each group has to be sent."""

AccountRequest = IndividualAccountRequest | CorporateAccountRequest
"""A request that holds personal data."""

CreationRequest = (
    AccountRequest | WalletRequest | PayInAddressRequest | RecipientRequest | PaymentAddressRequest
)
"""A request that creates an object and moves no money."""

Request = MoneyRequest | CreationRequest  # A request that a trader confirms


def section_of(cls: type) -> str:
    """Return a class's section of the dialect: `payin_address` for `PayInAddress`."""
    words = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
    return words.replace("pay_in", "payin")


def in_path(request: object) -> dict[str, str]:
    """Return the identifiers in the path of a request's operation, by placeholder."""
    assert is_dataclass(request)
    names = [each.name for each in fields(request) if each.metadata]
    return {name: getattr(request, name) or "" for name in names}


def missing_fields(request: object, required: Iterable[str]) -> tuple[str, ...]:
    """Return the required fields that a request lacks, by the dialect's names."""
    assert is_dataclass(request)
    held = {each.name: getattr(request, each.name) for each in fields(request)}
    extra = held.get("extra") or {}
    return tuple(name for name in required if held.get(name, extra.get(name)) in (None, "", ()))


def request_values(request: object) -> Iterator[tuple[str, str]]:
    """Yield each value of a request as text, with its path: `payment_addresses.0.iban`."""
    assert is_dataclass(request)
    for each in fields(request):
        yield from _values(each.name, getattr(request, each.name))


def _values(path: str, value: object) -> Iterator[tuple[str, str]]:
    match value:
        case None:
            return
        case tuple():
            for number, item in enumerate(value):
                yield from _values(f"{path}.{number}", item)
        case dict():
            for name, item in value.items():
                yield from _values(f"{path}.{name}", item)
        case bool():
            yield path, "yes" if value else "no"
        case _ if is_dataclass(value):
            yield from ((f"{path}.{inner}", text) for inner, text in request_values(value))
        case _:
            yield path, str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRequest:
    """A request as its exact bytes under one key, as stored and as resent by a repeat.

    Attributes:
        attempted: its operation, as a verb phrase: `create payout`.
        path: the quoted path after the base URL.
        key_header: the header that carries the key.
    """

    attempted: str
    method: str
    path: str
    key_header: str
    key: models.IdempotencyKey
    body: bytes = field(repr=False)


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
    states: Mapping[models.Kind, tuple[str, ...]] = field(default_factory=dict)
    settled: Mapping[models.Kind, tuple[str, ...]] = field(default_factory=dict)
    refused: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    required: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unsent: Mapping[str, frozenset[str]] = field(default_factory=dict)
    added: Mapping[str, tuple[AddedField, ...]] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    unread: frozenset[models.Kind] = frozenset()

    def reads(self, kind: models.Kind) -> bool:
        return kind not in self.unread

    def takes(self, request: str, name: str) -> bool:
        """Return True if the service accepts a field in a request."""
        return name not in self.unsent.get(request, ())


# Bank numbers

_HOMES = {"AUD": "AU", "USD": "US"}
"""The likely country of an account by currency, if no country is given."""


def judge_iban(text: str, _: Mapping[str, str]) -> str:
    """Check an IBAN by ISO 13616: check digits, and the country's length and format."""
    from stdnum import iban  # an import that a first paint can do without
    from stdnum.exceptions import InvalidChecksum, InvalidComponent, ValidationError

    try:
        iban.validate(text, check_country=False)
    except InvalidChecksum:
        return "Wrong check digits: the IBAN contains a typo."
    except InvalidComponent:
        return f"No known IBAN begins with {text[:2]}."
    except ValidationError:
        return f"Wrong length or form for an IBAN of {text[:2]}."
    return ""


def judge_account_number(text: str, beside: Mapping[str, str]) -> str:
    """Warn of an IBAN in the field for account numbers."""
    return "" if judge_iban(text, beside) else "This is an IBAN. Enter it in the IBAN field."


def judge_bic(text: str, _: Mapping[str, str]) -> str:
    """Check a BIC by ISO 9362: 8 or 11 characters, the fifth and sixth a country."""
    from stdnum import bic

    return "" if bic.is_valid(text) else "Write a BIC as FNBAUS33 or FNBAUS33XXX."


def judge_routing_code(text: str, beside: Mapping[str, str]) -> str:
    """Check the code of an Australian or American bank; a BSB may have hyphens."""
    from stdnum.us import rtn

    home = beside.get("country") or _HOMES.get(beside.get("currency", ""))
    if home == "AU" and not re.fullmatch("[0-9]{6}", text.replace("-", "")):
        return "A BSB has six digits, as in 062-000."
    if home == "US" and not rtn.is_valid(text):
        return "An ABA routing number has nine digits; the last is a check digit."
    return ""
