"""Payments: transfers and payouts; and pay-ins, which arrive from outside the API (service.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from paytui.sandbox import forms, ledger, resources
from paytui.sandbox.context import Bank, Call, SeededRandom, insert, iso
from paytui.sandbox.http_messages import JsonObject, conflict, invalid, one
from paytui.sandbox.ledger import Posting, Pot, WalletAmount, text
from paytui.sandbox.resources import COMPLIANCE, Lifecycle

MOVES = {
    "created": ledger.RESERVE,
    **dict.fromkeys(("rejected", "failed", "cancelled"), ledger.GIVE_BACK),
    "released": (Pot.RESERVED, Pot.BANK),
    "returned": (Pot.BANK, Pot.AVAILABLE),
}
"""The moves of a payout's money on entering a state."""

PAYIN_MOVES = {
    "received": (Pot.BANK, Pot.PENDING),
    "credited": (Pot.PENDING, Pot.AVAILABLE),
    "rejected": (Pot.PENDING, Pot.BANK),
}


def moves(payment: Mapping[str, object], status: str) -> Posting:
    """Return the posting of a payment that enters a state."""
    paid = _paid(payment, "sourceWalletId")
    if target := payment.get("destinationWalletId"):
        received = replace(paid, wallet_id=str(target))
        if status == "released":
            return (paid.out_of(Pot.RESERVED), received.into(Pot.AVAILABLE))
        if status == "returned":
            return (received.out_of(Pot.AVAILABLE), paid.into(Pot.AVAILABLE))
    return ledger.posting(paid, MOVES.get(status))


def _paid(item: Mapping[str, object], wallet: str) -> WalletAmount:
    return WalletAmount(str(item[wallet]), str(item["currency"]), Decimal(str(item["amount"])))


PAYMENT_STATES = Lifecycle(
    resources.PAYMENTS,
    {
        "created": ("compliance_review", "rejected", "cancelled", "failed"),
        "compliance_review": ("processing", "rejected", "cancelled", "failed"),
        "processing": ("released", "rejected", "cancelled", "failed"),
        "released": ("completed",),
        "completed": ("returned",),
    },
    {
        "created": 2.0,
        "compliance_review": COMPLIANCE,
        "processing": 6.0,
        "released": 20.0,
        "completed": 60.0,
    },
    moves,
)
PAYIN_STATES = Lifecycle(
    resources.PAYINS,
    {"received": ("compliance_review", "rejected"), "compliance_review": ("credited", "rejected")},
    {"received": 3.0, "compliance_review": COMPLIANCE},
    lambda payin, status: ledger.posting(_paid(payin, "walletId"), PAYIN_MOVES.get(status)),
)


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
    currency = str(source["currency"])
    forms.require_fitting("amount", asked.amount, currency)
    payment_id = PAYMENT_STATES.create(bank, now, {
        "accountId": str(source["accountId"]),
        "sourceWalletId": asked.source_wallet_id,
        **kind,
        "amount": text(asked.amount, currency),
        "currency": currency,
        "status": "created",
        "reference": asked.reference,
        "updatedAt": iso(now),
    })  # fmt: skip
    return one(resources.PAYMENTS.get(bank.db, payment_id))


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
    return PAYIN_STATES.create(bank, now, {
        "walletId": sent.wallet_id,
        "payInAddressId": address["payInAddressId"],
        "amount": text(sent.amount, currency),
        "currency": currency,
        "status": "received",
        "senderName": sent.sender_name,
        "reference": sent.reference,
    })  # fmt: skip
