"""The forms of recipients and payment addresses (service.md §2), and the checks of bank numbers."""

from __future__ import annotations

import re

from paytui.domain.models import Recipient
from paytui.domain.requests import PaymentAddressRequest, RecipientRequest
from paytui.store.names import recipient_title
from paytui.tui.drafts import Draft
from paytui.tui.forms import common_fields
from paytui.tui.forms.common_fields import ACCOUNT_TYPES, EXTRA, judge_name, type_words
from paytui.tui.forms.schema import Field, FieldKind, Finding, Form, Section, warning
from paytui.tui.ticket.model import Option
from paytui.tui.ui_context import UiContext

ADDRESS_REQUEST = "payment_address_request"
ADDRESSES = "payment_addresses"
ACCOUNT_TYPE = "account_type"
RECIPIENT_TYPE = "recipient_type"


def payment_address_form(ui: UiContext, recipient: Recipient) -> Form:
    name, choice = recipient_title(recipient), FieldKind.CHOICE
    one = Option(key=recipient.recipient_id, name=name, facts=recipient.country or "")
    about = "Owner of the account."
    owner = Field("recipient_id", "Recipient", choice, about, required=True, choices=lambda: (one,))
    return Form(
        key="payment_address",
        noun="Payment address",
        sections=(Section("address", "Account", (owner, *address_fields(ui))),),
        request=address_request,
        object_name=lambda draft: f"{address_name(draft)} of {name}",
    )


def address_fields(ui: UiContext) -> tuple[Field, ...]:
    """Return the fields of a payment address; which are required depends on the country."""

    def types() -> tuple[Option, ...]:
        """Return the dialect's account types without those that it refuses."""
        offered = ui.vocabulary.values.get(ACCOUNT_TYPE, tuple(ACCOUNT_TYPES))
        known = [one for one in offered if one not in ui.vocabulary.refused.get(ACCOUNT_TYPE, {})]
        return tuple(Option(key=one, name=type_words(one)) for one in known)

    digits, code = FieldKind.LONG_DIGITS, FieldKind.CODE
    name = "As registered with the bank."
    number = "Only if there is no IBAN. Spaces are removed."
    iban = "International account number. Spaces are removed."
    routing = "BSB in Australia, ABA routing number in the United States."
    bic = "Bank identifier (SWIFT code). Example: FNBAUS33."
    return (
        common_fields.currency_field(ui, "Payouts to this account are in its currency."),
        common_fields.country_field("country", about="Country of the account."),
        Field(ACCOUNT_TYPE, "Account type", FieldKind.CHOICE, required=True, choices=types),
        Field("account_name", "Account name", help=name, check=judge_name),
        Field("account_number", "Account number", digits, number, check=judge_account_number),
        Field("iban", "IBAN", code, iban, check=judge_iban),
        Field("bic", "BIC", code, bic, check=judge_bic),
        Field("routing_code", "Routing code", digits, routing, check=judge_routing_code),
    )


def address_request(draft: Draft) -> PaymentAddressRequest:
    return PaymentAddressRequest(**draft.texts(), extra=draft.under(EXTRA))


def address_name(draft: Draft) -> str:
    """Return the words for a payment address: `EUR DE89370400440532013000`."""
    number = draft["iban"] or draft["account_number"]
    return " ".join(filter(None, [draft["currency"], number]))


def recipient_form(ui: UiContext) -> Form:
    """Return the form of a recipient; of the names, only those of its type are shown."""

    def may_be_person(draft: Draft) -> bool:
        return draft[RECIPIENT_TYPE] != "business"

    def may_be_company(draft: Draft) -> bool:
        return draft[RECIPIENT_TYPE] != "individual"

    def types() -> tuple[Option, ...]:
        offered = ui.vocabulary.values.get(RECIPIENT_TYPE, ("individual", "business"))
        return tuple(Option(key=one, name=one) for one in offered)

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
    address = (
        *common_fields.with_required(address_fields(ui), ui.vocabulary, ADDRESS_REQUEST),
        *common_fields.added_fields(ui.vocabulary, ADDRESS_REQUEST),
    )
    return Form(
        key="recipient",
        noun="Recipient",
        sections=(
            Section("recipient", "Identity", identity),
            Section(ADDRESSES, "Payment address", address, repeated=True, min_parts=1),
        ),
        request=_request,
        object_name=_named,
    )


def _request(draft: Draft) -> RecipientRequest:
    addresses = tuple(map(address_request, draft.each_part(ADDRESSES)))
    return RecipientRequest(**draft.texts(), payment_addresses=addresses)


def _named(draft: Draft) -> str:
    """Return the name as `recipient_title` will show it."""
    person = " ".join(filter(None, [draft["first_name"], draft["last_name"]]))
    return draft["company_name"] or person


# Each finding about a bank number is a warning, since the service decides. No check is stricter
# than its standard. Numbers are checked as they are sent, without spaces.

_IBAN = re.compile(r"[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}")
_HOMES = {"AUD": "AU", "USD": "US"}
"""The likely country of an account by currency, if no country is given."""


def judge_iban(text: str, _: Draft) -> Finding | None:
    """Check an IBAN by ISO 13616: check digits, and the country's length and format."""
    from stdnum import iban  # an import that a first paint can do without
    from stdnum.exceptions import InvalidChecksum, InvalidComponent, ValidationError

    try:
        iban.validate(text, check_country=False)
    except InvalidChecksum:
        return warning("Wrong check digits: the IBAN contains a typo.")
    except InvalidComponent:
        return warning(f"No known IBAN begins with {text[:2]}.")
    except ValidationError:
        return warning(f"Wrong length or form for an IBAN of {text[:2]}.")
    return None


def judge_account_number(text: str, draft: Draft) -> Finding | None:
    """Warn of an IBAN in the field for account numbers."""
    is_iban = _IBAN.fullmatch(text) and judge_iban(text, draft) is None
    return warning("This is an IBAN. Enter it in the IBAN field.") if is_iban else None


def judge_bic(text: str, _: Draft) -> Finding | None:
    """Check a BIC by ISO 9362: 8 or 11 characters, the fifth and sixth a country."""
    from stdnum import bic

    return None if bic.is_valid(text) else warning("Write a BIC as FNBAUS33 or FNBAUS33XXX.")


def judge_routing_code(text: str, draft: Draft) -> Finding | None:
    """Check the code of an Australian or American bank; a BSB may have hyphens."""
    from stdnum.us import rtn

    home = draft["country"] or _HOMES.get(draft["currency"])
    if home == "AU" and not re.fullmatch("[0-9]{6}", text.replace("-", "")):
        return warning("A BSB has six digits, as in 062-000.")
    if home == "US" and not rtn.is_valid(text):
        return warning("An ABA routing number has nine digits; the last is a check digit.")
    return None
