"""The fields that several forms share, and the fields that a dialect adds or requires."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.models import Account, Kind, PhysicalAddress, Representative
from paytui.store.views import account_title
from paytui.tui.context import UiContext
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.schema import Check, Choice, Field, FieldKind, Form, Section
from paytui.tui.forms.values import country_field, judge_name


class _Accounts:
    """The known accounts as choices, sorted by name.

    Rebuilt only when an account has changed, because they are read on each key.
    """

    def __init__(self, desk: UiContext) -> None:
        self._table = desk.store.accounts
        self._version = -1
        self._choices: tuple[Choice, ...] = ()

    def __call__(self) -> tuple[Choice, ...]:
        if self._version != self._table.version:
            self._version = self._table.version
            rows = sorted(self._table.rows(), key=lambda row: account_title(row).casefold())
            names = Counter(map(account_title, rows))
            self._choices = tuple(_account(row, names[account_title(row)] > 1) for row in rows)
        return self._choices


def account_field(desk: UiContext, *, help: str, check: Check | None = None) -> Field:  # noqa: A002
    """Return the field for the account that owns the new object."""
    return Field(
        key="account_id",
        label="Account",
        kind=FieldKind.CHOICE,
        help=help,
        required=True,
        choices=_Accounts(desk),
        allows_others=lambda: not desk.store.feed(Kind.ACCOUNTS).offered,
        check=check,
    )


def currency_field(desk: UiContext, *, help: str, required: bool = False) -> Field:  # noqa: A002
    """Return a currency field: it suggests the dialect's currencies and takes any other."""
    listed = tuple(Choice(key=code, words=code) for code in desk.vocabulary.currencies)
    return Field(
        key="currency",
        label="Currency",
        kind=FieldKind.CURRENCY,
        help=help,
        required=required,
        choices=lambda: listed,
    )


def _account(account: Account, shares_name: bool) -> Choice:
    """Return an account as a choice, with its identifier if another account has the same name."""
    state = account.status.name.replace("_", " ") if account.status else ""
    number = account.account_id if shares_name else ""
    about = ", ".join(filter(None, [account.kind, state, number]))
    return Choice(key=account.account_id, words=account_title(account), about=about)


REPRESENTATIVES = "authorised_representatives"
TERMS = "terms_and_conditions_accepted"


def name_fields() -> tuple[Field, ...]:
    return (
        Field(key="first_name", label="First name", check=judge_name),
        Field(key="middle_name", label="Middle name", check=judge_name),
        Field(key="last_name", label="Last name", check=judge_name),
    )


def contact_fields() -> tuple[Field, ...]:
    """Return the fields for e-mail and phone; a phone number is sent as typed."""
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
    """Return the repeated section of representatives (service.md §2)."""
    role = Field(key="role", label="Role", help="For example director.")
    return Section(
        key=REPRESENTATIVES,
        title="Representative",
        fields=(*name_fields(), role, *contact_fields()),
        repeated=True,
    )


def representatives_of(draft: Draft) -> tuple[Representative, ...]:
    """Return the representatives that have at least one value."""
    filled = (
        draft.under(f"{REPRESENTATIVES}.{part}") for part in range(draft.count(REPRESENTATIVES))
    )
    return tuple(Representative(**values) for values in filled if values)


def terms_section() -> Section:
    """Return the section for the account holder's consent; it is never preset."""
    field = Field(
        key=TERMS,
        label="Terms accepted",
        kind=FieldKind.YES_NO,
        help="Whether the account holder accepted the terms and conditions.",
    )
    return Section(key="terms", title="Terms and conditions", fields=(field,))


def yes_or_no(draft: Draft, path: str) -> bool | None:
    """Return the answer of a yes-or-no field; None without one."""
    return {"true": True, "false": False}.get(draft[path])


ADDRESS = "physical_address"
"""The path of the address in requests and their parts."""


def address_fields() -> tuple[Field, ...]:
    """Return the ten fields of an address (service.md §2); numbers are sent as typed."""
    return (
        _text("address_line1", "Address line 1"),
        _text("address_line2", "Address line 2"),
        _text("unit_number", "Unit number"),
        _text("street_number", "Street number"),
        _text("street_name", "Street name"),
        _text("street_type", "Street type", "For example St, Rd or Ave."),
        _text("city", "City"),
        _text("state", "State"),
        _text("postcode", "Postcode"),
        country_field(f"{ADDRESS}.country"),
    )


def address_of(draft: Draft) -> PhysicalAddress | None:
    """Return the address; None if all its fields are empty."""
    filled = draft.under(ADDRESS)
    return PhysicalAddress(**filled) if filled else None


def _text(name: str, label: str, help: str = "") -> Field:  # noqa: A002 - what a field calls it
    return Field(key=f"{ADDRESS}.{name}", label=label, help=help)


EXTRA = "extra"
"""The section of fields that only this service has."""

_KINDS = {
    "text": FieldKind.TEXT,
    "number": FieldKind.NUMBER,
    "boolean": FieldKind.YES_NO,
}


def with_dialect_fields(form: Form, vocabulary: DialectFeatures) -> Form:
    """Return a form as the dialect declares its request; added fields come last."""
    sections = tuple(_needed(section, vocabulary, form.request_name) for section in form.sections)
    added = added_fields(vocabulary, form.request_name)
    if added:
        sections += (Section(key=EXTRA, title="Also asked by this service", fields=added),)
    return replace(form, sections=sections)


def added_fields(vocabulary: DialectFeatures, request: str) -> tuple[Field, ...]:
    """Return the fields that only this service asks for in a request."""
    required = vocabulary.required.get(request, ())
    return tuple(
        Field(
            key=f"{EXTRA}.{one.key}",
            label=one.label,
            kind=_KINDS[one.kind],
            required=one.key in required,
        )
        for one in vocabulary.added.get(request, ())
    )


def with_required(
    fields: Iterable[Field], vocabulary: DialectFeatures, request: str
) -> tuple[Field, ...]:
    """Return the fields that the service takes, with the required ones marked.

    Of a required object, the first field is marked.
    """
    open_names, found = set(vocabulary.required.get(request, ())), []
    for field in fields:
        if not field.required and not vocabulary.takes(request, field.key.partition(".")[0]):
            continue
        name = field.key if field.key in open_names else field.key.partition(".")[0]
        found.append(replace(field, required=field.required or name in open_names))
        open_names.discard(name)
    return tuple(found)


def _needed(section: Section, vocabulary: DialectFeatures, request: str) -> Section:
    if section.repeated:
        is_needed = section.key in vocabulary.required.get(request, ())
        return replace(section, min_parts=max(section.min_parts, int(is_needed)))
    return replace(section, fields=with_required(section.fields, vocabulary, request))
