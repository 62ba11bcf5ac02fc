"""The forms of recipients and payment addresses (service.md §2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from paytui.domain.models import AccountId, Recipient, RecipientId
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PaymentAddressRequest, RecipientRequest
from paytui.store.names import recipient_title
from paytui.tui.drafts import Draft
from paytui.tui.forms import common_fields
from paytui.tui.forms.schema import Choice, Field, FieldKind, Finding, Form, Section
from paytui.tui.ui_context import UiContext

REQUEST = "payment_address_request"
ACCOUNT_TYPE = "account_type"


_HOMES = MappingProxyType({"AUD": "AU", "USD": "US"})
"""The likely country of an account by currency, if no country is given."""

_ROUTING: Mapping[str, Callable[[str], Finding | None]] = MappingProxyType(
    {"AU": common_fields.judge_bsb, "US": common_fields.judge_aba}
)


def payment_address_form(ui: UiContext, recipient: Recipient) -> Form:
    whose = Field(
        "recipient_id",
        "Recipient",
        FieldKind.CHOICE,
        help="Owner of the account.",
        required=True,
        choices=lambda: (
            Choice(
                recipient.recipient_id, recipient_title(recipient), about=recipient.country or ""
            ),
        ),
    )
    return Form(
        key="payment_address",
        title="New payment address",
        noun="Payment address",
        request_name=REQUEST,
        sections=(Section("address", "Account", (whose, *address_fields(ui))),),
        request=address_request,
        object_name=lambda draft: f"{address_name(draft)} of {recipient_title(recipient)}",
    )


def payment_address_draft(recipient: Recipient) -> Draft:
    return Draft({"recipient_id": recipient.recipient_id})


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
    country = draft["country"] or _HOMES.get(draft["currency"], "")
    judge = _ROUTING.get(country)
    return judge(text) if judge else None


def _types(ui: UiContext) -> tuple[Choice, ...]:
    """Return the dialect's account types without those that it refuses."""
    vocabulary = ui.vocabulary
    refused = vocabulary.refused.get(ACCOUNT_TYPE, {})
    offered = vocabulary.values.get(ACCOUNT_TYPE, tuple(common_fields.ACCOUNT_TYPES))
    return tuple(
        Choice(one, common_fields.type_words(one)) for one in offered if one not in refused
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
            Section(
                "recipient",
                "Identity",
                (
                    *_of_whom(ui),
                    *_names(),
                    Field("email", "E-mail", FieldKind.EMAIL),
                    common_fields.country_field(
                        "country", about="Country of residence or registration."
                    ),
                ),
            ),
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


def _of_whom(ui: UiContext) -> tuple[Field, ...]:
    types = ui.vocabulary.values.get(RECIPIENT_TYPE, _RECIPIENT_TYPES)
    return (
        common_fields.account_field(ui, help="The customer account that pays this recipient."),
        Field(
            RECIPIENT_TYPE,
            "Type",
            FieldKind.CHOICE,
            help="Individuals need a first and a last name, businesses a company name.",
            choices=lambda: tuple(Choice(one, one) for one in types),
        ),
    )


def _names() -> tuple[Field, ...]:
    """Return the name fields; only those of its type are shown once that is chosen."""
    return (
        Field("first_name", "First name", check=common_fields.judge_name, shown=_may_be_a_person),
        Field("last_name", "Last name", check=common_fields.judge_name, shown=_may_be_a_person),
        Field(
            "company_name", "Company name", check=common_fields.judge_name, shown=_may_be_a_business
        ),
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
        payment_addresses=tuple(map(address_request, draft.each_part(ADDRESSES))),
    )


def _named(draft: Draft) -> str:
    """Return the name as `recipient_title` will show it."""
    person = " ".join(filter(None, [draft["first_name"], draft["last_name"]]))
    return draft["company_name"] or person
