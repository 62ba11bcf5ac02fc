"""Pay-ins: what came in, newest first."""

from __future__ import annotations

from paytui.domain.models import Kind, PayIn, PayInId
from paytui.store.views import payin_owner
from paytui.tui.context import Desk
from paytui.tui.screens.contents import objects_of
from paytui.tui.screens.listing import Listing
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import (
    account_column,
    amount_column,
    currency_column,
    id_column,
    state_column,
    text_column,
    time_column,
    wallet_column,
)


def payins(desk: Desk) -> Listing[PayInId, PayIn]:
    """The list of pay-ins."""
    return Listing(
        mode="wallets",
        contents=objects_of(Kind.PAYINS),
        table=desk.store.payins,
        columns=_columns(desk),
        others=_others(desk),
        sort="Created",
        descending=True,
        owner=lambda payin: payin_owner(desk.store, payin),
    )


def _columns(desk: Desk) -> tuple[Column[PayIn], ...]:
    return (
        time_column(desk, "Created", lambda payin: payin.created_at),
        amount_column("Amount", lambda payin: payin.amount, lambda payin: payin.currency),
        currency_column(lambda payin: payin.currency),
        text_column("Sender", lambda payin: payin.sender_name, most=40),
        text_column("Reference", lambda payin: payin.reference, gives_way=3),
        state_column(lambda payin: payin.status),
        wallet_column(desk, "Into", lambda payin: payin.wallet_id, gives_way=2),
        time_column(desk, "Credited", lambda payin: payin.credited_at, gives_way=4),
    )


def _others(desk: Desk) -> tuple[Column[PayIn], ...]:
    return (
        account_column(desk, lambda payin: payin_owner(desk.store, payin)),
        id_column("Pay-in id", lambda payin: payin.pay_in_transaction_id),
        id_column("Wallet id", lambda payin: payin.wallet_id),
        id_column("Address id", lambda payin: payin.pay_in_address_id),
    )
