"""A payment in full."""

from __future__ import annotations

from dataclasses import replace

from paytui.domain.intent import Terms
from paytui.domain.models import Kind, Payment
from paytui.store.payees import BY_OUR_RECORD
from paytui.store.relations import account_of
from paytui.tui.context import Desk
from paytui.tui.details.facts import Fact, Group, amount_fact, fact, group
from paytui.tui.details.journeys import PAYMENT
from paytui.tui.details.links import link_fact
from paytui.tui.details.timeline import states_group


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
        states_group(
            desk,
            PAYMENT,
            Kind.PAYMENTS,
            payment,
            {"created": payment.created_at},
            updated=payment.updated_at,
        ),
        group("From and to", *_parties(desk, payment)),
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
    terms = desk.own_record.of(Kind.PAYMENTS, payment.payment_transaction_id) or Terms()
    key = payment.payment_address_id or terms.payment_address_id
    address = key and desk.store.payment_addresses.get(key)

    def party(label: str, kind: Kind, told: str | None, confirmed: str | None) -> Fact:
        """Return a link to a party: as the service tells it, else as confirmed here."""
        found = link_fact(desk, label, kind, told or confirmed)
        return replace(found, note=BY_OUR_RECORD) if confirmed and not told else found

    return [
        link_fact(desk, "Account", Kind.ACCOUNTS, account_of(desk.store, payment)),
        party("From wallet", Kind.WALLETS, payment.source_wallet_id, terms.source_wallet_id),
        party(
            "To wallet", Kind.WALLETS, payment.destination_wallet_id, terms.destination_wallet_id
        ),
        party("To recipient", Kind.RECIPIENTS, payment.recipient_id, terms.recipient_id),
        party("At", Kind.PAYMENT_ADDRESSES, payment.payment_address_id, terms.payment_address_id),
        fact("Bank", address.bic or address.routing_code if address else None),
    ]
