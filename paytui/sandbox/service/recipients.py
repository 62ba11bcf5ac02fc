"""Recipients and their payment addresses (service.md §2, "Recipient and payment address")."""

from __future__ import annotations

from datetime import datetime

from paytui.sandbox import context, forms
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert, iso
from paytui.sandbox.http_messages import JsonObject, dump, one
from paytui.sandbox.service.resources import ACCOUNTS, PAYMENT_ADDRESSES, RECIPIENTS


def create(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /recipients`, with at least one payment address."""
    asked = forms.Recipient.of(call.body)
    if asked.recipient_type == "business":
        asked.require("company_name")
        others: dict[str, str | None] = {"firstName": None, "lastName": None}
    else:
        asked.require("first_name", "last_name")
        others = {"companyName": None}
    ACCOUNTS.get(bank.db, asked.account_id)
    recipient_id = bank.new_id("recipient")
    insert(bank.db, "recipients", {
        "recipientId": recipient_id,
        **asked.model_dump(by_alias=True, exclude={"payment_addresses"}),
        **others,
        "status": "Pending",
        "createdAt": iso(call.now),
    })  # fmt: skip
    context.later(bank, "recipient", recipient_id, call.now, context.ACTIVATION)
    added = [_add_address(bank, recipient_id, one, call.now) for one in asked.payment_addresses]
    return one({**RECIPIENTS.get(bank.db, recipient_id), "paymentAddressId": added[0]})


def add_address(bank: Bank, call: Call) -> JsonObject:
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
    address_id = bank.new_id("payment_address")
    bank_information = asked.bank_information.model_dump(by_alias=True, exclude_none=True)
    insert(bank.db, "payment_addresses", {
        "paymentAddressId": address_id,
        "recipientId": recipient_id,
        **asked.model_dump(by_alias=True, exclude={"bank_information"}),
        "bankInformation": dump(bank_information),
        "status": "Pending",
        "createdAt": iso(now),
    })  # fmt: skip
    context.later(bank, "payment_address", address_id, now, context.ACTIVATION)
    return address_id
