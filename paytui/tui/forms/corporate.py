"""A new corporate account: api.md does not show its fields, contract.md says what we assume."""

from __future__ import annotations

from paytui.domain.requests import CorporateAccountRequest
from paytui.tui.forms.address import address_fields, address_of
from paytui.tui.forms.countries import country_field
from paytui.tui.forms.declare import Field, Form, Section
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.names import judge_name
from paytui.tui.forms.people import (
    TERMS,
    contact_fields,
    representatives_of,
    representatives_section,
    terms_section,
    yes_or_no,
)


def corporate_form() -> Form:
    """What the service is assumed to ask of a company; a dialect adds what else it wants."""
    return Form(
        key="corporate",
        title="New corporate account",
        noun="Corporate account",
        asks="corporate_account_request",
        sections=(
            _company(),
            Section(key="address", title="Address", fields=address_fields()),
            representatives_section(),
            terms_section(),
        ),
        request=_request,
        named=lambda _: "",
    )


def _company() -> Section:
    return Section(
        key="company",
        title="Company",
        fields=(
            Field(key="company_name", label="Company name", check=judge_name),
            Field(key="trading_name", label="Trading name", check=judge_name),
            Field(key="registration_number", label="Registration number"),
            country_field("registration_country", "Registered in"),
            *contact_fields(),
        ),
    )


def _request(draft: Draft) -> CorporateAccountRequest:
    return CorporateAccountRequest(
        company_name=draft.text("company_name"),
        trading_name=draft.text("trading_name"),
        registration_number=draft.text("registration_number"),
        registration_country=draft.text("registration_country"),
        email=draft.text("email"),
        phone_country_code=draft.text("phone_country_code"),
        phone=draft.text("phone"),
        physical_address=address_of(draft),
        authorised_representatives=representatives_of(draft),
        terms_and_conditions_accepted=yes_or_no(draft, TERMS),
    )
