"""Accounts with their wallets, and recipients with their payment addresses (service.md §1, §2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from paytui.sandbox import forms
from paytui.sandbox.context import Bank, Call, iso
from paytui.sandbox.http_messages import JsonObject, conflict, dump, one
from paytui.sandbox.ledger import BALANCE_COLUMN, text
from paytui.sandbox.resources import (
    ACCOUNTS,
    ACTIVATION,
    PAYMENT_ADDRESSES,
    RECIPIENTS,
    WALLETS,
    Lifecycle,
)

ACCOUNT_STATES = Lifecycle(
    ACCOUNTS, {"pending_checks": ("registered", "rejected")}, {"pending_checks": 10.0}
)
WALLET_STATES = Lifecycle(
    WALLETS,
    {
        "Pending": ("Active", "Closed"),
        "Active": ("Suspended", "Closed"),
        "Suspended": ("Active", "Closed"),
    },
    {"Pending": ACTIVATION},
)
RECIPIENT_STATES = Lifecycle(
    RECIPIENTS,
    {"Pending": ("Active", "Rejected"), "Active": ("Rejected",)},
    {"Pending": ACTIVATION},
)
ADDRESS_STATES = replace(RECIPIENT_STATES, resource=PAYMENT_ADDRESSES)


def create_individual_account(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /account/individual`."""
    asked = forms.IndividualAccount.of(call.body)
    return _create(bank, call, "individual", f"{asked.first_name} {asked.last_name}")


def create_corporate_account(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /accounts/corporate`."""
    return _create(bank, call, "corporate", forms.CorporateAccount.of(call.body).company_name)


def _create(bank: Bank, call: Call, kind: str, name: str) -> JsonObject:
    is_trusted = bank.options.accounts == "trusted"
    account_id = ACCOUNT_STATES.create(bank, call.now, {
        "kind": kind,
        "status": "registered" if is_trusted else "pending_checks",
        "displayName": name,
        "request": dump(call.body),
    })  # fmt: skip
    return one(ACCOUNTS.get(bank.db, account_id))


def create_wallet(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /wallets`; a wallet begins as Pending."""
    asked = forms.Wallet.of(call.body)
    if ACCOUNTS.get(bank.db, asked.account_id)["status"] != "registered":
        raise conflict("not_registered", "the account is not registered yet", "accountId")
    wallet_id = WALLET_STATES.create(bank, call.now, {
        **asked.model_dump(by_alias=True),
        "status": "Pending",
        **empty_balances(asked.currency),
        "updatedAt": iso(call.now),
    })  # fmt: skip
    return one(WALLETS.get(bank.db, wallet_id))


def empty_balances(currency: str) -> dict[str, str | None]:
    return dict.fromkeys(BALANCE_COLUMN.values(), text(Decimal(0), currency))


def create_recipient(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /recipients`, with at least one payment address."""
    asked = forms.Recipient.of(call.body)
    if asked.recipient_type == "business":
        asked.require("company_name")
        others: dict[str, str | None] = {"firstName": None, "lastName": None}
    else:
        asked.require("first_name", "last_name")
        others = {"companyName": None}
    ACCOUNTS.get(bank.db, asked.account_id)
    recipient_id = RECIPIENT_STATES.create(bank, call.now, {
        **asked.model_dump(by_alias=True, exclude={"payment_addresses"}),
        **others,
        "status": "Pending",
    })  # fmt: skip
    added = [_add_address(bank, recipient_id, one, call.now) for one in asked.payment_addresses]
    return one({**RECIPIENTS.get(bank.db, recipient_id), "paymentAddressId": added[0]})


def create_payment_address(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /recipients/{recipientId}/payment-addresses`."""
    recipient_id = call.params["recipientId"]
    RECIPIENTS.get(bank.db, recipient_id)
    address_id = _add_address(bank, recipient_id, forms.Address.of(call.body), call.now)
    return one(PAYMENT_ADDRESSES.get(bank.db, address_id))


def list_addresses(bank: Bank, call: Call) -> JsonObject:
    """Handle `GET /recipients/{recipientId}/payment-addresses`."""
    RECIPIENTS.get(bank.db, call.params["recipientId"])
    return PAYMENT_ADDRESSES.page(bank, call.params, call.query)


def _add_address(bank: Bank, recipient_id: str, asked: forms.Address, now: datetime) -> str:
    bank_information = asked.bank_information.model_dump(by_alias=True, exclude_none=True)
    return ADDRESS_STATES.create(bank, now, {
        "recipientId": recipient_id,
        **asked.model_dump(by_alias=True, exclude={"bank_information"}),
        "bankInformation": dump(bank_information),
        "status": "Pending",
    })  # fmt: skip
