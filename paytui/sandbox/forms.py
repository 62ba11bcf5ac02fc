"""The requests of the service (service.md §2, §4): their fields, checks and schemas.

Fields are checked as they stand on the wire, and unknown ones are ignored. Rules that concern two
fields, or the currency of a wallet, are left to the operations.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

import pydantic
from pydantic import Field
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails

from paytui.sandbox.http_messages import ApiError, Detail, FaultKind, JsonObject, invalid
from paytui.sandbox.ledger import CURRENCIES, WHOLE_DIGITS

DECIMAL = r"^[0-9]{1,40}(\.[0-9]{1,40})?$"
CURRENCY_SCHEMA: JsonObject = {"type": "string", "enum": [*CURRENCIES]}


def _currency(code: str) -> str:
    if code not in CURRENCIES:
        raise ValueError("is not a currency of this service")
    return code


def _plain_number(value: object) -> Decimal:
    if isinstance(value, str) and re.fullmatch(DECIMAL, value):
        return Decimal(value)
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return Decimal(value)
    raise ValueError("must be a plain decimal number")


Text = Annotated[str, Field(max_length=512)]
Word = Annotated[Text, Field(min_length=1, pattern=r"\S")]
Currency = Annotated[
    str, pydantic.AfterValidator(_currency), pydantic.WithJsonSchema(CURRENCY_SCHEMA)
]
Number = Annotated[Decimal, pydantic.BeforeValidator(_plain_number)]
Amount = Annotated[
    Number,
    pydantic.WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": DECIMAL},
                {"type": "number", "exclusiveMinimum": 0},
            ]
        }
    ),
]
AccountType = Literal["cacc", "svgs", "oth"]
PayInAddressType = Literal["local", "international"]

_WORDS = {
    **dict.fromkeys(("missing", "string_too_short", "string_pattern_mismatch"), "is required"),
    "string_too_long": "must not be longer than {max_length} characters",
    "string_type": "must be a string",
    "bool_type": "must be true or false",
    **dict.fromkeys(("dict_type", "model_type"), "must be an object"),
    "list_type": "must be a list of objects",
    "too_short": "must be a list of at least {min_length} object",
    "too_long": "must be a list of at most {max_length} objects",
    **dict.fromkeys(("literal_error", "enum"), "must be one of {expected}"),
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "value_error": "{error}",
}


class Form(pydantic.BaseModel):
    """The body of a request; its fields are those of the wire, which has them in camelCase."""

    model_config = pydantic.ConfigDict(alias_generator=to_camel, strict=True, frozen=True)

    @classmethod
    def of(cls, body: JsonObject) -> Self:
        """Return the checked body; raise 400 with a detail for each invalid field."""
        try:
            return cls.model_validate(body)
        except pydantic.ValidationError as error:
            details = tuple(map(_detail, error.errors(include_url=False)))
            told = "; ".join(f"{each.field}: {each.message}" for each in details)
            raise ApiError(400, "invalid_request", told, details) from None

    def require(self, *names: str) -> None:
        """Raise 400 if one of these optional texts is missing or blank."""
        for name in names:
            if not (getattr(self, name) or "").strip():
                raise invalid(to_camel(name), "is required")


def _detail(found: ErrorDetails) -> Detail:
    path = "".join(
        f"[{part}]" if isinstance(part, int) else f".{to_camel(part)}" for part in found["loc"]
    )
    kind = "missing" if found["input"] is None else found["type"]
    words = _WORDS.get(kind, found["msg"]).format_map(found.get("ctx", {}))
    return Detail(path.removeprefix("."), words)


def require_fitting(name: str, amount: Decimal, currency: str) -> None:
    """Raise 400 unless an amount is above zero and has at most its currency's digits."""
    digits = CURRENCIES[currency].digits
    if amount <= 0:
        raise invalid(name, "must be greater than zero")
    if amount.adjusted() >= WHOLE_DIGITS:
        raise invalid(name, f"must have at most {WHOLE_DIGITS} digits before the point")
    if -int(amount.as_tuple().exponent) > digits:
        raise invalid(name, f"{currency} has {digits} digits after the point")


class SignIn(Form):
    client_id: Word
    client_secret: Annotated[str, Field(min_length=1, max_length=4096)]


class _Account(Form):
    """The fields of both account requests; service.md §2 does not say which are required."""

    email: Text | None = None
    phone_country_code: Text | None = None
    physical_address: dict[str, Any] | None = None
    primary_identification: dict[str, Any] | None = None
    trust: dict[str, Any] | None = None
    terms_and_conditions_accepted: bool | None = None


class IndividualAccount(_Account):
    first_name: Word
    last_name: Word
    middle_name: Text | None = None
    birth_date: Text | None = None


class CorporateAccount(_Account):
    company_name: Word
    trading_name: Text | None = None
    registration_number: Text | None = None
    registration_country: Text | None = None


class Wallet(Form):
    account_id: Word
    currency: Currency
    wallet_name: Text | None = None
    wallet_description: Text | None = None


class PayInAddress(Form):
    wallet_id: Word
    pay_in_address_type: PayInAddressType


class CurrencyPair(Form):
    sell_currency: Word
    buy_currency: Word


class RateSheet(Form):
    currency_pairs: Annotated[list[CurrencyPair], Field(min_length=1, max_length=400)]


class _MoneyForm(Form):
    account_id: Text | None = None
    reference: Text | None = None


class Trade(_MoneyForm):
    sell_currency: Currency
    buy_currency: Currency
    sell_wallet_id: Word
    sell_amount: Amount | None = None
    buy_amount: Amount | None = None
    buy_wallet_id: Text | None = None
    recipient_id: Text | None = None
    payment_address_id: Text | None = None
    rate_sheet_id: Text | None = None


class BankInformation(Form):
    bank_name: Text | None = None
    bank_address_line1: Text | None = None
    bank_address_line2: Text | None = None
    locality: Text | None = None
    region: Text | None = None
    postal_code: Text | None = None
    country: Text | None = None


class Address(Form):
    """A bank account of a recipient, by its number or its IBAN."""

    currency: Currency
    account_type: AccountType
    country: Text | None = None
    account_name: Text | None = None
    iban: Text | None = None
    account_number: Annotated[Text | None, Field(validate_default=True)] = None
    bic: Text | None = None
    routing_code: Text | None = None
    bank_information: BankInformation = BankInformation.of(
        {"bankName": "Bank of the Sandbox", "locality": "Sydney", "country": "AU"}
    )

    @pydantic.field_validator("account_number")
    @classmethod
    def _or_iban(cls, number: str | None, others: pydantic.ValidationInfo) -> str | None:
        if number is None and others.data.get("iban") is None:
            raise ValueError("this or iban is required")
        return number


class Recipient(Form):
    account_id: Word
    recipient_type: Literal["individual", "business"]
    payment_addresses: Annotated[list[Address], Field(min_length=1, max_length=20)]
    first_name: Text | None = None
    last_name: Text | None = None
    company_name: Text | None = None
    email: Text | None = None
    country: Text | None = None


class Transfer(_MoneyForm):
    source_wallet_id: Word
    destination_wallet_id: Word
    amount: Amount


class Payout(_MoneyForm):
    source_wallet_id: Word
    recipient_id: Word
    payment_address_id: Word
    amount: Amount


# The control API


class BankTransfer(Form):
    """A bank transfer from outside, to a pay-in address of a wallet."""

    wallet_id: Word
    amount: Number
    sender_name: Text | None = None
    reference: Text | None = None


class ClockMove(Form):
    seconds: Annotated[Number, Field(ge=0, le=10**9)]


class StateChange(Form):
    kind: Word
    id: Word
    status: Annotated[Word, Field(max_length=64)]
    force: bool = False


class Resend(Form):
    event_id: Word


class FaultOrder(Form):
    operation: Word
    kind: Annotated[FaultKind, Field(strict=False)]
    times: Annotated[Number, Field(ge=1, le=10**6)] = Decimal(1)
    seconds: Annotated[Number, Field(ge=0, le=3600)] = Decimal(1)
