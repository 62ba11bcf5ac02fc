"""Customer accounts: registered at creation, or after identity checks (service.md §1)."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime

from paytui.sandbox import context
from paytui.sandbox.body_validation import BodyReader
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank, Call
from paytui.sandbox.database import insert
from paytui.sandbox.messages import JsonObject, dump, one
from paytui.sandbox.service.resources import MagicReference, Resource, equal

OWN_FIELDS = ("accountId", "kind", "status", "displayName", "createdAt")

INDIVIDUAL_TEXTS = ("birthDate", "email", "middleName", "phoneCountryCode")
CORPORATE_TEXTS = (
    "tradingName",
    "registrationNumber",
    "registrationCountry",
    "email",
    "phoneCountryCode",
)
OBJECTS = ("physicalAddress", "primaryIdentification", "trust")


def _add_request(db: sqlite3.Connection, items: list[JsonObject]) -> None:
    """Add the fields of the creation request to accounts."""
    wanted = json.dumps([item["accountId"] for item in items])
    query = (
        "SELECT accountId, request FROM accounts"
        " WHERE accountId IN (SELECT value FROM json_each(?))"
    )
    requests = dict(db.execute(query, (wanted,)).fetchall())
    for item in items:
        asked = json.loads(requests[item["accountId"]])
        item.update({name: value for name, value in asked.items() if name not in item})


ACCOUNTS = Resource(
    table="accounts",
    key="accountId",
    columns=OWN_FIELDS,
    filters=equal("kind", "status"),
    complete=_add_request,
)


def create_individual(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /account/individual`."""
    fields = BodyReader(call.body)
    names = [fields.text("firstName"), fields.text("lastName")]
    _check_known(fields, INDIVIDUAL_TEXTS)
    return _create(bank, call, "individual", " ".join(names))


def create_corporate(bank: Bank, call: Call) -> JsonObject:
    """Handle `POST /accounts/corporate`."""
    fields = BodyReader(call.body)
    name = fields.text("companyName")
    _check_known(fields, CORPORATE_TEXTS)
    return _create(bank, call, "corporate", name)


def _check_known(fields: BodyReader, texts: tuple[str, ...]) -> None:
    """Check the types of existing fields; service.md §2 does not say which are required."""
    for name in texts:
        fields.optional_text(name)
    for name in OBJECTS:
        if fields.has(name):
            fields.part(name)
    if fields.has("termsAndConditionsAccepted"):
        fields.boolean("termsAndConditionsAccepted")
    fields.check()


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
    status = MagicReference(str(name)).after_compliance("registered")
    if status is not None:
        enter(bank, account_id, status, at)


def enter(bank: Bank, account_id: str, status: str, _at: datetime) -> None:
    """Write the state of an account."""
    query = "UPDATE accounts SET status = ? WHERE accountId = ?"
    bank.db.execute(query, (status, account_id))
