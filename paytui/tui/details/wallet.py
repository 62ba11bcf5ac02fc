"""A wallet in full, with the addresses that money is sent to and what moved it."""

from __future__ import annotations

from paytui.domain.models import Kind, PayInAddress, Wallet
from paytui.tui.context import Desk
from paytui.tui.details.deposit import addresses_of_wallet, deposit_facts
from paytui.tui.details.facts import Group, Ref, amount_fact, fact, group, text_fact
from paytui.tui.details.journeys import WALLET
from paytui.tui.details.links import link_fact, those_fact
from paytui.tui.details.movements import movements_group
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
        states_group(
            desk,
            WALLET,
            Kind.WALLETS,
            wallet,
            {"created": wallet.created_at},
            updated=wallet.updated_at,
        ),
        _belongings(desk, wallet),
        *(_address(desk, address) for address in addresses_of_wallet(desk, wallet)),
        movements_group(desk, wallet),
    ]


def _belongings(desk: Desk, wallet: Wallet) -> Group:
    """The lists of what touches it."""
    mine = Ref(Kind.WALLETS, wallet.wallet_id)
    kinds = (Kind.PAYINS, Kind.PAYIN_ADDRESSES, Kind.TRADES, Kind.PAYMENTS)
    return group("Belongs to it", *(those_fact(desk, kind, mine) for kind in kinds))


def _balances(wallet: Wallet) -> Group:
    return group(
        "Balance",
        amount_fact("Available", wallet.available_balance, wallet.currency),
        amount_fact("Reserved", wallet.reserved_balance, wallet.currency),
        amount_fact("Pending", wallet.pending_balance, wallet.currency),
    )


def _address(desk: Desk, address: PayInAddress) -> Group:
    key = address.pay_in_address_id
    return group(
        f"Pay-in address, {address.pay_in_address_type or 'type not sent'}",
        *deposit_facts(desk, address),
        text_fact("Address id", key, link=Ref(Kind.PAYIN_ADDRESSES, key)),
    )
