"""Payments: transfers between wallets and payouts to recipients (service.md §1, §3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from paytui.sandbox import context, ledger
from paytui.sandbox.body_validation import BodyReader
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert, iso
from paytui.sandbox.http_messages import ApiError, JsonObject, invalid, one
from paytui.sandbox.ledger import Posting, Pot, WalletAmount, post, text
from paytui.sandbox.service import resources

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

MOVES = {
    **dict.fromkeys(("rejected", "failed", "cancelled"), ledger.GIVE_BACK),
    "released": ledger.PAY_OUT,
    "returned": ledger.RETURN,
}
"""The moves of a payout's money on entering a state."""

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
    source, target = _source(bank, source_id, account_id), resources.WALLETS.get(bank.db, target_id)
    resources.require_status(target, "Active", "destinationWalletId")
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
    resources.require_payable(bank.db, recipient_id, address_id, str(source["currency"]))
    destination = {"recipientId": recipient_id, "paymentAddressId": address_id}
    kind: dict[str, str | None] = {"paymentType": "payout", **destination}
    return _create(bank, call, source, {**kind, "reference": reference})


def _source(bank: Bank, wallet_id: str, account_id: str | None) -> JsonObject:
    wallet = resources.WALLETS.get(bank.db, wallet_id)
    resources.require_status(wallet, "Active", "sourceWalletId")
    resources.require_account(wallet, account_id)
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
    paid = WalletAmount(wallet_id, currency, amount)
    post(bank.db, ledger.posting(paid, ledger.RESERVE), payment_id, at)
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
    resources.PAYMENTS.announce(bank, "payment.created", payment_id, call.now)
    return one(resources.PAYMENTS.get(bank.db, payment_id))


def following(status: str, reference: str) -> str | None:
    """Return the next state; None if the state is final or the payment is held."""
    match status:
        case "created":
            return "compliance_review"
        case "compliance_review":
            return resources.after_compliance(reference, "processing")
        case "processing":
            return "failed" if resources.FAILS_AT_BANK in reference else "released"
        case "released":
            return "completed"
        case "completed" if resources.COMES_BACK in reference:
            return "returned"
    return None


def progress(bank: Bank, payment_id: str, at: datetime) -> str | None:
    """Move a payment to its next state; return the wallet whose available balance rose."""
    payment = resources.PAYMENTS.get(bank.db, payment_id)
    status = following(str(payment["status"]), str(payment.get("reference", "")))
    if status is None:
        return None
    try:
        return enter(bank, payment_id, status, at)
    except ApiError:
        return None  # the receiving wallet no longer holds the amount


def enter(bank: Bank, payment_id: str, status: str, at: datetime) -> str | None:
    """Move a payment to a state; return the wallet whose available balance rose, if one did.

    Raise 422 if a wallet no longer holds the amount to be returned.
    """
    posting = moves(resources.PAYMENTS.get(bank.db, payment_id), status)
    post(bank.db, posting, payment_id, iso(at))
    mark(bank, payment_id, status, at)
    if status in LEAVES_AFTER:
        context.later(bank, "payment", payment_id, at, LEAVES_AFTER[status])
    resources.PAYMENTS.announce(bank, f"payment.{status}", payment_id, at)
    return next((line.wallet_id for line in posting if line.pot == Pot.AVAILABLE), None)


def moves(payment: Mapping[str, object], status: str) -> Posting:
    """Return the postings of a payment that enters a state."""
    paid = WalletAmount(
        str(payment["sourceWalletId"]), str(payment["currency"]), Decimal(str(payment["amount"]))
    )
    if target := payment.get("destinationWalletId"):
        received = replace(paid, wallet_id=str(target))
        if status == "released":
            return (paid.out_of(Pot.RESERVED), received.into(Pot.AVAILABLE))
        if status == "returned":
            return (received.out_of(Pot.AVAILABLE), paid.into(Pot.AVAILABLE))
    move = MOVES.get(status)
    return () if move is None else ledger.posting(paid, move)


def end_to_end_id(payment_id: str) -> str:
    """Return the reference for bank tracking, 26 characters (service.md §2)."""
    return f"E2E{payment_id.replace('-', '')[:23].upper()}"


def mark(bank: Bank, payment_id: str, status: str, at: datetime) -> None:
    """Write the state of a payment without moving money."""
    resources.PAYMENTS.update(bank.db, payment_id, {
        "status": status,
        "updatedAt": iso(at),
        "failureReason": REASONS.get(status),
        "endToEndId": end_to_end_id(payment_id) if status in RELEASED else None,
    })  # fmt: skip
