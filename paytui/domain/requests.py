"""The requests of creating operations, in canonical names.

Shapes from service.md §2 and §4; where it is silent, service.md §2. A field that is None is
not sent. `extra` holds fields that a dialect adds for a service that wants more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date
from decimal import Decimal

from paytui.domain.models import (
    AccountId,
    IdempotencyKey,
    Identification,
    PaymentAddressId,
    PhysicalAddress,
    RateSheetId,
    RecipientId,
    Representative,
    Trust,
    WalletId,
)
from paytui.domain.money import CurrencyCode, Pair

Extra = dict[str, str]

IN_PATH = {"in_path": True}
"""Of a field that goes into the path of its operation, and not into the body."""


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
    physical_address: PhysicalAddress | None = None
    primary_identification: Identification | None = None
    authorised_representatives: tuple[Representative, ...] = ()
    terms_and_conditions_accepted: bool | None = None
    individual_is_acting_as_trustee: bool | None = None
    trust: Trust | None = None
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
    physical_address: PhysicalAddress | None = None
    authorised_representatives: tuple[Representative, ...] = ()
    terms_and_conditions_accepted: bool | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WalletRequest:
    """service.md §2, wallet request fields."""

    account_id: AccountId
    currency: CurrencyCode
    wallet_name: str | None = None
    wallet_description: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PayInAddressRequest:
    """service.md §2; the type is `local` or `international`."""

    wallet_id: WalletId
    pay_in_address_type: str
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateSheetRequest:
    """The pairs to price (service.md §4)."""

    currency_pairs: tuple[Pair, ...]
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeRequest:
    """Exactly one amount, exactly one destination: a wallet, or a recipient with its address."""

    sell_currency: CurrencyCode
    buy_currency: CurrencyCode
    sell_wallet_id: WalletId
    sell_amount: Decimal | None = None
    buy_amount: Decimal | None = None
    buy_wallet_id: WalletId | None = None
    recipient_id: RecipientId | None = None
    payment_address_id: PaymentAddressId | None = None
    rate_sheet_id: RateSheetId | None = None
    account_id: AccountId | None = None
    reference: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentAddressRequest:
    """A bank account of a recipient; `account_type` is `cacc`, `svgs` or `oth` (service.md §9).

    Attributes:
        recipient_id: to whom it is added: part of the path; None within a `RecipientRequest`.
    """

    account_type: str
    recipient_id: RecipientId | None = field(default=None, metadata=IN_PATH)
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

    account_id: AccountId
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
    """Between two wallets of one currency (service.md §4)."""

    source_wallet_id: WalletId
    destination_wallet_id: WalletId
    amount: Decimal
    currency: CurrencyCode | None = None
    account_id: AccountId | None = None
    reference: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutRequest:
    """From a wallet to an Active payment address of an Active recipient (service.md §4)."""

    source_wallet_id: WalletId
    recipient_id: RecipientId
    payment_address_id: PaymentAddressId
    amount: Decimal
    currency: CurrencyCode | None = None
    account_id: AccountId | None = None
    reference: str | None = None
    extra: Extra = field(default_factory=dict)


MoneyRequest = TradeRequest | PayoutRequest | TransferRequest
"""A request that moves money; `account_id` is that of the wallet that the money leaves."""

OMISSIBLE = frozenset({"account_id", "currency", "sell_currency", "buy_currency", "recipient_id"})
"""Fields of a money request that are left out if the dialect has no name for them.

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
"""By money request, groups of fields of which one has to be sent."""

AccountRequest = IndividualAccountRequest | CorporateAccountRequest
"""What holds personal data."""

CreationRequest = (
    AccountRequest | WalletRequest | PayInAddressRequest | RecipientRequest | PaymentAddressRequest
)
"""What creates something and moves no money."""

Request = MoneyRequest | CreationRequest
"""What a person may confirm."""


def in_path(request: object) -> dict[str, str]:
    """The identifiers of a request that stand in the path of its operation, by placeholder."""
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
    """Yield each value of a request as text, by its path: `payment_addresses.0.iban`."""
    assert is_dataclass(request)
    for each in fields(request):
        yield from _said(each.name, getattr(request, each.name))


def _said(path: str, value: object) -> Iterator[tuple[str, str]]:
    match value:
        case None:
            return
        case tuple():
            for number, item in enumerate(value):
                yield from _said(f"{path}.{number}", item)
        case dict():
            for name, item in value.items():
                yield from _said(f"{path}.{name}", item)
        case bool():
            yield path, "yes" if value else "no"
        case _ if is_dataclass(value):
            yield from ((f"{path}.{inner}", text) for inner, text in request_values(value))
        case _:
            yield path, str(value)


# A creating request as it goes out, to the byte: what is kept, and what a repeat sends again.


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRequest:
    """One request under one key.

    Attributes:
        attempted: what it is for, as a verb phrase: `create payout`.
        path: from the base URL on, quoted.
        key_header: the header that carries the key.
    """

    attempted: str
    method: str
    path: str
    key_header: str
    key: IdempotencyKey
    body: bytes = field(repr=False)
