"""A wallet in full, with the addresses that money is sent to and what arrived."""

from __future__ import annotations

from datetime import UTC, datetime

from paytui.api.models import PayIn, PayInAddress, Wallet
from paytui.money import MISSING, format_amount
from paytui.store.views import account_name
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Fact, Group, amount_fact, fact, group, time_fact
from paytui.tui.state_cell import state_cell
from paytui.tui.times import short_time
from paytui.tui.tone import Cell, Tone

NEWEST = 50
"""Pay-ins shown of one wallet."""

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


def wallet_groups(desk: Desk, wallet: Wallet) -> list[Group]:
    """Everything known of a wallet."""
    return [
        _balances(wallet),
        group(
            "Wallet",
            fact("Name", wallet.wallet_name),
            fact("Description", wallet.wallet_description),
            fact("State", wallet.status),
            fact("Account", account_name(desk.store, wallet.account_id)),
            time_fact(desk, "Created", wallet.created_at),
            time_fact(desk, "Updated", wallet.updated_at),
            fact("Wallet id", wallet.wallet_id),
            fact("Account id", wallet.account_id),
        ),
        *(_address(desk, address) for address in _addresses(desk, wallet)),
        _payins(desk, wallet),
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
    return group(
        f"Pay-in address, {address.pay_in_address_type or 'type not sent'}",
        fact("Account name", desk.settings.profile.payin_account_name),
        fact("BSB", address.bsb),
        fact("BIC", address.bic),
        fact("Account number", address.account_number),
        fact("Bank", address.bank_name),
        fact("Country", address.country),
        fact("NPP", address.npp_enabled),
        fact("Address id", address.pay_in_address_id),
    )


def _payins(desk: Desk, wallet: Wallet) -> Group:
    mine = [row for row in desk.store.payins.rows() if row.wallet_id == wallet.wallet_id]
    mine.sort(key=lambda row: row.created_at or _LONG_AGO, reverse=True)
    shown = tuple(line for row in mine[:NEWEST] for line in _payin(desk, row))
    count = f"{NEWEST} newest of {len(mine)}" if len(mine) > NEWEST else f"{len(mine)}"
    return Group(f"Pay-ins ({count})", shown)


def _payin(desk: Desk, payin: PayIn) -> tuple[Fact, Fact]:
    """What came in and from whom; under it how to find it again."""
    amount = format_amount(payin.amount, payin.currency) if payin.currency else MISSING
    came = [f"{amount} {payin.currency or MISSING}", state_cell(payin.status).text]
    came.append(payin.sender_name or "")
    found = "  ".join(part for part in (payin.pay_in_transaction_id, payin.reference) if part)
    return (
        Fact(short_time(payin.created_at, desk.zone), Cell("  ".join(came).rstrip())),
        Fact("", Cell(found, Tone.MUTED)),
    )
