"""The forms of individual and corporate accounts (service.md §2).

service.md shows no fields of a corporate account; those here are assumed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from operator import gt, lt

from paytui.domain.models import Identification, Trust, TrustBeneficiary
from paytui.domain.requests import CorporateAccountRequest, IndividualAccountRequest
from paytui.tui.drafts import Draft
from paytui.tui.forms import common_fields, schema
from paytui.tui.ui_context import UiContext

IDENTIFICATION = "primary_identification"
TRUSTEE = "individual_is_acting_as_trustee"
BENEFICIARIES = "trust.trust_beneficiaries"


def individual_form(ui: UiContext) -> schema.Form:
    """Return the form of an individual account: every field of service.md §2."""
    born = _warns(ui, gt, "This date is in the future.")
    expires = _warns(ui, lt, "Expired.")
    return schema.Form(
        key="individual",
        title="New individual account",
        noun="Individual account",
        request_name="individual_account_request",
        sections=(
            _person(born),
            schema.Section("address", "Address", common_fields.address_fields()),
            _identification(expires),
            common_fields.representatives_section(),
            _trust(),
            _beneficiaries(born),
            common_fields.terms_section(),
        ),
        request=_individual_request,
        object_name=lambda _: "",
    )


def _person(born: schema.Check) -> schema.Section:
    help_words = "Example: 1980-05-31."
    birth = schema.Field(
        "birth_date", "Date of birth", schema.FieldKind.DATE, help=help_words, check=born
    )
    return schema.Section(
        "person", "Person", (*common_fields.name_fields(), birth, *common_fields.contact_fields())
    )


def _identification(expires: schema.Check) -> schema.Section:
    return schema.Section(
        "identification",
        "Identification",
        common_fields.fields_under(
            IDENTIFICATION,
            schema.Field("identity_type", "Type", help="Example: driver_license."),
            schema.Field("identity_number", "Number"),
            schema.Field("identity_card_number", "Card number"),
            common_fields.country_field("identity_country", about="Country of issue."),
            schema.Field("identity_state", "State", help="State of issue."),
            schema.Field(
                "identity_expiry",
                "Expires",
                schema.FieldKind.DATE_TIME,
                help="Example: 2030-01-31, sent as 00:00 UTC.",
                check=expires,
            ),
        ),
    )


def _trust() -> schema.Section:
    trustee = schema.Field(
        TRUSTEE,
        "Acts as trustee",
        schema.FieldKind.YES_NO,
        help="Yes if the person holds the account for a trust.",
    )
    name = schema.Field(
        "trust.name", "Name of the trust", check=common_fields.judge_name, shown=_is_trustee
    )
    return schema.Section("trust", "Trust", (trustee, name))


def _beneficiaries(born: schema.Check) -> schema.Section:
    birth = schema.Field(
        "birth_date",
        "Date of birth",
        schema.FieldKind.DATE_TIME,
        help="Example: 1980-05-31, sent as 00:00 UTC.",
        check=born,
    )
    return schema.Section(
        BENEFICIARIES,
        "Beneficiary",
        (*common_fields.name_fields(), birth, *common_fields.address_fields()),
        repeated=True,
        shown=_is_trustee,
    )


def _is_trustee(draft: Draft) -> bool:
    return common_fields.yes_or_no(draft, TRUSTEE) is True


def _individual_request(draft: Draft) -> IndividualAccountRequest:
    return IndividualAccountRequest(
        birth_date=schema.parse_day(draft["birth_date"]),
        email=draft.text("email"),
        first_name=draft.text("first_name"),
        middle_name=draft.text("middle_name"),
        last_name=draft.text("last_name"),
        phone_country_code=draft.text("phone_country_code"),
        phone=draft.text("phone"),
        physical_address=common_fields.address_of(draft),
        primary_identification=_identification_of(draft),
        authorised_representatives=common_fields.representatives_of(draft),
        terms_and_conditions_accepted=common_fields.yes_or_no(draft, common_fields.TERMS),
        individual_is_acting_as_trustee=common_fields.yes_or_no(draft, TRUSTEE),
        trust=_trust_of(draft),
    )


def _identification_of(draft: Draft) -> Identification | None:
    filled = draft.under(IDENTIFICATION)
    if not filled:
        return None
    expiry = schema.parse_moment(filled.pop("identity_expiry", ""))
    return Identification(**filled, identity_expiry=expiry)


def _trust_of(draft: Draft) -> Trust | None:
    """Return the trust; hidden fields are not in the draft, so without a trust there is none."""
    parts = draft.each_part(BENEFICIARIES)
    beneficiaries = tuple(_beneficiary(part) for part in parts if part.values)
    name = draft.text("trust.name")
    return Trust(name, beneficiaries) if name or beneficiaries else None


def _beneficiary(part: Draft) -> TrustBeneficiary:
    return TrustBeneficiary(
        birth_date=schema.parse_moment(part["birth_date"]),
        first_name=part.text("first_name"),
        last_name=part.text("last_name"),
        middle_name=part.text("middle_name"),
        physical_address=common_fields.address_of(part),
    )


def _warns(ui: UiContext, is_wrong: Callable[[date, date], bool], words: str) -> schema.Check:
    """Return a check of a day against today."""

    def check(text: str, _: Draft) -> schema.Finding | None:
        day, today = datetime.fromisoformat(text).date(), ui.time.latest().date()
        return schema.Finding(words, overridable=True) if is_wrong(day, today) else None

    return check


def corporate_form() -> schema.Form:
    """Return the form of a corporate account; a dialect adds the fields that its service wants."""
    return schema.Form(
        key="corporate",
        title="New corporate account",
        noun="Corporate account",
        request_name="corporate_account_request",
        sections=(
            schema.Section(
                "company",
                "Company",
                (
                    schema.Field("company_name", "Company name", check=common_fields.judge_name),
                    schema.Field("trading_name", "Trading name", check=common_fields.judge_name),
                    schema.Field("registration_number", "Registration number"),
                    common_fields.country_field("registration_country", "Registered in"),
                    *common_fields.contact_fields(),
                ),
            ),
            schema.Section("address", "Address", common_fields.address_fields()),
            common_fields.representatives_section(),
            common_fields.terms_section(),
        ),
        request=_corporate_request,
        object_name=lambda _: "",
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
        physical_address=common_fields.address_of(draft),
        authorised_representatives=common_fields.representatives_of(draft),
        terms_and_conditions_accepted=common_fields.yes_or_no(draft, common_fields.TERMS),
    )
