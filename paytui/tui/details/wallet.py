"""A wallet in full, with the addresses that money is sent to and what arrived."""

from __future__ import annotations

from paytui.api.models import Kind, PayInAddress, Wallet
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Group, Ref, amount_fact, fact, group, text_fact
from paytui.tui.details.journeys import WALLET
from paytui.tui.details.links import link_fact
from paytui.tui.details.payin import newest_payins
from paytui.tui.details.payin_address import deposit_facts
from paytui.tui.details.timeline import states_group


def wallet_groups(desk: Desk, wallet: Wallet) -> list[Group]:
    """Everything known of a wallet."""
    return [
        _balances(wallet),
        group(
            "Wallet",
            fact("Name", wallet.wallet_name),
            fact("Description", wallet.wallet_description),
            fact("State", wallet.status),
            fact("Currency", wallet.currency),
            link_fact(desk, "Account", Kind.ACCOUNTS, wallet.account_id),
            fact("Wallet id", wallet.wallet_id),
            fact("Account id", wallet.account_id),
        ),
        *(_address(desk, address) for address in _addresses(desk, wallet)),
        newest_payins(desk, lambda payin: payin.wallet_id == wallet.wallet_id),
        states_group(
            desk, WALLET, wallet.status, {"created": wallet.created_at}, wallet.updated_at
        ),
    ]


def _balances(wallet: Wallet) -> Group:
    return group(
        "Balance",
        amount_fact("Available", wallet.available_balance, wallet.currency),
        amount_fact("Reserved", wallet.reserved_balance, wallet.currency),
        amount_fact("Pending", wallet.pending_balance, wallet.currency),
    )


def _addresses(desk: Desk, wallet: Wallet) -> list[PayInAddress]:
    rows = desk.store.payin_addresses.rows()
    return [address for address in rows if address.wallet_id == wallet.wallet_id]


def _address(desk: Desk, address: PayInAddress) -> Group:
    key = address.pay_in_address_id
    return group(
        f"Pay-in address, {address.pay_in_address_type or 'type not sent'}",
        *deposit_facts(desk, address),
        text_fact("Address id", key, link=Ref(Kind.PAYIN_ADDRESSES, key)),
    )
