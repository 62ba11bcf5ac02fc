"""The reads: the description of each resource, single objects and pages."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank, Handler
from paytui.sandbox.messages import ApiError, Detail, Json, JsonObject, dump, invalid, one, unknown

PAGE_SIZE = 100
LARGEST_PAGE = 500
LARGEST_NUMBER = 10**9
UPDATED_SINCE = "updatedSince"

Completion = Callable[[sqlite3.Connection, list[JsonObject]], None]


def _complete_already(_db: sqlite3.Connection, _items: list[JsonObject]) -> None:
    """Add nothing: most objects consist of their row."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A kind of object on the wire.

    Attributes:
        key: the identifier's field; in paths too.
        columns: its fields in the order of the answer, with the names of the wire.
        nested: the columns that hold JSON text.
        filters: query parameter → SQL condition on `:value`.
        complete: adds fields that are not in the row.
        others: the tables that `complete` reads.
    """

    table: str
    key: str
    columns: tuple[str, ...]
    nested: frozenset[str] = frozenset()
    filters: Mapping[str, str] = field(default_factory=dict)
    complete: Completion = _complete_already
    others: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        """All tables that an answer depends on."""
        return (self.table, *self.others)

    def find(self, db: sqlite3.Connection, identifier: str) -> JsonObject | None:
        """Return an object, or None."""
        query = f"{self._select()} WHERE {self.key} = ?"
        row = db.execute(query, (identifier,)).fetchone()
        return None if row is None else self._items(db, [row])[0]

    def get(self, db: sqlite3.Connection, identifier: str) -> JsonObject:
        """Return an object; raise 404 if it does not exist."""
        item = self.find(db, identifier)
        if item is None:
            raise unknown(self.key, identifier)
        return item

    def all_of(self, db: sqlite3.Connection, column: str, values: list[Json]) -> list[JsonObject]:
        """Return the objects whose column holds one of some values, in the order of creation."""
        chosen = f"{column} IN (SELECT value FROM json_each(?))"  # noqa: S608 - our own names
        query = f"{self._select()} WHERE {chosen} ORDER BY seq"
        return self._items(db, db.execute(query, (dump(values),)).fetchall())

    def read_one(self) -> Handler:
        """Handle the read of one object by the identifier in its path."""
        return lambda bank, call: one(self.get(bank.db, call.params[self.key]))

    def read_page(self) -> Handler:
        """Handle the list: newest first, filtered and paged."""
        return lambda bank, call: self.page(bank, call.query, call.query)

    def page(self, bank: Bank, chosen: Mapping[str, str], query: Mapping[str, str]) -> JsonObject:
        """Return one page: `items`, `page`, `pageSize`, `total` (service.md, "The dialect").

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
        return f"SELECT {', '.join(self.columns)} FROM {self.table}"  # noqa: S608 - our own names

    def _where(self, chosen: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        used = {name: value for name, value in chosen.items() if name in self.filters}
        if UPDATED_SINCE in used:
            used[UPDATED_SINCE] = _moment(UPDATED_SINCE, used[UPDATED_SINCE])
        conditions = [self.filters[name].replace(":value", f":{name}") for name in used]
        return (f" WHERE {' AND '.join(conditions)}" if conditions else ""), used

    def _items(self, db: sqlite3.Connection, rows: list[sqlite3.Row]) -> list[JsonObject]:
        items = [self._item(row) for row in rows]
        self.complete(db, items)
        return items

    def _item(self, row: sqlite3.Row) -> JsonObject:
        """Return the fields of a row that are not null."""
        present = zip(self.columns, row, strict=True)
        return {
            name: json.loads(value) if name in self.nested else value
            for name, value in present
            if value is not None
        }


def equal(*names: str) -> dict[str, str]:
    """Return filters that compare columns of the same name."""
    return {name: f"{name} = :value" for name in names}


def require_status(item: JsonObject, status: str, name: str) -> None:
    """Raise 409 unless the object that the request's field `name` names is in a state."""
    if item["status"] != status:
        message = f"is {item['status']}, and must be {status}"
        raise ApiError(409, "not_active", f"{name} {message}", (Detail(name, message),))


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
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        raise invalid(name, f"must be a whole number from 1 to {most}")
    if not 1 <= int(text) <= most:
        raise invalid(name, f"must be a whole number from 1 to {most}")
    return int(text)


class MagicReference:
    """Magic references of payments, trades and pay-ins, for demos and tests (service.md §11)."""

    def __init__(self, reference: str | None) -> None:
        self._reference = reference or ""

    def after_compliance(self, passed: str) -> str | None:
        """Return the state after compliance_review; None if it stays there."""
        if "HALT_AML" in self._reference:
            return None
        return "rejected" if "FAIL_AML" in self._reference else passed

    @property
    def fails_at_bank(self) -> bool:
        return "FAIL_BANK" in self._reference

    @property
    def comes_back(self) -> bool:
        return "RETURN" in self._reference
