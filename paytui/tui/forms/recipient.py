"""The forms of recipients and payment addresses (service.md §2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from paytui.domain.models import AccountId, Recipient, RecipientId
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PaymentAddressRequest, RecipientRequest
from paytui.store.views import recipient_title
from paytui.tui.context import UiContext
from paytui.tui.forms import values
from paytui.tui.forms.common_fields import (
    account_field,
    added_fields,
    currency_field,
    with_required,
)
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.schema import Choice, Field, FieldKind, Finding, Form, Section
from paytui.tui.forms.values import country_field, judge_name

REQUEST = "payment_address_request"
ACCOUNT_TYPE = "account_type"

_ACCOUNT_TYPES: Mapping[str, str] = MappingProxyType(
    {"cacc": "current account", "svgs": "savings account", "oth": "other account"}
)
"""Meanings of the values of service.md §9 (ISO 20022, ExternalCashAccountType1Code)."""

_HOMES = MappingProxyType({"AUD": "AU", "USD": "US"})
"""The likely country of an account by currency, if no country is given."""

_ROUTING: Mapping[str, Callable[[str], Finding | None]] = MappingProxyType(
    {"AU": values.judge_bsb, "US": values.judge_aba}
)


def payment_address_form(desk: UiContext, recipient: Recipient) -> Form:
    whose = Field(
        key="recipient_id",
        label="Recipient",
        kind=FieldKind.CHOICE,
        help="Whose account it is.",
        required=True,
        choices=lambda: (_recipient(recipient),),
    )
    return Form(
        key="payment_address",
        title="New payment address",
        noun="Payment address",
        request_name=REQUEST,
        sections=(Section(key="address", title="Account", fields=(whose, *address_fields(desk))),),
        request=address_request,
        object_name=lambda draft: f"{address_name(draft)} of {recipient_title(recipient)}",
    )


def payment_address_draft(recipient: Recipient) -> Draft:
    return Draft({"recipient_id": recipient.recipient_id})


def address_fields(desk: UiContext) -> tuple[Field, ...]:
    """Return the fields of a payment address; which are required depends on the country."""
    return (
        currency_field(
            desk, help="A payout goes out in the currency of the account that it is made to."
        ),
        country_field("country", about="Where the account is."),
        Field(
            key=ACCOUNT_TYPE,
            label="Account type",
            kind=FieldKind.CHOICE,
            required=True,
            choices=lambda: _types(desk),
        ),
        Field(
            key="account_name",
            label="Account name",
            help="As the bank has it.",
            check=judge_name,
        ),
        *_number_fields(),
    )


def address_request(draft: Draft) -> PaymentAddressRequest:
    """Return the request of one payment address."""
    recipient_id = draft.text("recipient_id")
    return PaymentAddressRequest(
        recipient_id=RecipientId(recipient_id) if recipient_id else None,
        account_type=draft[ACCOUNT_TYPE],
        currency=CurrencyCode(draft["currency"]) if draft["currency"] else None,
        country=draft.text("country"),
        account_name=draft.text("account_name"),
        account_number=draft.text("account_number"),
        iban=draft.text("iban"),
        bic=draft.text("bic"),
        routing_code=draft.text("routing_code"),
        extra=draft.under("extra"),
    )


def address_name(draft: Draft) -> str:
    """Return the words for a payment address: `EUR DE89370400440532013000`."""
    number = draft["iban"] or draft["account_number"]
    return " ".join(filter(None, [draft["currency"], number]))


def _number_fields() -> tuple[Field, ...]:
    return (
        Field(
            key="account_number",
            label="Account number",
            kind=FieldKind.LONG_DIGITS,
            help="Where there is no IBAN. Spaces in it are not sent.",
            check=lambda text, _: values.judge_account_number(text),
        ),
        Field(
            key="iban",
            label="IBAN",
            kind=FieldKind.CODE,
            help="The account in Europe and elsewhere. Spaces in it are not sent.",
            check=lambda text, _: values.judge_iban(text),
        ),
        Field(
            key="bic",
            label="BIC",
            kind=FieldKind.CODE,
            help="The bank's code, also called SWIFT code: FNBAUS33.",
            check=lambda text, _: values.judge_bic(text),
        ),
        Field(
            key="routing_code",
            label="Routing code",
            kind=FieldKind.LONG_DIGITS,
            help="BSB in Australia, ABA routing number in the United States, and the like.",
            check=_judge_routing,
        ),
    )


def _judge_routing(text: str, draft: Draft) -> Finding | None:
    country = draft["country"] or _HOMES.get(draft["currency"], "")
    judge = _ROUTING.get(country)
    return judge(text) if judge else None


def type_words(account_type: str) -> str:
    """Return an account type in words: `current account` for `cacc`."""
    return _ACCOUNT_TYPES.get(account_type, account_type)


def _types(desk: UiContext) -> tuple[Choice, ...]:
    """Return the dialect's account types without those that it refuses."""
    vocabulary = desk.vocabulary
    refused = vocabulary.refused.get(ACCOUNT_TYPE, {})
    offered = vocabulary.values.get(ACCOUNT_TYPE, tuple(_ACCOUNT_TYPES))
    return tuple(Choice(key=one, words=type_words(one)) for one in offered if one not in refused)


def _recipient(recipient: Recipient) -> Choice:
    return Choice(
        key=recipient.recipient_id, words=recipient_title(recipient), about=recipient.country or ""
    )


ADDRESSES = "payment_addresses"
RECIPIENT_TYPE = "recipient_type"
_RECIPIENT_TYPES = ("individual", "business")


def recipient_form(desk: UiContext) -> Form:
    """Return the form of a recipient with its first payment addresses."""
    addresses = with_required(address_fields(desk), desk.vocabulary, REQUEST)
    return Form(
        key="recipient",
        title="New recipient",
        noun="Recipient",
        request_name="recipient_request",
        sections=(
            Section(
                key="recipient",
                title="Who it is",
                fields=(*_of_whom(desk), *_names(), *_reached()),
            ),
            Section(
                key=ADDRESSES,
                title="Payment address",
                fields=(*addresses, *added_fields(desk.vocabulary, REQUEST)),
                repeated=True,
                min_parts=1,
            ),
        ),
        request=_request,
        object_name=_named,
    )


def _of_whom(desk: UiContext) -> tuple[Field, ...]:
    types = desk.vocabulary.values.get(RECIPIENT_TYPE, _RECIPIENT_TYPES)
    return (
        account_field(desk, help="The customer account that pays it."),
        Field(
            key=RECIPIENT_TYPE,
            label="Type",
            kind=FieldKind.CHOICE,
            help="Individuals need a first and a last name, businesses a company name.",
            choices=lambda: tuple(Choice(key=one, words=one) for one in types),
        ),
    )


def _names() -> tuple[Field, ...]:
    """Return the name fields; only those of its type are shown once that is chosen."""
    return (
        Field(key="first_name", label="First name", check=judge_name, shown=_may_be_a_person),
        Field(key="last_name", label="Last name", check=judge_name, shown=_may_be_a_person),
        Field(key="company_name", label="Company name", check=judge_name, shown=_may_be_a_business),
    )


def _reached() -> tuple[Field, ...]:
    return (
        Field(key="email", label="E-mail", kind=FieldKind.EMAIL),
        country_field("country", about="Where it is."),
    )


def _may_be_a_person(draft: Draft) -> bool:
    return draft[RECIPIENT_TYPE] != "business"


def _may_be_a_business(draft: Draft) -> bool:
    return draft[RECIPIENT_TYPE] != "individual"


def _request(draft: Draft) -> RecipientRequest:
    return RecipientRequest(
        account_id=AccountId(draft["account_id"]),
        recipient_type=draft.text(RECIPIENT_TYPE),
        first_name=draft.text("first_name"),
        last_name=draft.text("last_name"),
        company_name=draft.text("company_name"),
        email=draft.text("email"),
        country=draft.text("country"),
        payment_addresses=tuple(
            address_request(draft.part(ADDRESSES, part)) for part in range(draft.count(ADDRESSES))
        ),
    )


def _named(draft: Draft) -> str:
    """Return the name as `recipient_title` will show it."""
    person = " ".join(filter(None, [draft["first_name"], draft["last_name"]]))
    return draft["company_name"] or person
