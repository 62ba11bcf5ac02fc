"""What forms ask of people and companies alike: how to reach them, who represents them, consent."""

from __future__ import annotations

from paytui.domain.models import Representative
from paytui.tui.forms.declare import Field, FieldKind, Section
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.names import judge_name

REPRESENTATIVES = "authorised_representatives"
TERMS = "terms_and_conditions_accepted"


def name_fields() -> tuple[Field, ...]:
    """The names of a person."""
    return (
        Field(key="first_name", label="First name", check=judge_name),
        Field(key="middle_name", label="Middle name", check=judge_name),
        Field(key="last_name", label="Last name", check=judge_name),
    )


def contact_fields() -> tuple[Field, ...]:
    """E-mail and phone; a number goes out as it is typed."""
    return (
        Field(key="email", label="E-mail", kind=FieldKind.EMAIL),
        Field(
            key="phone_country_code",
            label="Phone country code",
            kind=FieldKind.PHONE,
            help="For example +61.",
        ),
        Field(key="phone", label="Phone", kind=FieldKind.PHONE),
    )


def representatives_section() -> Section:
    """The representative objects (api.md §2), as many as there are."""
    role = Field(key="role", label="Role", help="For example director.")
    return Section(
        key=REPRESENTATIVES,
        title="Representative",
        fields=(*name_fields(), role, *contact_fields()),
        repeated=True,
    )


def representatives_of(draft: Draft) -> tuple[Representative, ...]:
    """Those of whom anything was filled in."""
    filled = (
        draft.under(f"{REPRESENTATIVES}.{part}") for part in range(draft.count(REPRESENTATIVES))
    )
    return tuple(Representative(**values) for values in filled if values)


def terms_section() -> Section:
    """The account holder's word, which nobody gives in passing: it is never preset."""
    field = Field(
        key=TERMS,
        label="Terms accepted",
        kind=FieldKind.YES_NO,
        help="Whether the account holder accepted the terms and conditions.",
    )
    return Section(key="terms", title="Terms and conditions", fields=(field,))


def yes_or_no(draft: Draft, path: str) -> bool | None:
    """What was answered; None where nothing was."""
    return {"true": True, "false": False}.get(draft[path])
