"""Payments: transfers and payouts; and pay-ins, which arrive from outside the API (service.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from paytui.sandbox import context, forms, ledger, resources
from paytui.sandbox.context import Bank, Call, SeededRandom, insert, iso
from paytui.sandbox.http_messages import JsonObject, conflict, invalid, one
from paytui.sandbox.ledger import Posting, Pot, WalletAmount, post, text

LEAVES_AFTER = {
    "created": context.PAYMENT_CHECK,
    "compliance_review": context.COMPLIANCE,
    "processing": context.PROCESSING,
    "released": context.COMPLETION,
    "completed": context.RETURN,
}
"""Seconds that a payment stays in each state; the other states are final."""

MOVES = {
    **dict.fromkeys(("rejected", "failed", "cancelled"), ledger.GIVE_BACK),
    "released": ledger.PAY_OUT,
    "returned": ledger.RETURN,
}
"""The moves of a payout's money on entering a state."""


def create_transfer(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /payments/transfer` between two wallets of one currency, of any accounts."""
    asked = forms.Transfer.of(call.body)
    target_id = asked.destination_wallet_id
    source, target = _source(bank, asked), resources.WALLETS.get(bank.db, target_id)
    resources.require_status(target, "Active", "destinationWalletId")
    if asked.source_wallet_id == target_id:
        raise invalid("destinationWalletId", "must not be the source wallet")
    if source["currency"] != target["currency"]:
        raise invalid("destinationWalletId", f"must be a wallet in {source['currency']}")
    kind = {"paymentType": "transfer", "destinationWalletId": target_id}
    return _create(bank, call.now, asked, source, kind)


def create_payout(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /payments/payout` to an Active address of a recipient (service.md §4)."""
    asked = forms.Payout.of(call.body)
    recipient_id, address_id = asked.recipient_id, asked.payment_address_id
    source = _source(bank, asked)
    resources.require_payable(bank.db, recipient_id, address_id, str(source["currency"]))
    destination = {"recipientId": recipient_id, "paymentAddressId": address_id}
    return _create(bank, call.now, asked, source, {"paymentType": "payout", **destination})


Asked = forms.Transfer | forms.Payout


def _source(bank: Bank, asked: Asked) -> JsonObject:
    wallet = resources.WALLETS.get(bank.db, asked.source_wallet_id)
    resources.require_status(wallet, "Active", "sourceWalletId")
    resources.require_account(wallet, asked.account_id)
    return wallet


def _create(
    bank: Bank, now: datetime, asked: Asked, source: JsonObject, kind: Mapping[str, str]
) -> JsonObject:
    """Reserve the amount and book the payment; raise 422 if the wallet holds too little."""
    currency, wallet_id = str(source["currency"]), asked.source_wallet_id
    forms.require_fitting("amount", asked.amount, currency)
    payment_id = resources.PAYMENTS.create(bank, now, {
        "accountId": str(source["accountId"]),
        "sourceWalletId": wallet_id,
        **kind,
        "amount": text(asked.amount, currency),
        "currency": currency,
        "status": "created",
        "reference": asked.reference,
        "updatedAt": iso(now),
    })  # fmt: skip
    paid = WalletAmount(wallet_id, currency, asked.amount)
    post(bank.db, ledger.posting(paid, ledger.RESERVE), payment_id, iso(now))
    context.later(bank, "payment", payment_id, now, LEAVES_AFTER["created"])
    resources.PAYMENTS.announce(bank, "payment.created", payment_id, now)
    return one(resources.PAYMENTS.get(bank.db, payment_id))


def following(payment: Mapping[str, object]) -> str | None:
    """Return the next state; None if the state is final or the payment is held."""
    reference = str(payment.get("reference", ""))
    match payment["status"]:
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


def enter(bank: Bank, payment_id: str, status: str, at: datetime) -> str | None:
    """Move a payment to a state; return the wallet whose available balance rose, if one did.

    Raise 422 if a wallet no longer holds the amount to be returned.
    """
    posting = moves(resources.PAYMENTS.get(bank.db, payment_id), status)
    post(bank.db, posting, payment_id, iso(at))
    resources.PAYMENTS.mark(bank, payment_id, status, at)
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


# Pay-ins


def create_payin_address(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /payin-addresses`: create an address for one wallet."""
    asked = forms.PayInAddress.of(call.body)
    resources.WALLETS.get(bank.db, asked.wallet_id)
    address_id, kind = bank.new_id("payin_address"), asked.pay_in_address_type
    row = payin_address_row(bank.chance, address_id, asked.wallet_id, kind, iso(call.now))
    insert(bank.db, "payin_addresses", row)
    return one(resources.PAYIN_ADDRESSES.get(bank.db, address_id))


def payin_address_row(
    chance: SeededRandom, address_id: str, wallet_id: str, kind: str, at: str
) -> dict[str, str | None]:
    """Return an Australian address: local with a BSB, international with a BIC (service.md §2)."""
    number = chance.draw("account number", address_id).randrange(10**8, 10**9)
    return {
        "payInAddressId": address_id,
        "walletId": wallet_id,
        "payInAddressType": kind,
        "bsb": "802-985" if kind == "local" else None,
        "bic": "SBOXAU2SXXX" if kind == "international" else None,
        "accountNumber": str(number),
        "bankName": "Sandbox Bank of Australia",
        "country": "AU",
        "nppEnabled": "true",
        "createdAt": at,
    }


def receive_payin(bank: Bank, sent: forms.BankTransfer, now: datetime) -> str:
    """Receive a transfer, pending until it has passed compliance; return its payInTransactionId.

    Raise 409 if the wallet is not Active or has no pay-in address.
    """
    wallet = resources.WALLETS.get(bank.db, sent.wallet_id)
    resources.require_status(wallet, "Active", "walletId")
    query = "SELECT payInAddressId FROM payin_addresses WHERE walletId = ? ORDER BY seq LIMIT 1"
    address = bank.db.execute(query, (sent.wallet_id,)).fetchone()
    if address is None:
        raise conflict("no_payin_address", "the wallet has no pay-in address", "walletId")
    currency = str(wallet["currency"])
    payin_id = resources.PAYINS.create(bank, now, {
        "walletId": sent.wallet_id,
        "payInAddressId": address["payInAddressId"],
        "amount": text(sent.amount, currency),
        "currency": currency,
        "status": "received",
        "senderName": sent.sender_name,
        "reference": sent.reference,
    })  # fmt: skip
    paid = WalletAmount(sent.wallet_id, currency, sent.amount)
    posting = ledger.posting(paid, ledger.ARRIVE)
    post(bank.db, posting, payin_id, iso(now))
    context.later(bank, "payin", payin_id, now, context.PAY_IN_RECEIPT)
    return payin_id


def payin_following(payin: Mapping[str, object]) -> str | None:
    """Return the next state; None if the pay-in is held."""
    if payin["status"] == "received":
        return "compliance_review"
    return resources.after_compliance(str(payin.get("reference", "")), "credited")


def enter_payin(bank: Bank, payin_id: str, status: str, at: datetime) -> str | None:
    """Move a pay-in to a state; return the wallet that was credited, if one was."""
    payin = resources.PAYINS.get(bank.db, payin_id)
    wallet_id = str(payin["walletId"])
    paid = WalletAmount(wallet_id, str(payin["currency"]), Decimal(str(payin["amount"])))
    resources.PAYINS.mark(bank, payin_id, status, at)
    post(bank.db, payin_moves(paid, status), payin_id, iso(at))
    if status == "compliance_review":
        context.later(bank, "payin", payin_id, at, context.COMPLIANCE)
    if status != "credited":
        return None
    resources.PAYINS.announce(bank, "payin.credited", payin_id, at)
    return wallet_id


def payin_moves(paid: WalletAmount, status: str) -> Posting:
    """Return the posting of a received pay-in that enters a state."""
    move = {"credited": ledger.CREDIT, "rejected": ledger.SEND_BACK}.get(status)
    return () if move is None else ledger.posting(paid, move)
