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
    birth = _birth(schema.FieldKind.DATE, "Example: 1980-05-31.", born)
    person = (*common_fields.name_fields(), birth, *common_fields.contact_fields())
    about = "Yes if the person holds the account for a trust."
    trust = (
        schema.Field(TRUSTEE, "Acts as trustee", schema.FieldKind.YES_NO, about),
        schema.Field(
            "trust.name", "Name of the trust", check=common_fields.judge_name, shown=_is_trustee
        ),
    )
    return schema.Form(
        key="individual",
        title="New individual account",
        noun="Individual account",
        request_name="individual_account_request",
        sections=(
            schema.Section("person", "Person", person),
            schema.Section("address", "Address", common_fields.address_fields()),
            _identification(expires),
            common_fields.representatives_section(),
            schema.Section("trust", "Trust", trust),
            _beneficiaries(born),
            common_fields.terms_section(),
        ),
        request=_individual_request,
        object_name=lambda _: "",
    )


def _birth(kind: schema.FieldKind, help_words: str, born: schema.Check) -> schema.Field:
    return schema.Field("birth_date", "Date of birth", kind, help_words, check=born)


def _identification(expires: schema.Check) -> schema.Section:
    kind, about = schema.FieldKind.DATE_TIME, "Example: 2030-01-31, sent as 00:00 UTC."
    fields = common_fields.fields_under(
        IDENTIFICATION,
        schema.Field("identity_type", "Type", help="Example: driver_license."),
        schema.Field("identity_number", "Number"),
        schema.Field("identity_card_number", "Card number"),
        common_fields.country_field("identity_country", about="Country of issue."),
        schema.Field("identity_state", "State", help="State of issue."),
        schema.Field("identity_expiry", "Expires", kind, about, check=expires),
    )
    return schema.Section("identification", "Identification", fields)


def _beneficiaries(born: schema.Check) -> schema.Section:
    about = "Example: 1980-05-31, sent as 00:00 UTC."
    birth = _birth(schema.FieldKind.DATE_TIME, about, born)
    fields = (*common_fields.name_fields(), birth, *common_fields.address_fields())
    return schema.Section(BENEFICIARIES, "Beneficiary", fields, repeated=True, shown=_is_trustee)


def _is_trustee(draft: Draft) -> bool:
    return common_fields.yes_or_no(draft, TRUSTEE) is True


def _individual_request(draft: Draft) -> IndividualAccountRequest:
    return IndividualAccountRequest(
        **common_fields.account_values(draft)
        | {
            "birth_date": schema.parse_day(draft["birth_date"]),
            IDENTIFICATION: _identification_of(draft),
            TRUSTEE: common_fields.yes_or_no(draft, TRUSTEE),
            "trust": _trust_of(draft),
        }
    )


def _identification_of(draft: Draft) -> Identification | None:
    filled = draft.under(IDENTIFICATION)
    if not filled:
        return None
    expiry = schema.parse_moment(filled.pop("identity_expiry", ""))
    return Identification(**filled, identity_expiry=expiry)


def _trust_of(draft: Draft) -> Trust | None:
    """Return the trust; hidden fields are not in the draft, so without a trust there is none."""
    beneficiaries = tuple(
        TrustBeneficiary(
            **part.texts()
            | {
                "birth_date": schema.parse_moment(part["birth_date"]),
                common_fields.ADDRESS: common_fields.address_of(part),
            }
        )
        for part in draft.each_part(BENEFICIARIES)
        if part.values
    )
    name = draft["trust.name"]
    return Trust(name or None, beneficiaries) if name or beneficiaries else None


def _warns(ui: UiContext, is_wrong: Callable[[date, date], bool], words: str) -> schema.Check:
    """Return a check of a day against today."""

    def check(text: str, _: Draft) -> schema.Finding | None:
        day, today = datetime.fromisoformat(text).date(), ui.time.latest().date()
        return schema.Finding(words, overridable=True) if is_wrong(day, today) else None

    return check


def corporate_form() -> schema.Form:
    """Return the form of a corporate account; a dialect adds the fields that its service wants."""
    company = (
        schema.Field("company_name", "Company name", check=common_fields.judge_name),
        schema.Field("trading_name", "Trading name", check=common_fields.judge_name),
        schema.Field("registration_number", "Registration number"),
        common_fields.country_field("registration_country", "Registered in"),
        *common_fields.contact_fields(),
    )
    return schema.Form(
        key="corporate",
        title="New corporate account",
        noun="Corporate account",
        request_name="corporate_account_request",
        sections=(
            schema.Section("company", "Company", company),
            schema.Section("address", "Address", common_fields.address_fields()),
            common_fields.representatives_section(),
            common_fields.terms_section(),
        ),
        request=lambda draft: CorporateAccountRequest(**common_fields.account_values(draft)),
        object_name=lambda _: "",
    )
