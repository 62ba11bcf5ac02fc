"""Recipients and their payment addresses (service.md §2, "Recipient and payment address")."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from paytui.sandbox import context
from paytui.sandbox.body_validation import BodyReader
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert
from paytui.sandbox.messages import Json, JsonObject, dump, invalid, one
from paytui.sandbox.service.accounts import ACCOUNTS
from paytui.sandbox.service.resources import Resource, equal, require_status

ACCOUNT_TYPES = ("cacc", "svgs", "oth")
RECIPIENT_TYPES = ("individual", "business")
MOST_ADDRESSES = 20

BANK_FIELDS = (
    "bankName",
    "bankAddressLine1",
    "bankAddressLine2",
    "locality",
    "region",
    "postalCode",
    "country",
)

ADDRESS_TEXTS = ("country", "accountName", "accountNumber", "iban", "bic", "routingCode")

ADDRESSES = Resource(
    table="payment_addresses",
    key="paymentAddressId",
    columns=(
        "paymentAddressId",
        "recipientId",
        "currency",
        "country",
        "accountType",
        "accountName",
        "accountNumber",
        "iban",
        "bic",
        "routingCode",
        "status",
        "bankInformation",
        "createdAt",
    ),
    nested=frozenset({"bankInformation"}),
    filters=equal("recipientId"),
)


def _add_addresses(db: sqlite3.Connection, items: list[JsonObject]) -> None:
    """Add the payment addresses to recipients, in the order of their creation."""
    found: dict[Json, list[Json]] = {item["recipientId"]: [] for item in items}
    for address in ADDRESSES.all_of(db, "recipientId", [*found]):
        found[address["recipientId"]].append(address)
    for item in items:
        item["paymentAddresses"] = found[item["recipientId"]]


RECIPIENTS = Resource(
    table="recipients",
    key="recipientId",
    columns=(
        "recipientId",
        "accountId",
        "recipientType",
        "firstName",
        "lastName",
        "companyName",
        "email",
        "country",
        "status",
        "createdAt",
    ),
    filters=equal("accountId", "status"),
    complete=_add_addresses,
    others=(ADDRESSES.table,),
)


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
    return one(ADDRESSES.get(bank.db, address_id))


def list_addresses(bank: Bank, call: Call) -> JsonObject:
    """Handle `GET /recipients/{recipientId}/payment-addresses`."""
    RECIPIENTS.get(bank.db, call.params["recipientId"])
    return ADDRESSES.page(bank, call.params, call.query)


def require_payable(
    db: sqlite3.Connection, recipient_id: str, address_id: str, currency: str
) -> None:
    """Raise unless this address of this recipient can be paid in a currency now.

    Raises:
        ApiError: 404 for an unknown one, 409 for one that is not Active, 400 for an address of
            another recipient or currency.
    """
    recipient, address = RECIPIENTS.get(db, recipient_id), ADDRESSES.get(db, address_id)
    if address["recipientId"] != recipient_id:
        raise invalid("paymentAddressId", "belongs to another recipient")
    require_status(recipient, "Active", "recipientId")
    require_status(address, "Active", "paymentAddressId")
    if address["currency"] != currency:
        raise invalid("paymentAddressId", f"takes {address['currency']}, not {currency}")


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


def activate(bank: Bank, recipient_id: str, at: datetime) -> None:
    """Activate a recipient."""
    enter(bank, recipient_id, "Active", at)


def enter(bank: Bank, recipient_id: str, status: str, _at: datetime) -> None:
    """Write the state of a recipient."""
    query = "UPDATE recipients SET status = ? WHERE recipientId = ?"
    bank.db.execute(query, (status, recipient_id))


def activate_address(bank: Bank, address_id: str, at: datetime) -> None:
    """Activate a payment address."""
    enter_address(bank, address_id, "Active", at)


def enter_address(bank: Bank, address_id: str, status: str, _at: datetime) -> None:
    """Write the state of a payment address."""
    query = "UPDATE payment_addresses SET status = ? WHERE paymentAddressId = ?"
    bank.db.execute(query, (status, address_id))
