"""The forms of accounts, their wallets and pay-in addresses (service.md §2).

service.md shows no fields of a corporate account; those here are assumed.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from paytui.domain.models import AccountId, State, Wallet
from paytui.domain.requests import (
    CorporateAccountRequest,
    IndividualAccountRequest,
    PayInAddressRequest,
    WalletRequest,
)
from paytui.store.names import account_name, wallet_label
from paytui.tui.details.objects import addresses_of_wallet
from paytui.tui.format.cells import state_words
from paytui.tui.forms.common_fields import (
    account_field,
    country_field,
    currency_field,
    judge_name,
    text_fields,
)
from paytui.tui.forms.schema import Field, FieldKind, Form, Section
from paytui.tui.ticket.model import Option, Values
from paytui.tui.ui_context import UiContext

TRUSTEE = "individual_is_acting_as_trustee"


def _under(path: str, *fields: Field) -> tuple[Field, ...]:
    return tuple(replace(field, key=f"{path}.{field.key}") for field in fields)


_NAMES = text_fields("first_name", "middle_name", "last_name", check=judge_name)

_CONTACT = (  # A phone number is sent as typed.
    Field("email", "E-mail", FieldKind.EMAIL),
    Field("phone_country_code", "Phone country code", FieldKind.PHONE, "Example: +61."),
    Field("phone", "Phone", FieldKind.PHONE),
)
_ADDRESS = _under(  # The fields of an address (service.md §2); numbers are sent as typed.
    "physical_address",
    Field("address_line1", "Address line 1"),
    Field("address_line2", "Address line 2"),
    *text_fields("unit_number", "street_number", "street_name"),
    Field("street_type", "Street type", help="Examples: St, Rd, Ave."),
    *text_fields("city", "state", "postcode"),
    country_field("country"),
)
_ROLE = Field("role", "Role", help="Example: director.")
_TERMS = Field(
    "terms_and_conditions_accepted",
    "Terms accepted",
    FieldKind.YES_NO,
    "Yes if the account holder accepted the terms and conditions.",
)
_SECTIONS = (
    Section("Address", _ADDRESS),
    Section("Representative", (*_NAMES, _ROLE, *_CONTACT), "authorised_representatives"),
    Section("Terms and conditions", (_TERMS,)),
)
"""The sections of every account."""


def individual_form(ui: UiContext) -> Form:
    """Return the form of an individual account: every field of service.md §2."""

    def born(text: str, _: Values) -> str:
        is_future = datetime.fromisoformat(text).date() > ui.time.latest().date()
        return "This date is in the future." if is_future else ""

    def expires(text: str, _: Values) -> str:
        is_past = datetime.fromisoformat(text).date() < ui.time.latest().date()
        return "Expired." if is_past else ""

    def is_trustee(values: Values) -> bool:
        return values.get(TRUSTEE) == "true"

    moment, sent = FieldKind.DATE_TIME, "sent as 00:00 UTC."
    birth = Field("birth_date", "Date of birth", FieldKind.DATE, "Example: 1980-05-31.", check=born)
    born_at = replace(birth, kind=moment, help=f"Example: 1980-05-31, {sent}")
    identification = _under(
        "primary_identification",
        Field("identity_type", "Type", help="Example: driver_license."),
        Field("identity_number", "Number"),
        Field("identity_card_number", "Card number"),
        country_field("identity_country", about="Country of issue."),
        Field("identity_state", "State", help="State of issue."),
        Field("identity_expiry", "Expires", moment, f"Example: 2030-01-31, {sent}", check=expires),
    )
    about = "Yes if the person holds the account for a trust."
    trust = (
        Field(TRUSTEE, "Acts as trustee", FieldKind.YES_NO, about),
        Field("trust.name", "Name of the trust", check=judge_name, shown=is_trustee),
    )
    beneficiary = (*_NAMES, born_at, *_ADDRESS)
    address, representatives, terms = _SECTIONS
    return Form(
        key="individual_account",
        noun="Individual account",
        sections=(
            Section("Person", (*_NAMES, birth, *_CONTACT)),
            address,
            Section("Identification", identification),
            representatives,
            Section("Trust", trust),
            Section("Beneficiary", beneficiary, "trust.trust_beneficiaries", shown=is_trustee),
            terms,
        ),
        request=IndividualAccountRequest,
    )


def corporate_form() -> Form:
    """Return the form of a corporate account; a dialect adds the fields that its service wants."""
    company = (
        *text_fields("company_name", "trading_name", check=judge_name),
        *text_fields("registration_number"),
        country_field("registration_country", "Registered in"),
        *_CONTACT,
    )
    return Form(
        key="corporate_account",
        noun="Corporate account",
        sections=(Section("Company", company), *_SECTIONS),
        request=CorporateAccountRequest,
    )


TYPE = "pay_in_address_type"
_TYPES = {
    "local": "by BSB and account number",
    "international": "by BIC and account number",
}
"""Descriptions of the known types (service.md §2); a dialect may offer others."""


def wallet_form(ui: UiContext) -> Form:
    """Return the form of a wallet ("Wallet request fields")."""

    def registered(account_id: str, _: Values) -> str:
        account = ui.store.accounts.get(AccountId(account_id))
        state = _unless(account.status if account else None, "registered")
        words = f"The account is in {state}: the service may refuse it a wallet."
        return words if state else ""

    about = "The customer account that owns the wallet."
    fields = (
        account_field(ui, about, check=registered),
        currency_field(ui, "A wallet holds one currency.", required=True),
        Field("wallet_name", "Name", help="Name shown in lists."),
        Field("wallet_description", "Description", help="Purpose of the wallet."),
    )
    return Form(
        key="wallet",
        noun="Wallet",
        sections=(Section("Details", fields),),
        request=WalletRequest,
        object_name=lambda values: values.get("wallet_name") or values["currency"],
    )


def _unless(state: State | None, name: str) -> str:
    """Return the words of a state that is known now and another than expected; else empty."""
    is_fit = state is None or state.as_created or state.name == name
    return "" if state is None or is_fit else state_words(state)


def payin_address_form(ui: UiContext, wallet: Wallet) -> Form:
    """Return the form of a pay-in address for a wallet ("Pay-in address")."""

    def owner() -> tuple[Option, ...]:
        """Return the wallet, with a remark unless it is Active, as a pay-in needs."""
        now = ui.store.wallets.get(wallet.wallet_id) or wallet
        whose = [wallet.currency, "of", account_name(ui.store, wallet.account_id)]
        state = _unless(now.status, "active")
        facts = " ".join(filter(None, whose)) + f", {state}: cannot receive money" * bool(state)
        name = wallet.wallet_name or wallet.wallet_id
        return (Option(key=wallet.wallet_id, name=name, facts=facts),)

    def types() -> tuple[Option, ...]:
        """Return the types; a wallet has at most one address of each (service.md §2)."""
        taken = {}
        for one in addresses_of_wallet(ui, wallet):
            number = " ".join(filter(None, [one.bsb or one.bic, one.account_number]))
            why_not = f"this wallet already has {number or one.pay_in_address_id}"
            taken[one.pay_in_address_type] = why_not
        return tuple(
            Option(key=one, name=one, facts=_TYPES.get(one, ""), why_not=taken.get(one, ""))
            for one in ui.vocabulary.values.get(TYPE, tuple(_TYPES))
        )

    choice, about = FieldKind.CHOICE, "Each pay-in address is unique to its wallet."
    fields = (
        Field("wallet_id", "Wallet", choice, about, required=True, choices=owner),
        Field(TYPE, "Type", choice, "How senders pay in.", required=True, choices=types),
    )
    return Form(
        key="payin_address",
        noun="Pay-in address",
        sections=(Section("Details", fields),),
        request=PayInAddressRequest,
        object_name=lambda values: f"{values[TYPE]} of {wallet_label(ui.store, wallet.wallet_id)}",
    )
