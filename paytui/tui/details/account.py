"""An account in full."""

from __future__ import annotations

from paytui.api.models import Account, PhysicalAddress
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Group, fact, group, time_fact


def account_groups(desk: Desk, account: Account) -> list[Group]:
    """Everything known of an account."""
    return [
        group(
            "Account",
            fact("Name", account.display_name),
            fact("Kind", account.kind),
            fact("State", account.status),
            time_fact(desk, "Created", account.created_at),
            fact("Account id", account.account_id),
        ),
        group(
            "Person",
            fact("First name", account.first_name),
            fact("Middle name", account.middle_name),
            fact("Last name", account.last_name),
            fact("Born", account.birth_date),
        ),
        group(
            "Company",
            fact("Company name", account.company_name),
            fact("Trading name", account.trading_name),
            fact("Registration number", account.registration_number),
            fact("Registered in", account.registration_country),
        ),
        group(
            "Contact",
            fact("E-mail", account.email),
            fact("Phone", _joined(account.phone_country_code, account.phone)),
        ),
        _address(account.physical_address or PhysicalAddress()),
    ]


def _address(address: PhysicalAddress) -> Group:
    return group(
        "Address",
        fact("Line 1", address.address_line1),
        fact("Line 2", address.address_line2),
        fact("Unit", address.unit_number),
        fact("Street", _joined(address.street_number, address.street_name, address.street_type)),
        fact("City", address.city),
        fact("State", address.state),
        fact("Postcode", address.postcode),
        fact("Country", address.country),
    )


def _joined(*parts: str | None) -> str | None:
    return " ".join(part for part in parts if part) or None
