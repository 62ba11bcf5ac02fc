"""Pay-in addresses: where money can be sent to, wallet by wallet."""

from __future__ import annotations

from paytui.api.models import Kind, PayInAddress, PayInAddressId, WalletId
from paytui.store.views import payin_owner, wallet_label
from paytui.tui.cells import text_cell
from paytui.tui.desk import Desk
from paytui.tui.screens.contents import objects_of
from paytui.tui.screens.listing import Listing
from paytui.tui.tone import Tone
from paytui.tui.widgets.columns import Column


def payin_addresses(
    desk: Desk, wallet_id: WalletId | None = None
) -> Listing[PayInAddressId, PayInAddress]:
    """The list of pay-in addresses: those of one wallet, or all."""
    return Listing(
        mode="wallets",
        contents=objects_of(Kind.PAYIN_ADDRESSES),
        table=desk.store.payin_addresses,
        key=lambda address: address.pay_in_address_id,
        columns=(*_numbers(desk), *_bank()),
        sort="Wallet",
        named_by=(desk.store.wallets,),
        owner=lambda address: payin_owner(desk.store, address),
        only=lambda row: wallet_id in (None, row.wallet_id),
        owner_borrowed=True,
        within=wallet_label(desk.store, wallet_id) if wallet_id else "",
    )


def _numbers(desk: Desk) -> tuple[Column[PayInAddress], ...]:
    return (
        Column(
            title="Wallet",
            cell=lambda address: text_cell(wallet_label(desk.store, address.wallet_id)),
            width=12,
            grows=True,
            most=40,
            key=lambda address: wallet_label(desk.store, address.wallet_id).casefold(),
            borrowed=True,
        ),
        Column(
            title="BSB",
            cell=lambda address: text_cell(address.bsb),
            width=7,
            whole=True,
            key=lambda address: address.bsb,
        ),
        Column(
            title="BIC",
            cell=lambda address: text_cell(address.bic),
            width=8,
            whole=True,
            key=lambda address: address.bic,
        ),
        Column(
            title="Account number",
            cell=lambda address: text_cell(address.account_number),
            width=14,
            whole=True,
            key=lambda address: address.account_number,
        ),
    )


def _bank() -> tuple[Column[PayInAddress], ...]:
    return (
        Column(
            title="Type",
            cell=lambda address: text_cell(address.pay_in_address_type, Tone.MUTED),
            width=10,
            gives_way=2,
            key=lambda address: address.pay_in_address_type,
        ),
        Column(
            title="Bank",
            cell=lambda address: text_cell(address.bank_name, Tone.MUTED),
            width=12,
            grows=True,
            most=32,
            gives_way=3,
            key=lambda address: address.bank_name,
        ),
        Column(
            title="Country",
            cell=lambda address: text_cell(address.country, Tone.MUTED),
            width=7,
            gives_way=4,
            key=lambda address: address.country,
        ),
    )
