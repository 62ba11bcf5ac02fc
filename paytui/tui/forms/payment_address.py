"""A payment address: an account of a recipient at a bank (api.md §2, contract.md "Objects")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from paytui.domain.models import Recipient, RecipientId
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PaymentAddressRequest
from paytui.store.views import recipient_title
from paytui.tui.context import Desk
from paytui.tui.forms import bank_numbers
from paytui.tui.forms.countries import country_field
from paytui.tui.forms.declare import Choice, Field, FieldKind, Finding, Form, Section
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.names import judge_name
from paytui.tui.forms.usual_fields import currency_field

REQUEST = "payment_address_request"
TYPE = "account_type"

_TYPES: Mapping[str, str] = MappingProxyType(
    {"cacc": "current account", "svgs": "savings account", "oth": "other account"}
)
"""What the values of api.md §9 stand for (ISO 20022, ExternalCashAccountType1Code)."""

_HOMES = MappingProxyType({"AUD": "AU", "USD": "US"})
"""Where an account in a currency is likely to be, if no country is given."""

_ROUTING: Mapping[str, Callable[[str], Finding | None]] = MappingProxyType(
    {"AU": bank_numbers.judge_bsb, "US": bank_numbers.judge_aba}
)


def payment_address_form(desk: Desk, recipient: Recipient) -> Form:
    """Return the form of another payment address of a recipient."""
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
        asks=REQUEST,
        sections=(Section(key="address", title="Account", fields=(whose, *address_fields(desk))),),
        request=address_request,
        named=lambda draft: f"{address_name(draft)} of {recipient_title(recipient)}",
    )


def begun_for_recipient(recipient: Recipient) -> Draft:
    """Return the draft that the form starts with."""
    return Draft({"recipient_id": recipient.recipient_id})


def address_fields(desk: Desk) -> tuple[Field, ...]:
    """Return the fields of a payment address; which are required depends on the country."""
    return (
        currency_field(
            desk, help="A payout goes out in the currency of the account that it is made to."
        ),
        country_field("country", about="Where the account is."),
        Field(
            key=TYPE,
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
    """The request of what is filled in of one account."""
    recipient_id = draft.text("recipient_id")
    return PaymentAddressRequest(
        recipient_id=RecipientId(recipient_id) if recipient_id else None,
        account_type=draft[TYPE],
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
    """An account in a person's words: `EUR DE89370400440532013000`."""
    number = draft["iban"] or draft["account_number"]
    return " ".join(filter(None, [draft["currency"], number]))


def _number_fields() -> tuple[Field, ...]:
    return (
        Field(
            key="account_number",
            label="Account number",
            kind=FieldKind.LONG_DIGITS,
            help="Where there is no IBAN. Spaces in it are not sent.",
            check=lambda text, _: bank_numbers.judge_account_number(text),
        ),
        Field(
            key="iban",
            label="IBAN",
            kind=FieldKind.CODE,
            help="The account in Europe and elsewhere. Spaces in it are not sent.",
            check=lambda text, _: bank_numbers.judge_iban(text),
        ),
        Field(
            key="bic",
            label="BIC",
            kind=FieldKind.CODE,
            help="The bank's code, also called SWIFT code: FNBAUS33.",
            check=lambda text, _: bank_numbers.judge_bic(text),
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
    return _TYPES.get(account_type, account_type)


def _types(desk: Desk) -> tuple[Choice, ...]:
    """Return the account types of the dialect, in words, without refused ones."""
    vocabulary = desk.vocabulary
    refused = vocabulary.refused.get(TYPE, {})
    offered = vocabulary.values.get(TYPE, tuple(_TYPES))
    return tuple(Choice(key=one, words=type_words(one)) for one in offered if one not in refused)


def _recipient(recipient: Recipient) -> Choice:
    return Choice(
        key=recipient.recipient_id, words=recipient_title(recipient), about=recipient.country or ""
    )
