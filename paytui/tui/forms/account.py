"""The forms of individual and corporate accounts (service.md §2).

service.md shows no fields of a corporate account; those here are assumed.
"""

from __future__ import annotations

from datetime import date, datetime

from paytui.domain.models import Identification, Trust, TrustBeneficiary
from paytui.domain.requests import CorporateAccountRequest, IndividualAccountRequest
from paytui.tui.context import UiContext
from paytui.tui.forms.common_fields import (
    TERMS,
    address_fields,
    address_of,
    contact_fields,
    name_fields,
    representatives_of,
    representatives_section,
    terms_section,
    yes_or_no,
)
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.schema import (
    Check,
    Field,
    FieldKind,
    Finding,
    Form,
    Section,
    parse_day,
    parse_moment,
)
from paytui.tui.forms.values import country_field, judge_name

IDENTIFICATION = "primary_identification"
TRUSTEE = "individual_is_acting_as_trustee"
BENEFICIARIES = "trust.trust_beneficiaries"


def individual_form(desk: UiContext) -> Form:
    """Return the form of an individual account: every field of service.md §2."""
    born, expires = _not_to_come(desk), _not_past(desk)
    return Form(
        key="individual",
        title="New individual account",
        noun="Individual account",
        request_name="individual_account_request",
        sections=(
            _person(born),
            Section(key="address", title="Address", fields=address_fields()),
            _identification(expires),
            representatives_section(),
            _trust(),
            _beneficiaries(born),
            terms_section(),
        ),
        request=_individual_request,
        object_name=lambda _: "",
    )


def _person(born: Check) -> Section:
    birth = Field(
        key="birth_date",
        label="Date of birth",
        kind=FieldKind.DATE,
        help="The day of birth, as in 1980-05-31.",
        check=born,
    )
    return Section(key="person", title="Person", fields=(*name_fields(), birth, *contact_fields()))


def _identification(expires: Check) -> Section:
    return Section(
        key="identification",
        title="Identification",
        fields=(
            _identity("identity_type", "Type", "For example driver_license."),
            _identity("identity_number", "Number"),
            _identity("identity_card_number", "Card number"),
            country_field(f"{IDENTIFICATION}.identity_country", about="Where it was issued."),
            _identity("identity_state", "State", "Where it was issued."),
            Field(
                key=f"{IDENTIFICATION}.identity_expiry",
                label="Expires",
                kind=FieldKind.DATE_TIME,
                help="As in 2030-01-31; a day alone is its first moment in UTC.",
                check=expires,
            ),
        ),
    )


def _identity(name: str, label: str, help: str = "") -> Field:  # noqa: A002 - what a field calls it
    return Field(key=f"{IDENTIFICATION}.{name}", label=label, help=help)


def _trust() -> Section:
    trustee = Field(
        key=TRUSTEE,
        label="Acts as trustee",
        kind=FieldKind.YES_NO,
        help="Whether the person holds the account for a trust.",
    )
    name = Field(key="trust.name", label="Name of the trust", check=judge_name, shown=_is_trustee)
    return Section(key="trust", title="Trust", fields=(trustee, name))


def _beneficiaries(born: Check) -> Section:
    birth = Field(
        key="birth_date",
        label="Date of birth",
        kind=FieldKind.DATE_TIME,
        help="As in 1980-05-31; it goes out as its first moment in UTC.",
        check=born,
    )
    return Section(
        key=BENEFICIARIES,
        title="Beneficiary",
        fields=(*name_fields(), birth, *address_fields()),
        repeated=True,
        shown=_is_trustee,
    )


def _is_trustee(draft: Draft) -> bool:
    return yes_or_no(draft, TRUSTEE) is True


def _individual_request(draft: Draft) -> IndividualAccountRequest:
    return IndividualAccountRequest(
        birth_date=parse_day(draft["birth_date"]),
        email=draft.text("email"),
        first_name=draft.text("first_name"),
        middle_name=draft.text("middle_name"),
        last_name=draft.text("last_name"),
        phone_country_code=draft.text("phone_country_code"),
        phone=draft.text("phone"),
        physical_address=address_of(draft),
        primary_identification=_identification_of(draft),
        authorised_representatives=representatives_of(draft),
        terms_and_conditions_accepted=yes_or_no(draft, TERMS),
        individual_is_acting_as_trustee=yes_or_no(draft, TRUSTEE),
        trust=_trust_of(draft),
    )


def _identification_of(draft: Draft) -> Identification | None:
    filled = draft.under(IDENTIFICATION)
    if not filled:
        return None
    expiry = parse_moment(filled.pop("identity_expiry", ""))
    return Identification(**filled, identity_expiry=expiry)


def _trust_of(draft: Draft) -> Trust | None:
    """Return the trust; hidden fields are not in the draft, so without a trust there is none."""
    name, beneficiaries = draft.text("trust.name"), _beneficiaries_of(draft)
    return Trust(name, beneficiaries) if name or beneficiaries else None


def _beneficiaries_of(draft: Draft) -> tuple[TrustBeneficiary, ...]:
    parts = (draft.part(BENEFICIARIES, part) for part in range(draft.count(BENEFICIARIES)))
    return tuple(_beneficiary(part) for part in parts if part.values)


def _beneficiary(part: Draft) -> TrustBeneficiary:
    return TrustBeneficiary(
        birth_date=parse_moment(part["birth_date"]),
        first_name=part.text("first_name"),
        last_name=part.text("last_name"),
        middle_name=part.text("middle_name"),
        physical_address=address_of(part),
    )


def _not_to_come(desk: UiContext) -> Check:
    def check(text: str, _: Draft) -> Finding | None:
        is_to_come = _day(text) > desk.time.latest().date()
        return Finding("That day is still to come.", overridable=True) if is_to_come else None

    return check


def _not_past(desk: UiContext) -> Check:
    def check(text: str, _: Draft) -> Finding | None:
        is_past = _day(text) < desk.time.latest().date()
        return Finding("That is past: it has expired.", overridable=True) if is_past else None

    return check


def _day(text: str) -> date:
    return datetime.fromisoformat(text).date()


def corporate_form() -> Form:
    """Return the form of a corporate account; a dialect adds the fields that its service wants."""
    return Form(
        key="corporate",
        title="New corporate account",
        noun="Corporate account",
        request_name="corporate_account_request",
        sections=(
            _company(),
            Section(key="address", title="Address", fields=address_fields()),
            representatives_section(),
            terms_section(),
        ),
        request=_corporate_request,
        object_name=lambda _: "",
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


def _corporate_request(draft: Draft) -> CorporateAccountRequest:
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
