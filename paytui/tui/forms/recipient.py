"""The forms of recipients and payment addresses (service.md §2)."""

from __future__ import annotations

from paytui.domain.bank_numbers import (
    judge_account_number,
    judge_bic,
    judge_iban,
    judge_routing_code,
)
from paytui.domain.models import Recipient
from paytui.domain.requests import PaymentAddressRequest, RecipientRequest
from paytui.store.names import recipient_title
from paytui.tui.format.cells import ACCOUNT_TYPES, type_words
from paytui.tui.forms import common_fields
from paytui.tui.forms.common_fields import judge_name
from paytui.tui.forms.schema import Field, FieldKind, Form, Section
from paytui.tui.ticket.model import Option, Values
from paytui.tui.ui_context import UiContext

ACCOUNT_TYPE = "account_type"
RECIPIENT_TYPE = "recipient_type"


def payment_address_form(ui: UiContext, recipient: Recipient) -> Form:
    name, choice = recipient_title(recipient), FieldKind.CHOICE
    one = Option(key=recipient.recipient_id, name=name, facts=recipient.country or "")
    about = "Owner of the account."
    owner = Field("recipient_id", "Recipient", choice, about, required=True, choices=lambda: (one,))

    def named(values: Values) -> str:
        number = values.get("iban") or values.get("account_number")
        return " ".join(filter(None, [values.get("currency"), number, "of", name]))

    return Form(
        key="payment_address",
        noun="Payment address",
        sections=(Section("Account", (owner, *address_fields(ui))),),
        request=PaymentAddressRequest,
        object_name=named,
    )


def address_fields(ui: UiContext) -> tuple[Field, ...]:
    """Return the fields of a payment address; which are required depends on the country."""

    def types() -> tuple[Option, ...]:
        """Return the dialect's account types without those that it refuses."""
        offered = ui.vocabulary.values.get(ACCOUNT_TYPE, tuple(ACCOUNT_TYPES))
        known = [one for one in offered if one not in ui.vocabulary.refused.get(ACCOUNT_TYPE, {})]
        return tuple(Option(key=one, name=type_words(one)) for one in known)

    digits, code = FieldKind.LONG_DIGITS, FieldKind.CODE
    number = "Only if there is no IBAN. Spaces are removed."
    iban = "International account number. Spaces are removed."
    routing = "BSB in Australia, ABA routing number in the United States."
    bic = "Bank identifier (SWIFT code). Example: FNBAUS33."
    return (
        common_fields.currency_field(ui, "Payouts to this account are in its currency."),
        common_fields.country_field("country", about="Country of the account."),
        Field(ACCOUNT_TYPE, "Account type", FieldKind.CHOICE, required=True, choices=types),
        Field(
            "account_name", "Account name", help="As registered with the bank.", check=judge_name
        ),
        Field("account_number", "Account number", digits, number, check=judge_account_number),
        Field("iban", "IBAN", code, iban, check=judge_iban),
        Field("bic", "BIC", code, bic, check=judge_bic),
        Field("routing_code", "Routing code", digits, routing, check=judge_routing_code),
    )


def recipient_form(ui: UiContext) -> Form:
    """Return the form of a recipient; of the names, only those of its type are shown."""

    def may_be_person(values: Values) -> bool:
        return values.get(RECIPIENT_TYPE) != "business"

    def may_be_company(values: Values) -> bool:
        return values.get(RECIPIENT_TYPE) != "individual"

    def types() -> tuple[Option, ...]:
        offered = ui.vocabulary.values.get(RECIPIENT_TYPE, ("individual", "business"))
        return tuple(Option(key=one, name=one) for one in offered)

    def named(values: Values) -> str:  # as `recipient_title` will show it
        names = ("company_name",) if values.get("company_name") else ("first_name", "last_name")
        return " ".join(filter(None, map(values.get, names)))

    about = "Individuals need a first and a last name, businesses a company name."
    identity = (
        common_fields.account_field(ui, "The customer account that pays this recipient."),
        Field(RECIPIENT_TYPE, "Type", FieldKind.CHOICE, about, choices=types),
        Field("first_name", "First name", check=judge_name, shown=may_be_person),
        Field("last_name", "Last name", check=judge_name, shown=may_be_person),
        Field("company_name", "Company name", check=judge_name, shown=may_be_company),
        Field("email", "E-mail", FieldKind.EMAIL),
        common_fields.country_field("country", about="Country of residence or registration."),
    )
    path, request = "payment_addresses", "payment_address_request"
    addresses = Section("Payment address", address_fields(ui), path, request, min_parts=1)
    return Form(
        key="recipient",
        noun="Recipient",
        sections=(Section("Identity", identity), addresses),
        request=RecipientRequest,
        object_name=named,
    )
