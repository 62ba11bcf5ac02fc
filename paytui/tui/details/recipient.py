"""A recipient in full, with every address at which it can be paid."""

from __future__ import annotations

from paytui.api.models import BankInformation, PaymentAddress, Recipient
from paytui.store.views import account_name
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Group, fact, group


def recipient_groups(desk: Desk, recipient: Recipient) -> list[Group]:
    """Everything known of a recipient."""
    return [
        group(
            "Recipient",
            fact("Type", recipient.recipient_type),
            fact("Company name", recipient.company_name),
            fact("First name", recipient.first_name),
            fact("Last name", recipient.last_name),
            fact("State", recipient.status),
            fact("E-mail", recipient.email),
            fact("Country", recipient.country),
            fact("Account", account_name(desk.store, recipient.account_id)),
            fact("Recipient id", recipient.recipient_id),
            fact("Account id", recipient.account_id),
        ),
        *(_address(address) for address in _addresses(desk, recipient)),
    ]


def _addresses(desk: Desk, recipient: Recipient) -> list[PaymentAddress]:
    """Those that came with the recipient, replaced by those that were read on their own."""
    known = {address.payment_address_id: address for address in recipient.payment_addresses}
    for address in desk.store.payment_addresses.rows():
        if address.recipient_id == recipient.recipient_id:
            known[address.payment_address_id] = address
    return list(known.values())


def _address(address: PaymentAddress) -> Group:
    bank = address.bank_information or BankInformation()
    return group(
        f"Payment address, {address.currency or 'currency not sent'}",
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
        fact("Address id", address.payment_address_id),
    )
