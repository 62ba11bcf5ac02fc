"""Pay-in addresses, and pay-ins that arrive from outside the API (service.md §1, §2)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from paytui.sandbox import context, forms, ledger, resources
from paytui.sandbox.context import Bank, Call, SeededRandom, insert, iso
from paytui.sandbox.http_messages import JsonObject, conflict, one
from paytui.sandbox.ledger import Posting, WalletAmount, post, text


def create_address(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /payin-addresses`: create an address for one wallet."""
    asked = forms.PayInAddress.of(call.body)
    resources.WALLETS.get(bank.db, asked.wallet_id)
    address_id, kind = bank.new_id("payin_address"), asked.pay_in_address_type
    row = address_row(bank.chance, address_id, asked.wallet_id, kind, iso(call.now))
    insert(bank.db, "payin_addresses", row)
    return one(resources.PAYIN_ADDRESSES.get(bank.db, address_id))


def address_row(
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


def arrive(bank: Bank, sent: forms.BankTransfer, now: datetime) -> str:
    """Receive a transfer, pending until it has passed compliance; return its payInTransactionId.

    Raise 409 if the wallet is not Active or has no pay-in address.
    """
    wallet = resources.WALLETS.get(bank.db, sent.wallet_id)
    resources.require_status(wallet, "Active", "walletId")
    query = "SELECT payInAddressId FROM payin_addresses WHERE walletId = ? ORDER BY seq LIMIT 1"
    address = bank.db.execute(query, (sent.wallet_id,)).fetchone()
    if address is None:
        raise conflict("no_payin_address", "the wallet has no pay-in address", "walletId")
    payin_id, currency = bank.new_id("payin"), str(wallet["currency"])
    insert(bank.db, "payins", {
        "payInTransactionId": payin_id,
        "walletId": sent.wallet_id,
        "payInAddressId": address["payInAddressId"],
        "amount": text(sent.amount, currency),
        "currency": currency,
        "status": "received",
        "senderName": sent.sender_name,
        "reference": sent.reference,
        "createdAt": iso(now),
    })  # fmt: skip
    paid = WalletAmount(sent.wallet_id, currency, sent.amount)
    posting = ledger.posting(paid, ledger.ARRIVE)
    post(bank.db, posting, payin_id, iso(now))
    context.later(bank, "payin", payin_id, now, context.PAY_IN_RECEIPT)
    return payin_id


def progress(bank: Bank, payin_id: str, at: datetime) -> str | None:
    """Move a pay-in to its next state; return the wallet that was credited, if one was."""
    payin = resources.PAYINS.get(bank.db, payin_id)
    if payin["status"] == "received":
        return enter(bank, payin_id, "compliance_review", at)
    status = resources.after_compliance(str(payin.get("reference", "")), "credited")
    return None if status is None else enter(bank, payin_id, status, at)


def enter(bank: Bank, payin_id: str, status: str, at: datetime) -> str | None:
    """Move a pay-in to a state; return the wallet that was credited, if one was."""
    payin = resources.PAYINS.get(bank.db, payin_id)
    wallet_id = str(payin["walletId"])
    paid = WalletAmount(wallet_id, str(payin["currency"]), Decimal(str(payin["amount"])))
    resources.PAYINS.mark(bank, payin_id, status, at)
    post(bank.db, moves(paid, status), payin_id, iso(at))
    if status == "compliance_review":
        context.later(bank, "payin", payin_id, at, context.COMPLIANCE)
    if status != "credited":
        return None
    resources.PAYINS.announce(bank, "payin.credited", payin_id, at)
    return wallet_id


def moves(paid: WalletAmount, status: str) -> Posting:
    """Return the posting of a received pay-in that enters a state."""
    move = {"credited": ledger.CREDIT, "rejected": ledger.SEND_BACK}.get(status)
    return () if move is None else ledger.posting(paid, move)
