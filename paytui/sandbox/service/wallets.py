"""Wallets: one currency each, several for an account (service.md §1)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from paytui.sandbox import context
from paytui.sandbox.body_validation import BodyReader
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert
from paytui.sandbox.ledger import text
from paytui.sandbox.messages import JsonObject, conflict, invalid, one
from paytui.sandbox.service.accounts import ACCOUNTS
from paytui.sandbox.service.resources import Resource, equal

WALLETS = Resource(
    table="wallets",
    key="walletId",
    columns=(
        "walletId",
        "accountId",
        "currency",
        "walletName",
        "walletDescription",
        "status",
        "availableBalance",
        "reservedBalance",
        "pendingBalance",
        "createdAt",
        "updatedAt",
    ),
    filters=equal("accountId", "currency", "status"),
)


def create(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /wallets`; a wallet begins as Pending."""
    fields = BodyReader(call.body)
    account_id = fields.text("accountId")
    currency = fields.currency("currency")
    name = fields.optional_text("walletName")
    description = fields.optional_text("walletDescription")
    fields.check()
    if ACCOUNTS.get(bank.db, account_id)["status"] != "registered":
        raise conflict("not_registered", "the account is not registered yet", "accountId")
    wallet_id = bank.new_id("wallet")
    insert(bank.db, "wallets", {
        "walletId": wallet_id,
        "accountId": account_id,
        "currency": currency,
        "walletName": name,
        "walletDescription": description,
        "status": "Pending",
        **empty_balances(currency),
        "createdAt": iso(call.now),
        "updatedAt": iso(call.now),
    })  # fmt: skip
    context.later(bank, "wallet", wallet_id, call.now, context.ACTIVATION)
    return one(WALLETS.get(bank.db, wallet_id))


def require_account(wallet: JsonObject, account_id: str | None) -> None:
    """Raise if a request names another account than its source wallet's."""
    if account_id not in (None, wallet["accountId"]):
        raise invalid("accountId", "must be the account of the wallet that the money leaves")


def empty_balances(currency: str) -> dict[str, str | None]:
    """Return the three balances of a new wallet."""
    zero = text(Decimal(0), currency)
    return {"availableBalance": zero, "reservedBalance": zero, "pendingBalance": zero}


def activate(bank: Bank, wallet_id: str, at: datetime) -> None:
    """Activate a wallet."""
    enter(bank, wallet_id, "Active", at)


def enter(bank: Bank, wallet_id: str, status: str, at: datetime) -> None:
    """Write the state of a wallet."""
    query = "UPDATE wallets SET status = ?, updatedAt = ? WHERE walletId = ?"
    bank.db.execute(query, (status, iso(at), wallet_id))
