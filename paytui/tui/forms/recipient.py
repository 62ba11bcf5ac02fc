"""The forms of recipients and payment addresses (service.md §2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from paytui.domain.models import Recipient
from paytui.domain.requests import PaymentAddressRequest, RecipientRequest
from paytui.store.names import recipient_title
from paytui.tui.drafts import Draft
from paytui.tui.forms import common_fields
from paytui.tui.forms.schema import Field, FieldKind, Finding, Form, Section
from paytui.tui.ticket.model import Option
from paytui.tui.ui_context import UiContext

REQUEST = "payment_address_request"
ACCOUNT_TYPE = "account_type"


_HOMES = MappingProxyType({"AUD": "AU", "USD": "US"})
"""The likely country of an account by currency, if no country is given."""

_ROUTING: Mapping[str, Callable[[str], Finding | None]] = MappingProxyType(
    {"AU": common_fields.judge_bsb, "US": common_fields.judge_aba}
)


def payment_address_form(ui: UiContext, recipient: Recipient) -> Form:
    name, country = recipient_title(recipient), recipient.country or ""
    owner = Option(key=recipient.recipient_id, name=name, facts=country)
    whose = Field(
        "recipient_id",
        "Recipient",
        FieldKind.CHOICE,
        help="Owner of the account.",
        required=True,
        choices=lambda: (owner,),
    )
    return Form(
        key="payment_address",
        title="New payment address",
        noun="Payment address",
        request_name=REQUEST,
        sections=(Section("address", "Account", (whose, *address_fields(ui))),),
        request=address_request,
        object_name=lambda draft: f"{address_name(draft)} of {name}",
    )


def address_fields(ui: UiContext) -> tuple[Field, ...]:
    """Return the fields of a payment address; which are required depends on the country."""
    return (
        common_fields.currency_field(ui, help="Payouts to this account are in its currency."),
        common_fields.country_field("country", about="Country of the account."),
        Field(
            ACCOUNT_TYPE,
            "Account type",
            FieldKind.CHOICE,
            required=True,
            choices=lambda: _types(ui),
        ),
        Field(
            "account_name",
            "Account name",
            help="As registered with the bank.",
            check=common_fields.judge_name,
        ),
        *_number_fields(),
    )


def address_request(draft: Draft) -> PaymentAddressRequest:
    return PaymentAddressRequest(**draft.texts(), extra=draft.under("extra"))


def address_name(draft: Draft) -> str:
    """Return the words for a payment address: `EUR DE89370400440532013000`."""
    number = draft["iban"] or draft["account_number"]
    return " ".join(filter(None, [draft["currency"], number]))


def _number_fields() -> tuple[Field, ...]:
    return (
        Field(
            "account_number",
            "Account number",
            FieldKind.LONG_DIGITS,
            help="Only if there is no IBAN. Spaces are removed.",
            check=lambda text, _: common_fields.judge_account_number(text),
        ),
        Field(
            "iban",
            "IBAN",
            FieldKind.CODE,
            help="International account number. Spaces are removed.",
            check=lambda text, _: common_fields.judge_iban(text),
        ),
        Field(
            "bic",
            "BIC",
            FieldKind.CODE,
            help="Bank identifier (SWIFT code). Example: FNBAUS33.",
            check=lambda text, _: common_fields.judge_bic(text),
        ),
        Field(
            "routing_code",
            "Routing code",
            FieldKind.LONG_DIGITS,
            help="BSB in Australia, ABA routing number in the United States.",
            check=_judge_routing,
        ),
    )


def _judge_routing(text: str, draft: Draft) -> Finding | None:
    judge = _ROUTING.get(draft["country"] or _HOMES.get(draft["currency"], ""))
    return judge(text) if judge else None


def _types(ui: UiContext) -> tuple[Option, ...]:
    """Return the dialect's account types without those that it refuses."""
    refused = ui.vocabulary.refused.get(ACCOUNT_TYPE, {})
    offered = ui.vocabulary.values.get(ACCOUNT_TYPE, tuple(common_fields.ACCOUNT_TYPES))
    return tuple(
        Option(key=one, name=common_fields.type_words(one)) for one in offered if one not in refused
    )


ADDRESSES = "payment_addresses"
RECIPIENT_TYPE = "recipient_type"
_RECIPIENT_TYPES = ("individual", "business")


def recipient_form(ui: UiContext) -> Form:
    addresses = common_fields.with_required(address_fields(ui), ui.vocabulary, REQUEST)
    return Form(
        key="recipient",
        title="New recipient",
        noun="Recipient",
        request_name="recipient_request",
        sections=(
            Section("recipient", "Identity", _identity(ui)),
            Section(
                ADDRESSES,
                "Payment address",
                (*addresses, *common_fields.added_fields(ui.vocabulary, REQUEST)),
                repeated=True,
                min_parts=1,
            ),
        ),
        request=_request,
        object_name=_named,
    )


def _identity(ui: UiContext) -> tuple[Field, ...]:
    """Return the fields of a recipient; of the names, only those of its type are shown."""
    judge = common_fields.judge_name
    types = ui.vocabulary.values.get(RECIPIENT_TYPE, _RECIPIENT_TYPES)
    return (
        common_fields.account_field(ui, help="The customer account that pays this recipient."),
        Field(
            RECIPIENT_TYPE,
            "Type",
            FieldKind.CHOICE,
            help="Individuals need a first and a last name, businesses a company name.",
            choices=lambda: tuple(Option(key=one, name=one) for one in types),
        ),
        Field("first_name", "First name", check=judge, shown=_except_of("business")),
        Field("last_name", "Last name", check=judge, shown=_except_of("business")),
        Field("company_name", "Company name", check=judge, shown=_except_of("individual")),
        Field("email", "E-mail", FieldKind.EMAIL),
        common_fields.country_field("country", about="Country of residence or registration."),
    )


def _except_of(recipient_type: str) -> Callable[[Draft], bool]:
    return lambda draft: draft[RECIPIENT_TYPE] != recipient_type


def _request(draft: Draft) -> RecipientRequest:
    addresses = tuple(map(address_request, draft.each_part(ADDRESSES)))
    return RecipientRequest(**draft.texts(), payment_addresses=addresses)


def _named(draft: Draft) -> str:
    """Return the name as `recipient_title` will show it."""
    person = " ".join(filter(None, [draft["first_name"], draft["last_name"]]))
    return draft["company_name"] or person
