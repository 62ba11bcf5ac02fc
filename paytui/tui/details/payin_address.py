"""A pay-in address in full: what somebody needs who sends money to it."""

from __future__ import annotations

from paytui.api.models import Kind, PayInAddress
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Fact, Group, fact, group, text_fact
from paytui.tui.details.links import link_fact
from paytui.tui.details.payin import newest_payins


def payin_address_groups(desk: Desk, address: PayInAddress) -> list[Group]:
    """Everything known of a pay-in address."""
    key = address.pay_in_address_id
    return [
        group("Pay-in address", *deposit_facts(desk, address)),
        group("Belongs to", link_fact(desk, "Wallet", Kind.WALLETS, address.wallet_id)),
        newest_payins(desk, lambda payin: payin.pay_in_address_id == key),
        group(
            "Identifiers",
            fact("Pay-in address", address.pay_in_address_id),
            fact("Wallet", address.wallet_id),
        ),
    ]


def deposit_facts(desk: Desk, address: PayInAddress) -> tuple[Fact, ...]:
    """What a deposit needs; the account name is given at onboarding (api.md §2): a setting."""
    name = desk.settings.profile.payin_account_name
    return (
        fact("Type", address.pay_in_address_type),
        text_fact("Account name", name, "from your settings")
        if name
        else fact("Account name", None),
        fact("BSB", address.bsb),
        fact("BIC", address.bic),
        fact("Account number", address.account_number),
        fact("Bank", address.bank_name),
        fact("Country", address.country),
        fact("NPP", address.npp_enabled),
    )
