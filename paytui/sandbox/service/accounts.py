"""Customer accounts and their wallets (service.md §1)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from paytui.sandbox import context, forms
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert, iso
from paytui.sandbox.http_messages import JsonObject, conflict, dump, one
from paytui.sandbox.ledger import text
from paytui.sandbox.service.resources import ACCOUNTS, WALLETS, after_compliance


def create_individual(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /account/individual`."""
    asked = forms.IndividualAccount.of(call.body)
    return _create(bank, call, "individual", f"{asked.first_name} {asked.last_name}")


def create_corporate(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /accounts/corporate`."""
    return _create(bank, call, "corporate", forms.CorporateAccount.of(call.body).company_name)


def _create(bank: Bank, call: Call, kind: str, name: str) -> JsonObject:
    account_id = bank.new_id("account")
    is_trusted = bank.options.accounts == "trusted"
    insert(bank.db, "accounts", {
        "accountId": account_id,
        "kind": kind,
        "status": "registered" if is_trusted else "pending_checks",
        "displayName": name,
        "request": dump(call.body),
        "createdAt": iso(call.now),
    })  # fmt: skip
    if not is_trusted:
        context.later(bank, "account", account_id, call.now, context.IDENTITY_CHECKS)
    return one(ACCOUNTS.get(bank.db, account_id))


def finish_checks(bank: Bank, account_id: str, at: datetime) -> None:
    """Complete the identity checks; the name replaces a reference, which accounts lack."""
    name = ACCOUNTS.get(bank.db, account_id)["displayName"]
    status = after_compliance(str(name), "registered")
    if status is not None:
        ACCOUNTS.mark(bank, account_id, status, at)


def create_wallet(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /wallets`; a wallet begins as Pending."""
    asked = forms.Wallet.of(call.body)
    if ACCOUNTS.get(bank.db, asked.account_id)["status"] != "registered":
        raise conflict("not_registered", "the account is not registered yet", "accountId")
    wallet_id = bank.new_id("wallet")
    insert(bank.db, "wallets", {
        "walletId": wallet_id,
        **asked.model_dump(by_alias=True),
        "status": "Pending",
        **empty_balances(asked.currency),
        "createdAt": iso(call.now),
        "updatedAt": iso(call.now),
    })  # fmt: skip
    context.later(bank, "wallet", wallet_id, call.now, context.ACTIVATION)
    return one(WALLETS.get(bank.db, wallet_id))


def empty_balances(currency: str) -> dict[str, str | None]:
    zero = text(Decimal(0), currency)
    return {"availableBalance": zero, "reservedBalance": zero, "pendingBalance": zero}
