"""A new recipient with its first accounts (api.md §2, "Recipient and payment address")."""

from __future__ import annotations

from paytui.domain.models import AccountId
from paytui.domain.requests import RecipientRequest
from paytui.tui.context import Desk
from paytui.tui.forms.countries import country_field
from paytui.tui.forms.declare import Choice, Field, FieldKind, Form, Section
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.names import judge_name
from paytui.tui.forms.of_dialect import added_fields, needed
from paytui.tui.forms.payment_address import REQUEST, address_fields, address_request
from paytui.tui.forms.usual_fields import account_field

ADDRESSES = "payment_addresses"
TYPE = "recipient_type"
_TYPES = ("individual", "business")


def recipient_form(desk: Desk) -> Form:
    """Return the form of a recipient."""
    addresses = needed(address_fields(desk), desk.vocabulary, REQUEST)
    return Form(
        key="recipient",
        title="New recipient",
        noun="Recipient",
        asks="recipient_request",
        sections=(
            Section(
                key="recipient",
                title="Who it is",
                fields=(*_of_whom(desk), *_names(), *_reached()),
            ),
            Section(
                key=ADDRESSES,
                title="Payment address",
                fields=(*addresses, *added_fields(desk.vocabulary, REQUEST)),
                repeated=True,
                least=1,
            ),
        ),
        request=_request,
        named=_named,
    )


def _of_whom(desk: Desk) -> tuple[Field, ...]:
    types = desk.vocabulary.values.get(TYPE, _TYPES)
    return (
        account_field(desk, help="The customer account that pays it."),
        Field(
            key=TYPE,
            label="Type",
            kind=FieldKind.CHOICE,
            help="A person has a first and a last name, a business has one of its own.",
            choices=lambda: tuple(Choice(key=one, words=one) for one in types),
        ),
    )


def _names() -> tuple[Field, ...]:
    """Return the name fields of its type; all while it has none."""
    return (
        Field(key="first_name", label="First name", check=judge_name, shown=_may_be_a_person),
        Field(key="last_name", label="Last name", check=judge_name, shown=_may_be_a_person),
        Field(key="company_name", label="Company name", check=judge_name, shown=_may_be_a_business),
    )


def _reached() -> tuple[Field, ...]:
    return (
        Field(key="email", label="E-mail", kind=FieldKind.EMAIL),
        country_field("country", about="Where it is."),
    )


def _may_be_a_person(draft: Draft) -> bool:
    return draft[TYPE] != "business"


def _may_be_a_business(draft: Draft) -> bool:
    return draft[TYPE] != "individual"


def _request(draft: Draft) -> RecipientRequest:
    return RecipientRequest(
        account_id=AccountId(draft["account_id"]),
        recipient_type=draft.text(TYPE),
        first_name=draft.text("first_name"),
        last_name=draft.text("last_name"),
        company_name=draft.text("company_name"),
        email=draft.text("email"),
        country=draft.text("country"),
        payment_addresses=tuple(
            address_request(draft.part(ADDRESSES, part)) for part in range(draft.count(ADDRESSES))
        ),
    )


def _named(draft: Draft) -> str:
    """As `recipient_title` will have it."""
    person = " ".join(filter(None, [draft["first_name"], draft["last_name"]]))
    return draft["company_name"] or person
