"""The start of a payment wizard, filled in from the object under the cursor."""

from __future__ import annotations

from paytui.domain.intent import without_tag
from paytui.domain.models import PayIn, Payment, PaymentAddress, Recipient, Trade, Wallet
from paytui.domain.money import plain
from paytui.tui.context import Desk
from paytui.tui.wizards.payment_machine import PaymentWizard
from paytui.tui.wizards.payment_order import PaymentDraft, PaymentKind
from paytui.tui.wizards.service_fields import answers_before


def payout_from(desk: Desk, selected: object) -> PaymentWizard:
    """A payout from the wallet, or to the recipient, that is under the cursor."""
    kind = PaymentKind.PAYOUT
    match selected:
        case Recipient():
            draft = PaymentDraft(kind=kind, recipient_id=selected.recipient_id)
        case PaymentAddress():
            draft = PaymentDraft(
                kind=kind,
                recipient_id=selected.recipient_id,
                payment_address_id=selected.payment_address_id,
            )
        case Payment():
            draft = PaymentDraft(
                kind=kind,
                wallet_id=selected.source_wallet_id,
                recipient_id=selected.recipient_id,
                payment_address_id=selected.payment_address_id,
            )
        case _:
            draft = _from_wallet(kind, selected)
    return PaymentWizard(desk, draft)


def transfer_from(desk: Desk, selected: object) -> PaymentWizard:
    """A transfer out of the wallet that is under the cursor."""
    kind = PaymentKind.TRANSFER
    match selected:
        case Payment():
            draft = PaymentDraft(
                kind=kind,
                wallet_id=selected.source_wallet_id,
                destination_wallet_id=selected.destination_wallet_id,
            )
        case _:
            draft = _from_wallet(kind, selected)
    return PaymentWizard(desk, draft)


def repeat_of(desk: Desk, payment: Payment) -> PaymentWizard:
    """The same payment as a new intention: all of it but the tag of the one before."""
    kind = PaymentKind.TRANSFER if payment.destination_wallet_id else PaymentKind.PAYOUT
    draft = PaymentDraft(
        kind=kind,
        wallet_id=payment.source_wallet_id,
        recipient_id=payment.recipient_id,
        payment_address_id=payment.payment_address_id,
        destination_wallet_id=payment.destination_wallet_id,
        amount="" if payment.amount is None else plain(payment.amount),
        reference=without_tag(payment.reference),
        extra=answers_before(desk.store, payment.payment_transaction_id),
    )
    return PaymentWizard(desk, draft)


def _from_wallet(kind: PaymentKind, selected: object) -> PaymentDraft:
    match selected:
        case Wallet() | PayIn():
            return PaymentDraft(kind=kind, wallet_id=selected.wallet_id)
        case Trade():
            return PaymentDraft(kind=kind, wallet_id=selected.buy_wallet_id)
        case _:
            return PaymentDraft(kind=kind)
