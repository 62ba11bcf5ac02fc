"""The resources of the service: their fields on the wire, their reads, pages, checks and states."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

from paytui.sandbox.context import Bank, insert, iso, later
from paytui.sandbox.http_messages import ApiError, Detail, Json, JsonObject, dump, invalid, unknown
from paytui.sandbox.ledger import Posting, Pot, post

PAGE_SIZE = 100
LARGEST_PAGE = 500
LARGEST_NUMBER = 10**9
UPDATED_SINCE = "updatedSince"


Completion = Callable[[sqlite3.Connection, list[JsonObject]], None]


@dataclass(frozen=True)
class Resource:
    """A kind of object on the wire, and its table.

    Attributes:
        noun: its name in identifiers and in the table of due steps.
        declared: its fields in the order of the answer, with the names of the wire; the first is
            the identifier, in paths too. `?` marks those that an object may lack.
        inner: other columns of its table.
        nested: the columns that hold JSON text.
        merged: a column with a JSON object, whose members the answer has, too.
        filters: query parameter → SQL condition on `:value`.
        complete: adds fields that are not in the row, from the tables `others`.
        marks: returns the columns that change with the state, by identifier, state and time.
    """

    noun: str
    table: str
    declared: str
    inner: str = ""
    nested: frozenset[str] = frozenset()
    merged: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    complete: Completion | None = None
    others: tuple[str, ...] = ()
    marks: Callable[[str, str, str], dict[str, str | None]] = lambda *_: {}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.declared.replace("?", "").split())

    @property
    def key(self) -> str:
        return self.columns[0]

    def definition(self) -> str:
        """Return the SQL that creates its table, in which no balance can be negative."""
        columns = ["seq INTEGER PRIMARY KEY"]
        for word in f"{self.declared} {self.inner} {self.merged}".split():
            name = word.removesuffix("?")
            column = f"{name} TEXT" if name != word else f"{name} TEXT NOT NULL"
            check = f" CHECK ({name} NOT LIKE '-%')" if name.endswith("Balance") else ""
            columns.append(f"{column}{' UNIQUE' if name == self.key else check}")
        return f"CREATE TABLE {self.table} ({', '.join(columns)}) STRICT;"

    @property
    def tables(self) -> tuple[str, ...]:
        return (self.table, *self.others)

    def get(self, db: sqlite3.Connection, identifier: str) -> JsonObject:
        """Return an object; raise 404 if it does not exist."""
        query = f"{self._select()} WHERE {self.key} = ?"
        row = db.execute(query, (identifier,)).fetchone()
        if row is None:
            raise unknown(self.key, identifier)
        return self._items(db, [row])[0]

    def create(self, bank: Bank, now: datetime, row: Mapping[str, str | None]) -> str:
        """Insert an object with a new identifier, and return that."""
        identifier = bank.new_id(self.noun)
        own = {self.key: identifier, "createdAt": iso(now)}
        insert(bank.db, self.table, {**row, **own})
        return identifier

    def mark(self, bank: Bank, identifier: str, status: str, at: datetime) -> None:
        """Write the state of an object without moving money."""
        row = {"status": status, **self.marks(identifier, status, iso(at))}
        changes = ", ".join(f"{name} = :{name}" for name in row)
        query = f"UPDATE {self.table} SET {changes} WHERE {self.key} = :identifier"  # noqa: S608 - our own names
        bank.db.execute(query, {**row, "identifier": identifier})

    def announce(self, bank: Bank, identifier: str, status: str, at: datetime) -> None:
        """Queue the event of a state, if it has one (service.md §2: Event)."""
        kind = f"{self.noun}.{status}"
        has_event = self.noun == "payment" or kind in ("payin.credited", "trade.exchanged")
        if bank.options.webhook is None or not has_event:
            return
        event_id = bank.new_id("event")
        event: JsonObject = {
            "eventId": event_id,
            "eventType": kind,
            "createdAt": iso(at),
            "data": self.get(bank.db, identifier),
        }
        insert(bank.db, "webhooks", {
            "eventId": event_id,
            "eventType": kind,
            "body": dump(event),
            "createdAt": iso(at),
            "nextAt": iso(at),
        })  # fmt: skip

    def all_of(self, db: sqlite3.Connection, column: str, values: list[Json]) -> list[JsonObject]:
        """Return the objects whose column holds one of some values, in the order of creation."""
        chosen = f"{column} IN (SELECT value FROM json_each(?))"  # noqa: S608 - our own names
        query = f"{self._select()} WHERE {chosen} ORDER BY seq"
        return self._items(db, db.execute(query, (dump(values),)).fetchall())

    def page(self, bank: Bank, chosen: Mapping[str, str], query: Mapping[str, str]) -> JsonObject:
        """Return one page, newest first, as service.md, "The dialect", has it.

        The filters are `chosen` by the name of their query parameter; `query` selects the page.
        """
        number = _count(query, "page", 1, LARGEST_NUMBER)
        size = _count(query, "pageSize", PAGE_SIZE, LARGEST_PAGE)
        where, values = self._where(chosen)
        total_query = f"SELECT count(*) FROM {self.table}{where}"  # noqa: S608 - our own names
        (total,) = bank.db.execute(total_query, values).fetchone()
        rows = bank.db.execute(
            f"{self._select()}{where} ORDER BY seq DESC LIMIT :size OFFSET :start",
            {**values, "size": size, "start": (number - 1) * size},
        ).fetchall()
        items: list[Json] = [*self._items(bank.db, rows)]
        return {"items": items, "page": number, "pageSize": size, "total": total}

    def _select(self) -> str:
        return f"SELECT {', '.join((*self.columns, *self.merged.split()))} FROM {self.table}"  # noqa: S608 - our own names

    def _where(self, chosen: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        used = {name: value for name, value in chosen.items() if name in self.filters}
        if UPDATED_SINCE in used:
            used[UPDATED_SINCE] = _moment(UPDATED_SINCE, used[UPDATED_SINCE])
        conditions = [self.filters[name].replace(":value", f":{name}") for name in used]
        return (f" WHERE {' AND '.join(conditions)}" if conditions else ""), used

    def _items(self, db: sqlite3.Connection, rows: list[sqlite3.Row]) -> list[JsonObject]:
        items = [self._item(row) for row in rows]
        if self.complete is not None:
            self.complete(db, items)
        return items

    def _item(self, row: sqlite3.Row) -> JsonObject:
        item: JsonObject = {
            name: json.loads(row[name]) if name in self.nested else row[name]
            for name in self.columns
            if row[name] is not None
        }
        asked = json.loads(row[self.merged]) if self.merged else {}
        return item | {name: value for name, value in asked.items() if name not in item}


def equal(*names: str) -> dict[str, str]:
    """Return filters that compare columns of the same name."""
    return {name: f"{name} = :value" for name in names}


def _moment(name: str, value: str) -> str:
    """Return a time as the columns hold it; without an offset it is in UTC."""
    try:
        moment = datetime.fromisoformat(value)
        return iso(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise invalid(name, "must be an ISO 8601 time, such as 2026-03-02T12:00:00Z") from None


def _count(query: Mapping[str, str], name: str, default: int, most: int) -> int:
    text = query.get(name)
    if text is None:
        return default
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not is_number or not 1 <= int(text) <= most:
        raise invalid(name, f"must be a whole number from 1 to {most}")
    return int(text)


ACCOUNTS = Resource(
    "account",
    "accounts",
    "accountId kind status displayName createdAt",
    merged="request",
    filters=equal("kind", "status"),
)


WALLETS = Resource(
    "wallet",
    "wallets",
    """walletId accountId currency walletName? walletDescription? status availableBalance
        reservedBalance pendingBalance createdAt updatedAt""",
    filters=equal("accountId", "currency", "status"),
    marks=lambda _, __, at: {"updatedAt": at},
)


PAYIN_ADDRESSES = Resource(
    "payin_address",
    "payin_addresses",
    """payInAddressId walletId payInAddressType bsb? bic? accountNumber bankName country
        nppEnabled createdAt""",
    nested=frozenset({"nppEnabled"}),
    filters=equal("walletId"),
)


PAYINS = Resource(
    "payin",
    "payins",
    """payInTransactionId walletId payInAddressId amount currency status senderName? reference?
        createdAt creditedAt?""",
    filters=equal("walletId", "status"),
    marks=lambda _, status, at: {"creditedAt": at if status == "credited" else None},
)


SHEETS = Resource(
    "rate_sheet",
    "rate_sheets",
    "rateSheetId createdAt expiresAt rates unavailable",
    inner="clientId",
    nested=frozenset({"rates", "unavailable"}),
)


TRADES = Resource(
    "trade",
    "trades",
    """tradeTransactionId accountId sellCurrency buyCurrency sellAmount buyAmount dealtSide
        rate rateSheetId? sellWalletId buyWalletId? recipientId? paymentAddressId? status
        reference? createdAt exchangedAt?""",
    filters={
        **equal("accountId", "status"),
        "walletId": "(sellWalletId = :value OR buyWalletId = :value)",
    },
    marks=lambda _, status, at: {"exchangedAt": at if status == "exchanged" else None},
)


PAYMENT_ADDRESSES = Resource(
    "payment_address",
    "payment_addresses",
    """paymentAddressId recipientId currency country? accountType accountName? accountNumber?
        iban? bic? routingCode? status bankInformation createdAt""",
    nested=frozenset({"bankInformation"}),
    filters=equal("recipientId"),
)


def _add_addresses(db: sqlite3.Connection, items: list[JsonObject]) -> None:
    """Add the payment addresses to recipients, in the order of their creation."""
    found: dict[Json, list[Json]] = {item["recipientId"]: [] for item in items}
    for address in PAYMENT_ADDRESSES.all_of(db, "recipientId", [*found]):
        found[address["recipientId"]].append(address)
    for item in items:
        item["paymentAddresses"] = found[item["recipientId"]]


RECIPIENTS = Resource(
    "recipient",
    "recipients",
    """recipientId accountId recipientType firstName? lastName? companyName? email? country?
        status createdAt""",
    filters=equal("accountId", "status"),
    complete=_add_addresses,
    others=(PAYMENT_ADDRESSES.table,),
)


REASONS = {
    "rejected": "refused by the compliance check",
    "failed": "refused by the bank",
    "returned": "sent back by the receiving bank",
}


def payment_marks(payment_id: str, status: str, at: str) -> dict[str, str | None]:
    """Return the columns of a payment in a state.

    From released on there is a reference for bank tracking, 26 characters (service.md §2).
    """
    is_released = status in ("released", "completed", "returned")
    reference = f"E2E{payment_id.replace('-', '')[:23].upper()}"
    return {
        "updatedAt": at,
        "failureReason": REASONS.get(status),
        "endToEndId": reference if is_released else None,
    }


PAYMENTS = Resource(
    "payment",
    "payments",
    """paymentTransactionId paymentType accountId sourceWalletId destinationWalletId?
        recipientId? paymentAddressId? amount currency status reference? endToEndId? createdAt
        updatedAt failureReason?""",
    filters={
        **equal("paymentTransactionId", "accountId", "status"),
        UPDATED_SINCE: "updatedAt >= :value",
        "walletId": "(sourceWalletId = :value OR destinationWalletId = :value)",
    },
    marks=payment_marks,
)


RESOURCES = (
    *(ACCOUNTS, WALLETS, PAYIN_ADDRESSES, PAYINS, SHEETS, TRADES),
    *(PAYMENT_ADDRESSES, RECIPIENTS, PAYMENTS),
)


def require_status(item: JsonObject, status: str, name: str) -> None:
    """Raise 409 unless the object that the request's field `name` names is in a state."""
    if item["status"] != status:
        message = f"is {item['status']}, and must be {status}"
        raise ApiError(409, "not_active", f"{name} {message}", (Detail(name, message),))


def require_account(wallet: JsonObject, account_id: str | None) -> None:
    """Raise if a request names another account than its source wallet's."""
    if account_id not in (None, wallet["accountId"]):
        raise invalid("accountId", "must be the account of the wallet that the money leaves")


def require_payable(
    db: sqlite3.Connection, recipient_id: str, address_id: str, currency: str
) -> None:
    """Raise unless this address of this recipient can be paid in a currency now.

    404 for an unknown one, 409 if one is not Active, 400 for another recipient's or currency's.
    """
    recipient, address = RECIPIENTS.get(db, recipient_id), PAYMENT_ADDRESSES.get(db, address_id)
    if address["recipientId"] != recipient_id:
        raise invalid("paymentAddressId", "belongs to another recipient")
    require_status(recipient, "Active", "recipientId")
    require_status(address, "Active", "paymentAddressId")
    if address["currency"] != currency:
        raise invalid("paymentAddressId", f"takes {address['currency']}, not {currency}")


# States


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The states of one kind of object.

    Attributes:
        follows: the states that may follow each; the next step leads to the first of them.
        stays: mean seconds at speed 1 until the next step from a state; it has none from others.
        moves: returns the posting of an object that enters a state.
    """

    resource: Resource
    follows: Mapping[str, tuple[str, ...]]
    stays: Mapping[str, float]
    moves: Callable[[Mapping[str, object], str], Posting] = lambda *_: ()

    def create(self, bank: Bank, now: datetime, row: Mapping[str, str | None]) -> str:
        """Insert an object, let it enter its first state, and return its identifier."""
        identifier = self.resource.create(bank, now, row)
        self.enter(bank, identifier, str(row["status"]), now)
        return identifier

    def enter(self, bank: Bank, identifier: str, status: str, at: datetime) -> str | None:
        """Move an object to a state, with its money.

        Return the wallet whose available balance rose, if one did. Raise 422 if a wallet holds too
        little.
        """
        posting = self.moves(self.resource.get(bank.db, identifier), status)
        post(bank.db, posting, identifier, iso(at))
        self.resource.mark(bank, identifier, status, at)
        if status in self.stays:
            later(bank, self.resource.noun, identifier, at, self.stays[status])
        self.resource.announce(bank, identifier, status, at)
        risen = (each for each in posting if each.pot is Pot.AVAILABLE and each.amount > 0)
        return next((each.wallet_id for each in risen), None)

    def following(self, item: JsonObject) -> str | None:
        """Return the state after the next step; None if the object stays as it is.

        Parts of a reference have an effect, for demos and tests (service.md §11). Accounts have
        none: their name replaces it.
        """
        reference = str(item.get("displayName") or item.get("reference", ""))
        status = str(item["status"])
        following = next(iter(self.follows.get(status, ())), None)
        if status in ("compliance_review", "pending_checks"):
            if "HALT_AML" in reference:
                return None
            if "FAIL_AML" in reference:
                return "rejected"
        if following in ("released", "exchanged") and "FAIL_BANK" in reference:
            return "failed"
        return None if following == "returned" and "RETURN" not in reference else following


ACTIVATION, COMPLIANCE = 3.0, 6.0  # Mean seconds at speed 1
