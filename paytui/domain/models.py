"""The canonical objects of the service.

Names are service.md's in snake_case; fields that it does not name come from service.md §2.
Only an object's identifier is certain; every other field is None if the service did not send it.
Strings have passed `clean()`, amounts are exact decimals, times are aware and in UTC.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import NewType, get_args, get_type_hints

from paytui.domain.money import CurrencyCode, Pair

AccountId = NewType("AccountId", str)
WalletId = NewType("WalletId", str)
PayInAddressId = NewType("PayInAddressId", str)
PayInId = NewType("PayInId", str)
RateSheetId = NewType("RateSheetId", str)
TradeId = NewType("TradeId", str)
RecipientId = NewType("RecipientId", str)
PaymentAddressId = NewType("PaymentAddressId", str)
PaymentId = NewType("PaymentId", str)
IdempotencyKey = NewType("IdempotencyKey", str)


class Kind(StrEnum):
    """The kinds of objects that are read; the values name the store's tables."""

    ACCOUNTS = "accounts"
    WALLETS = "wallets"
    PAYIN_ADDRESSES = "payin_addresses"
    PAYINS = "payins"
    TRADES = "trades"
    RECIPIENTS = "recipients"
    PAYMENT_ADDRESSES = "payment_addresses"
    PAYMENTS = "payments"
    RATE_SHEETS = "rate_sheets"

    @property
    def noun(self) -> str:
        """The plural: `pay-in addresses`."""
        return self.value.replace("_", " ").replace("payin", "pay-in")

    @property
    def noun_of_one(self) -> str:
        """The singular: `pay-in address`."""
        return singular(self.noun)


def singular(many: str) -> str:
    """Return the singular of a regular plural."""
    return many.removesuffix("es") if many.endswith("sses") else many.removesuffix("s")


@dataclass(frozen=True, slots=True)
class State:
    """The state of an object.

    Attributes:
        name: canonical (`released`), or the service's own word if the dialect does not list it.
        final: True if no further change is expected; one may still come (service.md).
        as_created: True if the object cannot be read; the name is then its state at creation
            (`pending, as created`), and the present state is unknown.
    """

    name: str
    final: bool = False
    known: bool = True
    as_created: bool = False

    @property
    def settled(self) -> bool:
        """Return True if it is final, or a payment that was released.

        A service may not track a payment after its release (service.md §3).
        """
        return self.final or self.name == "released"

    @property
    def came_to_nothing(self) -> bool:
        """Return True for one of money that was not sent or was returned (service.md §3)."""
        return self.name in ("rejected", "cancelled", "failed", "returned")


@dataclass(frozen=True, slots=True)
class Token:
    """An access token (service.md §2); never shown, logged or compared by content."""

    access_token: str
    expires_at: datetime
    services: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Token(expires_at={self.expires_at.isoformat()})"


@dataclass(frozen=True, slots=True)
class PhysicalAddress:
    """service.md §2, address object. Numbers arrive as number or string and are kept as written."""

    city: str | None = None
    country: str | None = None
    postcode: str | None = None
    state: str | None = None
    address_line1: str | None = None
    address_line2: str | None = None
    street_name: str | None = None
    street_number: str | None = None
    street_type: str | None = None
    unit_number: str | None = None


@dataclass(frozen=True, slots=True)
class Identification:
    """service.md §2, identification object."""

    identity_card_number: str | None = None
    identity_country: str | None = None
    identity_expiry: datetime | None = None
    identity_number: str | None = None
    identity_state: str | None = None
    identity_type: str | None = None


@dataclass(frozen=True, slots=True)
class Representative:
    """service.md §2, representative object."""

    email: str | None = None
    first_name: str | None = None
    middle_name: str | None = None
    last_name: str | None = None
    phone_country_code: str | None = None
    phone: str | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True)
class TrustBeneficiary:
    """service.md §2, trust beneficiary object."""

    birth_date: datetime | None = None
    first_name: str | None = None
    last_name: str | None = None
    middle_name: str | None = None
    physical_address: PhysicalAddress | None = None


@dataclass(frozen=True, slots=True)
class Trust:
    """service.md §2: the trust that an individual acts for as trustee."""

    name: str | None = None
    trust_beneficiaries: tuple[TrustBeneficiary, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """A customer account, individual or corporate: the owner of everything else."""

    account_id: AccountId
    kind: str | None = None
    status: State | None = None
    display_name: str | None = None
    created_at: datetime | None = None
    email: str | None = None
    first_name: str | None = None
    middle_name: str | None = None
    last_name: str | None = None
    company_name: str | None = None
    trading_name: str | None = None
    registration_number: str | None = None
    registration_country: str | None = None
    phone_country_code: str | None = None
    phone: str | None = None
    birth_date: date | None = None
    physical_address: PhysicalAddress | None = None


@dataclass(frozen=True, slots=True)
class Wallet:
    """Money of one currency, held by one account."""

    wallet_id: WalletId
    account_id: AccountId | None = None
    currency: CurrencyCode | None = None
    wallet_name: str | None = None
    wallet_description: str | None = None
    status: State | None = None
    available_balance: Decimal | None = None
    reserved_balance: Decimal | None = None
    pending_balance: Decimal | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PayInAddress:
    """An account that receives money for a wallet: by BSB or by BIC (service.md §2)."""

    pay_in_address_id: PayInAddressId
    wallet_id: WalletId | None = None
    pay_in_address_type: str | None = None
    bsb: str | None = None
    bic: str | None = None
    account_number: str | None = None
    bank_name: str | None = None
    country: str | None = None
    npp_enabled: bool | None = None


@dataclass(frozen=True, slots=True)
class PayIn:
    """A deposit into a wallet."""

    pay_in_transaction_id: PayInId
    wallet_id: WalletId | None = None
    pay_in_address_id: PayInAddressId | None = None
    amount: Decimal | None = None
    currency: CurrencyCode | None = None
    status: State | None = None
    sender_name: str | None = None
    reference: str | None = None
    created_at: datetime | None = None
    credited_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate: 1 unit of the sold currency yields `rate` units of the bought one (service.md §2)."""

    pair: Pair
    rate: Decimal


@dataclass(frozen=True, slots=True)
class UnavailableRate:
    """A pair that the service did not price, with the reason."""

    pair: Pair
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class RateSheet:
    """Locked rates, good until `expires_at` by the service's clock; 2.5 minutes (service.md §8).

    Attributes:
        sent_at: our boot time in seconds just before the request was sent; it also bounds the
            time left (service.md §5).
        lifetime: its longest lifetime by the dialect, from `sent_at`.
        skipped: the number of rates that were unreadable, impossible or not requested.
    """

    rate_sheet_id: RateSheetId
    expires_at: datetime
    sent_at: float
    created_at: datetime | None = None
    rates: tuple[Rate, ...] = ()
    unavailable: tuple[UnavailableRate, ...] = ()
    lifetime: timedelta = timedelta(seconds=150)
    skipped: int = 0

    @property
    def by_pair(self) -> dict[Pair, Decimal]:
        return {rate.pair: rate.rate for rate in self.rates}


@dataclass(frozen=True, slots=True)
class Trade:
    """An exchange of one currency for another."""

    trade_transaction_id: TradeId
    account_id: AccountId | None = None
    sell_currency: CurrencyCode | None = None
    buy_currency: CurrencyCode | None = None
    sell_amount: Decimal | None = None
    buy_amount: Decimal | None = None
    dealt_side: str | None = None
    rate: Decimal | None = None
    rate_sheet_id: RateSheetId | None = None
    sell_wallet_id: WalletId | None = None
    buy_wallet_id: WalletId | None = None
    recipient_id: RecipientId | None = None
    payment_address_id: PaymentAddressId | None = None
    status: State | None = None
    reference: str | None = None
    created_at: datetime | None = None
    exchanged_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class BankInformation:
    """The seven optional fields of service.md §2, `bankInformation`."""

    bank_name: str | None = None
    bank_address_line1: str | None = None
    bank_address_line2: str | None = None
    locality: str | None = None
    region: str | None = None
    postal_code: str | None = None
    country: str | None = None


@dataclass(frozen=True, slots=True)
class PaymentAddress:
    """A bank account of a recipient."""

    payment_address_id: PaymentAddressId
    recipient_id: RecipientId | None = None
    currency: CurrencyCode | None = None
    country: str | None = None
    account_type: str | None = None
    account_name: str | None = None
    account_number: str | None = None
    iban: str | None = None
    bic: str | None = None
    routing_code: str | None = None
    status: State | None = None
    bank_information: BankInformation | None = None


@dataclass(frozen=True, slots=True)
class Recipient:
    """An external person or business that an account pays."""

    recipient_id: RecipientId
    account_id: AccountId | None = None
    recipient_type: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    company_name: str | None = None
    email: str | None = None
    country: str | None = None
    status: State | None = None
    payment_addresses: tuple[PaymentAddress, ...] = ()


@dataclass(frozen=True, slots=True)
class Payment:
    """A transfer between wallets or a payout to a recipient.

    `end_to_end_id` is present from `released` on and absent before (service.md §2).
    """

    payment_transaction_id: PaymentId
    payment_type: str | None = None
    account_id: AccountId | None = None
    source_wallet_id: WalletId | None = None
    destination_wallet_id: WalletId | None = None
    recipient_id: RecipientId | None = None
    payment_address_id: PaymentAddressId | None = None
    amount: Decimal | None = None
    currency: CurrencyCode | None = None
    status: State | None = None
    reference: str | None = None
    end_to_end_id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    failure_reason: str | None = None


Record = Account | Wallet | PayInAddress | PayIn | Trade | Recipient | PaymentAddress | Payment
"""An object that the service lists."""


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """The service's complaint about one field of a request, by its canonical path.

    `field` is the service's own spelling if the dialect does not map it or the request is unknown.
    """

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A failure in words for the user (service.md §7).

    Attributes:
        attempted: the operation, as a verb phrase: `read payments`.
        what: the event, in a few words: `503`, `connection refused`.
        said: the service's own message, if any.
        trace_id: the service's reference for this failure, if any.
        fields: the service's complaints about single fields.
    """

    attempted: str
    what: str
    said: str = ""
    remedy: str = ""
    trace_id: str | None = None
    fields: tuple[FieldProblem, ...] = ()
    code: str = ""

    @property
    def happened(self) -> str:
        """Return the event, the service's message and the remedy, without the operation."""
        said = f" ({self.said})" if self.said else ""
        named = (("code", self.code), ("trace", self.trace_id))
        marks = ", ".join(f"{name} {value}" for name, value in named if value)
        marks = f" [{marks}]" if marks else ""
        remedy = f" {self.remedy}" if self.remedy else ""
        return f"{self.what}{said}{marks}.{remedy}"

    def __str__(self) -> str:
        return f"Could not {self.attempted}: {self.happened}"


class ProblemError(Exception):
    """A failure that `problem` explains to the trader."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class RawObject:
    """The raw response to a read of one object, for display.

    Attributes:
        lines: its JSON, indented, with exact digits; cleaned, and without our secrets.
        cut: the lines are only the beginning.
        size: bytes of the response.
        source: the operation, as a verb phrase: `read wallet wal-1`.
    """

    lines: tuple[str, ...]
    cut: bool
    size: int
    source: str


def bank_fingerprint(address: PaymentAddress) -> str:
    """Return the hash of all fields by which a bank identifies an account and its owner.

    It is no secret, since numbers can be found by trial; it keeps them out of plain text on disk.
    """
    identity = (
        address.currency,
        address.country,
        address.account_name,
        address.account_number,
        address.iban,
        address.bic,
        address.routing_code,
    )
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()


def _field_types(record: type) -> Mapping[str, type]:
    """Return the type of each field of a dataclass, without `| None`."""
    hints = get_type_hints(record)
    types = {field.name: hints[field.name] for field in fields(record)}
    return {
        name: next(part for part in get_args(hint) if part is not NoneType)
        if NoneType in get_args(hint)
        else hint
        for name, hint in types.items()
    }


field_types: Callable[[type], Mapping[str, type]] = cache(_field_types)
