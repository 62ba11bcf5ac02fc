"""6 Payments: the blotter, newest first."""

from __future__ import annotations

from paytui.domain.models import Kind, Payment, PaymentId
from paytui.store.relations import account_of
from paytui.tui.context import UiContext
from paytui.tui.screens.list_dialogs import object_rows
from paytui.tui.screens.listing import ListSpec
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import (
    account_column,
    amount_column,
    currency_column,
    destination_column,
    id_column,
    state_column,
    text_column,
    time_column,
    wallet_column,
    word_column,
)
from paytui.tui.theme.themes import Tone


def payments(desk: UiContext) -> ListSpec[PaymentId, Payment]:
    return ListSpec(
        mode="payments",
        row_spec=object_rows(Kind.PAYMENTS),
        table=desk.store.payments,
        columns=_columns(desk),
        others=_others(desk),
        sort="Created",
        descending=True,
        owner=lambda payment: account_of(desk.store, payment),
    )


def _columns(desk: UiContext) -> tuple[Column[Payment], ...]:
    return (
        time_column(desk, "Created", lambda payment: payment.created_at),
        word_column("Type", lambda payment: payment.payment_type, width=8, gives_way=4),
        amount_column("Amount", lambda payment: payment.amount, lambda payment: payment.currency),
        currency_column(lambda payment: payment.currency),
        wallet_column(desk, "From", lambda payment: payment.source_wallet_id, gives_way=5),
        destination_column(
            desk,
            lambda payment: payment.recipient_id,
            lambda payment: payment.destination_wallet_id,
            lambda payment: desk.own_record.of(Kind.PAYMENTS, payment.payment_transaction_id),
        ),
        state_column(lambda payment: payment.status, width=11),
        text_column("Reference", lambda payment: payment.reference, gives_way=6),
        text_column(
            "End-to-end id",
            lambda payment: payment.end_to_end_id,
            width=24,
            most=40,
            gives_way=7,
            tone=Tone.MUTED,
        ),
    )


def _others(desk: UiContext) -> tuple[Column[Payment], ...]:
    return (
        account_column(desk, lambda payment: account_of(desk.store, payment)),
        time_column(desk, "Updated", lambda payment: payment.updated_at),
        text_column("Failure", lambda payment: payment.failure_reason, most=40, gives_way=8),
        id_column("Payment id", lambda payment: payment.payment_transaction_id),
        id_column("Account id", lambda payment: payment.account_id),
        id_column("Source id", lambda payment: payment.source_wallet_id),
        id_column("Destination id", lambda payment: payment.destination_wallet_id),
        id_column("Recipient id", lambda payment: payment.recipient_id),
        id_column("Address id", lambda payment: payment.payment_address_id),
    )
