"""A payment in full."""

from __future__ import annotations

from paytui.api.models import Payment
from paytui.store.views import account_name, recipient_name, wallet_label
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Fact, Group, amount_fact, fact, group, time_fact


def payment_groups(desk: Desk, payment: Payment) -> list[Group]:
    """Everything known of a payment."""
    return [
        group(
            "Payment",
            amount_fact("Amount", payment.amount, payment.currency),
            fact("Type", payment.payment_type),
            fact("State", payment.status),
            fact("Reason of failure", payment.failure_reason),
            fact("Reference", payment.reference),
            fact("End-to-end id", payment.end_to_end_id),
        ),
        group("From and to", *_parties(desk, payment)),
        group(
            "Times",
            time_fact(desk, "Created", payment.created_at),
            time_fact(desk, "Updated", payment.updated_at),
        ),
        group(
            "Identifiers",
            fact("Payment", payment.payment_transaction_id),
            fact("Account", payment.account_id),
            fact("Source wallet", payment.source_wallet_id),
            fact("Destination wallet", payment.destination_wallet_id),
            fact("Recipient", payment.recipient_id),
            fact("Payment address", payment.payment_address_id),
        ),
    ]


def _parties(desk: Desk, payment: Payment) -> list[Fact]:
    store = desk.store
    address = payment.payment_address_id and store.payment_addresses.get(payment.payment_address_id)
    return [
        fact("Account", account_name(store, payment.account_id)),
        fact("From wallet", wallet_label(store, payment.source_wallet_id)),
        fact("To wallet", wallet_label(store, payment.destination_wallet_id)),
        fact("To recipient", recipient_name(store, payment.recipient_id)),
        fact("At", (address.iban or address.account_number) if address else None),
        fact("Bank", address.bic or address.routing_code if address else None),
    ]
