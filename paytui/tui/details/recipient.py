"""A recipient in full, with every address at which it can be paid."""

from __future__ import annotations

from collections.abc import Iterator

from paytui.domain.models import Kind, PaymentAddress, Recipient
from paytui.store.payees import addresses_of
from paytui.tui.context import Desk
from paytui.tui.details.facts import Fact, Group, Ref, fact, group, text_fact
from paytui.tui.details.journeys import ADDRESSEE
from paytui.tui.details.links import link_fact
from paytui.tui.details.payment_address import account_facts
from paytui.tui.details.timeline import states_group


def recipient_groups(desk: Desk, recipient: Recipient) -> list[Group]:
    """Everything known of a recipient."""
    return [
        group(
            "Recipient",
            fact("Type", recipient.recipient_type),
            fact("Company name", recipient.company_name),
            fact("First name", recipient.first_name),
            fact("Last name", recipient.last_name),
            *_beware(desk, recipient),
            fact("State", recipient.status),
            fact("E-mail", recipient.email),
            fact("Country", recipient.country),
            link_fact(desk, "Account", Kind.ACCOUNTS, recipient.account_id),
            fact("Recipient id", recipient.recipient_id),
            fact("Account id", recipient.account_id),
        ),
        states_group(desk, ADDRESSEE, Kind.RECIPIENTS, recipient),
        *(_address(desk, address) for address in addresses_of(desk.store, recipient)),
    ]


def _beware(desk: Desk, recipient: Recipient) -> Iterator[Fact]:
    if marks := desk.likeness.of(recipient):
        yield text_fact("Beware", f"its name {' and '.join(marks)}")


def _address(desk: Desk, address: PaymentAddress) -> Group:
    title = f"Payment address, {address.currency or 'currency not sent'}"
    key = address.payment_address_id
    read = desk.store.payment_addresses.get(key) is not None
    link = Ref(Kind.PAYMENT_ADDRESSES, key) if read else None
    return group(title, *account_facts(address), text_fact("Address id", key, link=link))
