"""The forms of individual and corporate accounts (service.md §2).

service.md shows no fields of a corporate account; those here are assumed.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from paytui.domain.models import (
    Identification,
    PhysicalAddress,
    Representative,
    Trust,
    TrustBeneficiary,
)
from paytui.domain.requests import CorporateAccountRequest, IndividualAccountRequest
from paytui.tui.drafts import Draft
from paytui.tui.forms import schema
from paytui.tui.forms.common_fields import country_field, judge_name, text_fields
from paytui.tui.forms.schema import Field, FieldKind, Finding, Form, Section
from paytui.tui.ui_context import UiContext

ADDRESS = "physical_address"  # The path of the address in requests and their parts
IDENTIFICATION = "primary_identification"
REPRESENTATIVES = "authorised_representatives"
TERMS = "terms_and_conditions_accepted"
TRUSTEE = "individual_is_acting_as_trustee"
BENEFICIARIES = "trust.trust_beneficiaries"


def _under(path: str, *fields: Field) -> tuple[Field, ...]:
    return tuple(replace(field, key=f"{path}.{field.key}") for field in fields)


_NAMES = text_fields("first_name", "middle_name", "last_name", check=judge_name)

_CONTACT = (  # A phone number is sent as typed.
    Field("email", "E-mail", FieldKind.EMAIL),
    Field("phone_country_code", "Phone country code", FieldKind.PHONE, "Example: +61."),
    Field("phone", "Phone", FieldKind.PHONE),
)
_ADDRESS_FIELDS = _under(  # The fields of an address (service.md §2); numbers are sent as typed.
    ADDRESS,
    Field("address_line1", "Address line 1"),
    Field("address_line2", "Address line 2"),
    *text_fields("unit_number", "street_number", "street_name"),
    Field("street_type", "Street type", help="Examples: St, Rd, Ave."),
    *text_fields("city", "state", "postcode"),
    country_field("country"),
)
_ROLE = Field("role", "Role", help="Example: director.")
_TERMS_HELP = "Yes if the account holder accepted the terms and conditions."
_TERMS = Field(TERMS, "Terms accepted", FieldKind.YES_NO, _TERMS_HELP)

_SECTIONS = (
    Section("address", "Address", _ADDRESS_FIELDS),
    Section(REPRESENTATIVES, "Representative", (*_NAMES, _ROLE, *_CONTACT), repeated=True),
    Section("terms", "Terms and conditions", (_TERMS,)),
)
"""The sections of every account."""


def individual_form(ui: UiContext) -> Form:
    """Return the form of an individual account: every field of service.md §2."""

    def born(text: str, _: Draft) -> Finding | None:
        is_future = datetime.fromisoformat(text).date() > ui.time.latest().date()
        return schema.warning("This date is in the future.") if is_future else None

    def expires(text: str, _: Draft) -> Finding | None:
        is_past = datetime.fromisoformat(text).date() < ui.time.latest().date()
        return schema.warning("Expired.") if is_past else None

    moment, sent = FieldKind.DATE_TIME, "sent as 00:00 UTC."
    birth = Field("birth_date", "Date of birth", FieldKind.DATE, "Example: 1980-05-31.", check=born)
    born_at = replace(birth, kind=moment, help=f"Example: 1980-05-31, {sent}")
    identification = _under(
        IDENTIFICATION,
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
        Field("trust.name", "Name of the trust", check=judge_name, shown=_is_trustee),
    )
    beneficiary = (*_NAMES, born_at, *_ADDRESS_FIELDS)
    address, representatives, terms = _SECTIONS
    return Form(
        key="individual_account",
        noun="Individual account",
        sections=(
            Section("person", "Person", (*_NAMES, birth, *_CONTACT)),
            address,
            Section("identification", "Identification", identification),
            representatives,
            Section("trust", "Trust", trust),
            Section(BENEFICIARIES, "Beneficiary", beneficiary, repeated=True, shown=_is_trustee),
            terms,
        ),
        request=_individual_request,
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
        sections=(Section("company", "Company", company), *_SECTIONS),
        request=lambda draft: CorporateAccountRequest(**account_values(draft)),
    )


def _is_trustee(draft: Draft) -> bool:
    return yes_or_no(draft, TRUSTEE) is True


def yes_or_no(draft: Draft, path: str) -> bool | None:
    return {"true": True, "false": False}.get(draft[path])


def account_values(draft: Draft) -> dict[str, Any]:
    """Return the values of the fields that all requests for an account have, and all texts."""
    people = (part.values for part in draft.each_part(REPRESENTATIVES))
    return draft.texts() | {
        ADDRESS: _address_of(draft),
        REPRESENTATIVES: tuple(Representative(**values) for values in people if values),
        TERMS: yes_or_no(draft, TERMS),
    }


def _address_of(draft: Draft) -> PhysicalAddress | None:
    filled = draft.under(ADDRESS)
    return PhysicalAddress(**filled) if filled else None


def _individual_request(draft: Draft) -> IndividualAccountRequest:
    """Return the request; hidden fields are not in the draft, so that it has no hidden trust."""
    papers: dict[str, Any] = draft.under(IDENTIFICATION)
    if "identity_expiry" in papers:
        papers["identity_expiry"] = schema.parse_moment(papers["identity_expiry"])
    beneficiaries = []
    for part in draft.each_part(BENEFICIARIES):
        if part.values:
            birth, address = schema.parse_moment(part["birth_date"]), _address_of(part)
            known = part.texts() | {"birth_date": birth, ADDRESS: address}
            beneficiaries.append(TrustBeneficiary(**known))
    name = draft["trust.name"] or None
    values = account_values(draft) | {
        "birth_date": schema.parse_day(draft["birth_date"]),
        IDENTIFICATION: Identification(**papers) if papers else None,
        TRUSTEE: yes_or_no(draft, TRUSTEE),
        "trust": Trust(name, tuple(beneficiaries)) if name or beneficiaries else None,
    }
    return IndividualAccountRequest(**values)
