"""Pay-ins: what came in, newest first."""

from __future__ import annotations

from paytui.api.models import Kind, PayIn, PayInId, WalletId
from paytui.store.views import payin_owner, wallet_label
from paytui.tui.cells import amount_cell, text_cell, time_cell
from paytui.tui.desk import Desk
from paytui.tui.screens.contents import objects_of
from paytui.tui.screens.listing import Listing
from paytui.tui.state_cell import state_cell
from paytui.tui.tone import Tone
from paytui.tui.widgets.columns import Column


def payins(desk: Desk, wallet_id: WalletId | None = None) -> Listing[PayInId, PayIn]:
    """The list of pay-ins: those into one wallet, or all."""
    return Listing(
        mode="wallets",
        contents=objects_of(Kind.PAYINS),
        table=desk.store.payins,
        key=lambda payin: payin.pay_in_transaction_id,
        columns=_columns(desk),
        sort="Created",
        descending=True,
        named_by=(desk.store.wallets,),
        owner=lambda payin: payin_owner(desk.store, payin),
        only=lambda row: wallet_id in (None, row.wallet_id),
        owner_borrowed=True,
        within=wallet_label(desk.store, wallet_id) if wallet_id else "",
    )


def _columns(desk: Desk) -> tuple[Column[PayIn], ...]:
    return (*_amounts(desk), *_origin(), *_standing(desk))


def _amounts(desk: Desk) -> tuple[Column[PayIn], ...]:
    return (
        Column(
            title="Created",
            cell=lambda payin: time_cell(payin.created_at, desk.zone),
            width=12,
            gives_way=1,
            key=lambda payin: payin.created_at,
        ),
        Column(
            title="Amount",
            cell=lambda payin: amount_cell(payin.amount, payin.currency),
            width=9,
            whole=True,
            right=True,
            key=lambda payin: payin.amount,
        ),
        Column(
            title="Ccy",
            cell=lambda payin: text_cell(payin.currency, Tone.MUTED),
            width=3,
            whole=True,
            key=lambda payin: payin.currency,
        ),
    )


def _origin() -> tuple[Column[PayIn], ...]:
    return (
        Column(
            title="Sender",
            cell=lambda payin: text_cell(payin.sender_name),
            width=12,
            grows=True,
            most=40,
            key=lambda payin: payin.sender_name,
        ),
        Column(
            title="Reference",
            cell=lambda payin: text_cell(payin.reference),
            width=12,
            grows=True,
            most=30,
            gives_way=3,
            key=lambda payin: payin.reference,
        ),
    )


def _standing(desk: Desk) -> tuple[Column[PayIn], ...]:
    return (
        Column(
            title="State",
            cell=lambda payin: state_cell(payin.status),
            width=8,
            whole=True,
            key=lambda payin: payin.status.name if payin.status else None,
        ),
        Column(
            title="Into",
            cell=lambda payin: text_cell(wallet_label(desk.store, payin.wallet_id), Tone.MUTED),
            width=12,
            grows=True,
            most=32,
            gives_way=2,
            key=lambda payin: wallet_label(desk.store, payin.wallet_id).casefold(),
            borrowed=True,
        ),
        Column(
            title="Credited",
            cell=lambda payin: time_cell(payin.credited_at, desk.zone),
            width=12,
            gives_way=4,
            key=lambda payin: payin.credited_at,
        ),
    )
