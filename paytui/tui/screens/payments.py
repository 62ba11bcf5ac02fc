"""6 Payments: the blotter, newest first."""

from __future__ import annotations

from paytui.api.models import Kind, Payment, PaymentId
from paytui.money import MISSING
from paytui.store.views import recipient_name, wallet_label
from paytui.tui.cells import amount_cell, text_cell, time_cell
from paytui.tui.desk import Desk
from paytui.tui.screens.contents import objects_of
from paytui.tui.screens.listing import Listing
from paytui.tui.state_cell import state_cell
from paytui.tui.tone import Cell, Tone
from paytui.tui.widgets.columns import Column


def payments(desk: Desk) -> Listing[PaymentId, Payment]:
    """The list of payments."""
    return Listing(
        mode="payments",
        contents=objects_of(Kind.PAYMENTS),
        table=desk.store.payments,
        key=lambda payment: payment.payment_transaction_id,
        columns=_columns(desk),
        sort="Created",
        descending=True,
        named_by=(desk.store.wallets, desk.store.recipients),
        owner=lambda payment: payment.account_id,
    )


def _columns(desk: Desk) -> tuple[Column[Payment], ...]:
    return (*_amounts(desk), *_parties(desk), *_standing())


def _amounts(desk: Desk) -> tuple[Column[Payment], ...]:
    return (
        Column(
            title="Created",
            cell=lambda payment: time_cell(payment.created_at, desk.zone),
            width=12,
            gives_way=1,
            key=lambda payment: payment.created_at,
        ),
        Column(
            title="Type",
            cell=lambda payment: text_cell(payment.payment_type, Tone.MUTED),
            width=8,
            gives_way=4,
            key=lambda payment: payment.payment_type,
        ),
        Column(
            title="Amount",
            cell=lambda payment: amount_cell(payment.amount, payment.currency),
            width=9,
            whole=True,
            right=True,
            key=lambda payment: payment.amount,
        ),
        Column(
            title="Ccy",
            cell=lambda payment: text_cell(payment.currency, Tone.MUTED),
            width=3,
            whole=True,
            key=lambda payment: payment.currency,
        ),
    )


def _parties(desk: Desk) -> tuple[Column[Payment], ...]:
    return (
        Column(
            title="From",
            cell=lambda payment: text_cell(
                wallet_label(desk.store, payment.source_wallet_id), Tone.MUTED
            ),
            width=12,
            grows=True,
            most=32,
            gives_way=5,
        ),
        Column(
            title="To",
            cell=lambda payment: _to(desk, payment),
            width=12,
            grows=True,
            most=40,
        ),
    )


def _standing() -> tuple[Column[Payment], ...]:
    return (
        Column(
            title="State",
            cell=lambda payment: state_cell(payment.status),
            width=11,
            whole=True,
            key=lambda payment: payment.status.name if payment.status else None,
        ),
        Column(
            title="Reference",
            cell=lambda payment: text_cell(payment.reference),
            width=12,
            grows=True,
            most=30,
            gives_way=6,
            key=lambda payment: payment.reference,
        ),
        Column(
            title="End-to-end id",
            cell=lambda payment: text_cell(payment.end_to_end_id, Tone.MUTED),
            width=24,
            grows=True,
            most=40,
            gives_way=7,
            key=lambda payment: payment.end_to_end_id,
        ),
    )


def _to(desk: Desk, payment: Payment) -> Cell:
    """A recipient or a wallet."""
    if payment.recipient_id is not None:
        return text_cell(recipient_name(desk.store, payment.recipient_id))
    label = wallet_label(desk.store, payment.destination_wallet_id)
    return text_cell(None if label == MISSING else label)
