"""Recipients and their payment addresses (service.md §2, "Recipient and payment address")."""

from __future__ import annotations

from datetime import datetime

from paytui.sandbox import context
from paytui.sandbox.body_validation import BodyReader
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert, iso
from paytui.sandbox.http_messages import JsonObject, dump, one
from paytui.sandbox.service.resources import ACCOUNTS, PAYMENT_ADDRESSES, RECIPIENTS, words

ACCOUNT_TYPES = ("cacc", "svgs", "oth")
RECIPIENT_TYPES = ("individual", "business")
MOST_ADDRESSES = 20

BANK_FIELDS = words("""bankName bankAddressLine1 bankAddressLine2 locality region postalCode
    country""")

ADDRESS_TEXTS = ("country", "accountName", "accountNumber", "iban", "bic", "routingCode")


def create(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /recipients`, with at least one payment address."""
    fields = BodyReader(call.body)
    row = _recipient_row(fields)
    addresses = fields.parts("paymentAddresses", MOST_ADDRESSES)
    rows = [_address_row(address) for address in addresses]
    fields.check()
    ACCOUNTS.get(bank.db, str(row["accountId"]))
    recipient_id = bank.new_id("recipient")
    insert(bank.db, "recipients", {
        "recipientId": recipient_id,
        **row,
        "status": "Pending",
        "createdAt": iso(call.now),
    })  # fmt: skip
    context.later(bank, "recipient", recipient_id, call.now, context.ACTIVATION)
    added = [_add_address(bank, recipient_id, address, call.now) for address in rows]
    return one({**RECIPIENTS.get(bank.db, recipient_id), "paymentAddressId": added[0]})


def add_address(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /recipients/{recipientId}/payment-addresses`."""
    recipient_id = call.params["recipientId"]
    RECIPIENTS.get(bank.db, recipient_id)
    fields = BodyReader(call.body)
    row = _address_row(fields)
    fields.check()
    address_id = _add_address(bank, recipient_id, row, call.now)
    return one(PAYMENT_ADDRESSES.get(bank.db, address_id))


def list_addresses(bank: Bank, call: Call) -> JsonObject:
    """Handle `GET /recipients/{recipientId}/payment-addresses`."""
    RECIPIENTS.get(bank.db, call.params["recipientId"])
    return PAYMENT_ADDRESSES.page(bank, call.params, call.query)


def _recipient_row(fields: BodyReader) -> dict[str, str | None]:
    kind = fields.choice("recipientType", RECIPIENT_TYPES)
    is_business = kind == "business"
    return {
        "accountId": fields.text("accountId"),
        "recipientType": kind,
        "firstName": None if is_business else fields.text("firstName"),
        "lastName": None if is_business else fields.text("lastName"),
        "companyName": fields.text("companyName") if is_business else None,
        "email": fields.optional_text("email"),
        "country": fields.optional_text("country"),
    }


def _address_row(fields: BodyReader) -> dict[str, str | None]:
    row: dict[str, str | None] = {
        "currency": fields.currency("currency"),
        "accountType": fields.choice("accountType", ACCOUNT_TYPES),
        **{name: fields.optional_text(name) for name in ADDRESS_TEXTS},
        "bankInformation": dump(_bank_information(fields)),
    }
    if not fields.has("accountNumber") and not fields.has("iban"):
        fields.refuse("accountNumber", "this or iban is required")
    return row


def _bank_information(fields: BodyReader) -> JsonObject:
    if not fields.has("bankInformation"):
        return {"bankName": "Bank of the Sandbox", "locality": "Sydney", "country": "AU"}
    given = fields.part("bankInformation")
    return {name: given.optional_text(name) for name in BANK_FIELDS if given.has(name)}


def _add_address(bank: Bank, recipient_id: str, row: dict[str, str | None], now: datetime) -> str:
    address_id = bank.new_id("payment_address")
    insert(bank.db, "payment_addresses", {
        "paymentAddressId": address_id,
        "recipientId": recipient_id,
        **row,
        "status": "Pending",
        "createdAt": iso(now),
    })  # fmt: skip
    context.later(bank, "payment_address", address_id, now, context.ACTIVATION)
    return address_id
