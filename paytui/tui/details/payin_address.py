"""A pay-in address in full: what somebody needs who sends money to it."""

from __future__ import annotations

from paytui.domain.models import Kind, PayInAddress
from paytui.tui.context import Desk
from paytui.tui.details.deposit import deposit_facts, read_aloud
from paytui.tui.details.facts import Group, fact, group
from paytui.tui.details.links import link_fact
from paytui.tui.details.payin import newest_payins


def payin_address_groups(desk: Desk, address: PayInAddress) -> list[Group]:
    """Everything known of a pay-in address."""
    key = address.pay_in_address_id
    return [
        group("Pay-in address", *deposit_facts(desk, address)),
        read_aloud(address),
        group("Belongs to", link_fact(desk, "Wallet", Kind.WALLETS, address.wallet_id)),
        newest_payins(desk, lambda payin: payin.pay_in_address_id == key),
        group(
            "Identifiers",
            fact("Pay-in address", address.pay_in_address_id),
            fact("Wallet", address.wallet_id),
        ),
    ]
