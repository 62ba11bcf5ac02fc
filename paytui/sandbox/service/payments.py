"""Payments: transfers between wallets and payouts to recipients (service.md §1, §3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from paytui.sandbox import context, ledger
from paytui.sandbox.body_validation import BodyReader
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert
from paytui.sandbox.ledger import Posting, Pot, WalletAmount, post, text
from paytui.sandbox.messages import ApiError, JsonObject, invalid, one
from paytui.sandbox.service.recipients import require_payable
from paytui.sandbox.service.resources import (
    UPDATED_SINCE,
    MagicReference,
    Resource,
    equal,
    require_status,
)
from paytui.sandbox.service.wallets import WALLETS, require_account
from paytui.sandbox.webhooks import announce

PAYMENTS = Resource(
    table="payments",
    key="paymentTransactionId",
    columns=(
        "paymentTransactionId",
        "paymentType",
        "accountId",
        "sourceWalletId",
        "destinationWalletId",
        "recipientId",
        "paymentAddressId",
        "amount",
        "currency",
        "status",
        "reference",
        "endToEndId",
        "createdAt",
        "updatedAt",
        "failureReason",
    ),
    filters={
        **equal("paymentTransactionId", "accountId", "status"),
        UPDATED_SINCE: "updatedAt >= :value",
        "walletId": "(sourceWalletId = :value OR destinationWalletId = :value)",
    },
)

LEAVES_AFTER = {
    "created": context.PAYMENT_CHECK,
    "compliance_review": context.COMPLIANCE,
    "processing": context.PROCESSING,
    "released": context.COMPLETION,
    "completed": context.RETURN,
}
"""Seconds that a payment stays in each state; the other states are final."""

RELEASED = frozenset({"released", "completed", "returned"})
"""The states from released on, in which there is an endToEndId (service.md §2)."""

REASONS = {
    "rejected": "refused by the compliance check",
    "failed": "refused by the bank",
    "returned": "sent back by the receiving bank",
}


def transfer(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /payments/transfer` between two wallets of one currency, of any accounts."""
    fields = BodyReader(call.body)
    source_id, target_id = fields.text("sourceWalletId"), fields.text("destinationWalletId")
    account_id, reference = fields.optional_text("accountId"), fields.optional_text("reference")
    fields.check()
    source, target = _source(bank, source_id, account_id), WALLETS.get(bank.db, target_id)
    require_status(target, "Active", "destinationWalletId")
    if source_id == target_id:
        raise invalid("destinationWalletId", "must not be the source wallet")
    if source["currency"] != target["currency"]:
        raise invalid("destinationWalletId", f"must be a wallet in {source['currency']}")
    destination = {"paymentType": "transfer", "destinationWalletId": target_id}
    return _create(bank, call, source, {**destination, "reference": reference})


def payout(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /payments/payout` to an Active address of a recipient (service.md §4)."""
    fields = BodyReader(call.body)
    source_id, recipient_id = fields.text("sourceWalletId"), fields.text("recipientId")
    address_id = fields.text("paymentAddressId")
    account_id, reference = fields.optional_text("accountId"), fields.optional_text("reference")
    fields.check()
    source = _source(bank, source_id, account_id)
    require_payable(bank.db, recipient_id, address_id, str(source["currency"]))
    destination = {"recipientId": recipient_id, "paymentAddressId": address_id}
    kind: dict[str, str | None] = {"paymentType": "payout", **destination}
    return _create(bank, call, source, {**kind, "reference": reference})


def _source(bank: Bank, wallet_id: str, account_id: str | None) -> JsonObject:
    wallet = WALLETS.get(bank.db, wallet_id)
    require_status(wallet, "Active", "sourceWalletId")
    require_account(wallet, account_id)
    return wallet


def _create(
    bank: Bank, call: Call, source: JsonObject, kind: Mapping[str, str | None]
) -> JsonObject:
    """Reserve the amount and book the payment; raise 422 if the wallet holds too little."""
    fields = BodyReader(call.body)
    currency, wallet_id = str(source["currency"]), str(source["walletId"])
    amount = fields.amount("amount", currency)
    fields.check()
    payment_id, at = bank.new_id("payment"), iso(call.now)
    post(bank.db, ledger.reserve(WalletAmount(wallet_id, currency, amount)), payment_id, at)
    insert(bank.db, "payments", {
        "paymentTransactionId": payment_id,
        "accountId": str(source["accountId"]),
        "sourceWalletId": wallet_id,
        **kind,
        "amount": text(amount, currency),
        "currency": currency,
        "status": "created",
        "createdAt": at,
        "updatedAt": at,
    })  # fmt: skip
    context.later(bank, "payment", payment_id, call.now, LEAVES_AFTER["created"])
    announce(bank, "payment.created", PAYMENTS, payment_id, call.now)
    return one(PAYMENTS.get(bank.db, payment_id))


def following(status: str, reference: str | None) -> str | None:
    """Return the next state; None if the state is final or the payment is held."""
    magic = MagicReference(reference)
    match status:
        case "created":
            return "compliance_review"
        case "compliance_review":
            return magic.after_compliance("processing")
        case "processing":
            return "failed" if magic.fails_at_bank else "released"
        case "released":
            return "completed"
        case "completed" if magic.comes_back:
            return "returned"
    return None


def progress(bank: Bank, payment_id: str, at: datetime) -> str | None:
    """Move a payment to its next state.

    Returns:
        The wallet whose available balance rose, if one did.
    """
    payment = PAYMENTS.get(bank.db, payment_id)
    reference = payment.get("reference")
    status = following(str(payment["status"]), None if reference is None else str(reference))
    if status is None:
        return None
    try:
        return enter(bank, payment_id, status, at)
    except ApiError:
        return None  # the receiving wallet no longer holds the amount


def enter(bank: Bank, payment_id: str, status: str, at: datetime) -> str | None:
    """Move a payment to a state, with its money.

    Returns:
        The wallet whose available balance rose, if one did.

    Raises:
        ApiError: 422 if a wallet no longer holds the amount to be returned.
    """
    posting = moves(PAYMENTS.get(bank.db, payment_id), status)
    post(bank.db, posting, payment_id, iso(at))
    mark(bank, payment_id, status, at)
    if status in LEAVES_AFTER:
        context.later(bank, "payment", payment_id, at, LEAVES_AFTER[status])
    announce(bank, f"payment.{status}", PAYMENTS, payment_id, at)
    return next((line.wallet_id for line in posting if line.pot == Pot.AVAILABLE), None)


def moves(payment: Mapping[str, object], status: str) -> Posting:
    """Return the postings of a payment that enters a state."""
    paid = WalletAmount(
        str(payment["sourceWalletId"]), str(payment["currency"]), Decimal(str(payment["amount"]))
    )
    target = payment.get("destinationWalletId")
    match status:
        case "released":
            return ledger.transfer(paid, str(target)) if target else ledger.pay_out(paid)
        case "rejected" | "failed" | "cancelled":
            return ledger.give_back(paid)
        case "returned" if target:
            return ledger.return_transfer(paid, str(target))
        case "returned":
            return ledger.return_payout(paid)
    return ()


def end_to_end_id(payment_id: str) -> str:
    """Return the reference for bank tracking, 26 characters (service.md §2)."""
    return f"E2E{payment_id.replace('-', '')[:23].upper()}"


def mark(bank: Bank, payment_id: str, status: str, at: datetime) -> None:
    """Write the state of a payment without moving money."""
    bank.db.execute(
        "UPDATE payments SET status = ?, updatedAt = ?, failureReason = ?, endToEndId = ?"
        " WHERE paymentTransactionId = ?",
        (
            status,
            iso(at),
            REASONS.get(status),
            end_to_end_id(payment_id) if status in RELEASED else None,
            payment_id,
        ),
    )
