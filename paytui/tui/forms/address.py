"""The address object (api.md §2) in a form: its ten fields, and what they come to."""

from __future__ import annotations

from paytui.domain.models import PhysicalAddress
from paytui.tui.forms.countries import country_field
from paytui.tui.forms.declare import Field
from paytui.tui.forms.draft import Draft

ADDRESS = "physical_address"
"""Where requests and their parts hold it."""


def address_fields() -> tuple[Field, ...]:
    """All of it; numbers go out as they are typed."""
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
    """What was filled in; None where nothing was."""
    filled = draft.under(ADDRESS)
    return PhysicalAddress(**filled) if filled else None


def _text(name: str, label: str, help: str = "") -> Field:  # noqa: A002 - what a field calls it
    return Field(key=f"{ADDRESS}.{name}", label=label, help=help)
