"""A payment address in full: an account of a recipient at a bank."""

from __future__ import annotations

from paytui.domain.models import BankInformation, Kind, PaymentAddress
from paytui.tui.context import Desk
from paytui.tui.details.facts import Fact, Group, fact, group
from paytui.tui.details.journeys import ADDRESSEE
from paytui.tui.details.links import link_fact
from paytui.tui.details.timeline import states_group


def payment_address_groups(desk: Desk, address: PaymentAddress) -> list[Group]:
    """Everything known of a payment address."""
    return [
        group(
            "Payment address",
            fact("Currency", address.currency),
            *account_facts(address),
        ),
        group("Belongs to", link_fact(desk, "Recipient", Kind.RECIPIENTS, address.recipient_id)),
        states_group(desk, ADDRESSEE, Kind.PAYMENT_ADDRESSES, address),
        group(
            "Identifiers",
            fact("Payment address", address.payment_address_id),
            fact("Recipient", address.recipient_id),
        ),
    ]


def account_facts(address: PaymentAddress) -> tuple[Fact, ...]:
    """The account, and its bank as far as the service tells (api.md §2, `bankInformation`)."""
    bank = address.bank_information or BankInformation()
    return (
        fact("State", address.status),
        fact("Account name", address.account_name),
        fact("Account number", address.account_number),
        fact("IBAN", address.iban),
        fact("BIC", address.bic),
        fact("Routing code", address.routing_code),
        fact("Account type", address.account_type),
        fact("Country", address.country),
        fact("Bank", bank.bank_name),
        fact("Bank address 1", bank.bank_address_line1),
        fact("Bank address 2", bank.bank_address_line2),
        fact("Bank locality", bank.locality),
        fact("Bank region", bank.region),
        fact("Bank postcode", bank.postal_code),
        fact("Bank country", bank.country),
    )
