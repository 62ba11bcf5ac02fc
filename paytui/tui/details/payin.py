"""A pay-in in full."""

from __future__ import annotations

from paytui.api.models import PayIn
from paytui.store.views import wallet_label
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Group, amount_fact, fact, group, time_fact


def payin_groups(desk: Desk, payin: PayIn) -> list[Group]:
    """Everything known of a pay-in."""
    return [
        group(
            "Pay-in",
            amount_fact("Amount", payin.amount, payin.currency),
            fact("State", payin.status),
            fact("Sender", payin.sender_name),
            fact("Reference", payin.reference),
            fact("Into wallet", wallet_label(desk.store, payin.wallet_id)),
            time_fact(desk, "Created", payin.created_at),
            time_fact(desk, "Credited", payin.credited_at),
        ),
        group(
            "Identifiers",
            fact("Pay-in", payin.pay_in_transaction_id),
            fact("Wallet", payin.wallet_id),
            fact("Pay-in address", payin.pay_in_address_id),
        ),
    ]
