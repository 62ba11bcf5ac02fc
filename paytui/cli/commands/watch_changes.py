"""The changes of rows and intents in a store, for `paytui watch`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Generic, TypeVar

from paytui.domain.intent import IntentRow
from paytui.domain.models import (
    Account,
    Kind,
    PayIn,
    Payment,
    PaymentAddress,
    Recipient,
    Record,
    State,
    Trade,
    Wallet,
)
from paytui.domain.money import MISSING, CurrencyCode, format_amount
from paytui.store.store import Store
from paytui.store.table import Table
from paytui.store.views.names import account_title, recipient_title

R = TypeVar("R")
Value = str | Decimal | None

BALANCES = ("available_balance", "reserved_balance", "pending_balance")
WATCHED = MappingProxyType(
    {
        Kind.ACCOUNTS: ("status",),
        Kind.WALLETS: ("status", *BALANCES),
        Kind.PAYINS: ("status",),
        Kind.TRADES: ("status",),
        Kind.RECIPIENTS: ("status",),
        Kind.PAYMENT_ADDRESSES: ("status",),
        Kind.PAYMENTS: ("status",),
    }
)
"""The fields of each kind whose changes are reported."""


class ChangeType(StrEnum):
    """The type of a change."""

    STANDS = "stands"
    """The state when watching began."""
    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    """The service no longer lists it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change, printed on one line.

    Attributes:
        kind: `payment`, `wallet`, `intent`, `list`, `service`.
        key: the identifier, or the name of the list, or the host.
        about: a name for people; empty if the key suffices.
        field: the field that changed: `status`, `available_balance`; empty for the whole object.
        currency: of amounts.
        why: the cause, if known.
    """

    happened: ChangeType
    kind: str
    key: str
    about: str = ""
    field: str = ""
    old: Value = None
    new: Value = None
    currency: CurrencyCode | None = None
    why: str = ""


class ChangedRows(Generic[R]):
    """The rows of a table that changed since the last call, each with its earlier version."""

    def __init__(self, table: Table[str, R]) -> None:
        self._table = table
        self._known: dict[str, R] = {}
        self._seen = 0

    def changes(self) -> Iterator[tuple[R | None, R | None]]:
        """Yield each row before and after; None before a new row, None after a removed one."""
        more = self._table.version != self._seen
        while more:
            changes = self._table.changes(self._seen)
            self._seen, more = changes.version, changes.more
            for row in changes.rows:
                key = self._table.key(row)
                before = self._known.get(key)
                self._known[key] = row
                yield before, row
            for key in changes.gone(self._known):
                if (gone := self._known.pop(key, None)) is not None:
                    yield gone, None


class KindWatch:
    """The changes of the objects of one kind.

    Args:
        store: the store.
        kind: one of `WATCHED`.
        initial: True also reports the first state of each object.
    """

    def __init__(self, store: Store, kind: Kind, *, initial: bool) -> None:
        self._store = store
        self._kind = kind
        self._rows = ChangedRows(store.table(kind))
        self._initial = initial
        self._was_read = False

    def changes(self) -> Iterator[Change]:
        """Yield changes; rows are new only after the list was read whole once."""
        for before, after in self._rows.changes():
            if after is None:
                assert before is not None
                yield self._change(ChangeType.GONE, before)
            elif before is not None:
                yield from self._fields(ChangeType.CHANGED, before, after)
            elif self._was_read:
                yield from self._fields(ChangeType.NEW, None, after)
            elif self._initial:
                yield from self._fields(ChangeType.STANDS, None, after)
        self._was_read = self._store.feed(self._kind).as_of is not None

    def _fields(
        self, happened: ChangeType, before: Record | None, after: Record
    ) -> Iterator[Change]:
        for name in WATCHED[self._kind]:
            old, new = _value(before, name), _value(after, name)
            if old != new:
                yield self._change(happened, after, name, old, new)

    def _change(
        self,
        happened: ChangeType,
        row: Record,
        field: str = "",
        old: Value = None,
        new: Value = None,
    ) -> Change:
        return Change(
            happened=happened,
            kind=noun(self._kind),
            key=self._store.table(self._kind).key(row),
            about=_about(row),
            field=field,
            old=old,
            new=new,
            currency=row.currency if isinstance(row, Wallet) and field in BALANCES else None,
        )


class IntentWatch:
    """The changes of intents: at the first call those that are open, then each change."""

    def __init__(self, store: Store, *, initial: bool) -> None:
        self._rows = ChangedRows[IntentRow](store.intents)  # type: ignore[arg-type]  # its keys are text
        self._initial = initial
        self._was_read = False

    def changes(self) -> Iterator[Change]:
        """Yield changes since the last call."""
        for before, after in self._rows.changes():
            if after is None or (before is not None and before.standing is after.standing):
                continue
            if before is None and not self._was_read:
                if after.standing.open or self._initial:
                    yield _of_intent(ChangeType.STANDS, None, after)
            else:
                happened = ChangeType.NEW if before is None else ChangeType.CHANGED
                yield _of_intent(happened, before, after)
        self._was_read = True


def _of_intent(happened: ChangeType, before: IntentRow | None, after: IntentRow) -> Change:
    return Change(
        happened=happened,
        kind="intent",
        key=after.intent_id,
        about=after.title,
        field="standing",
        old=None if before is None else before.standing,
        new=after.standing,
        why="" if after.problem is None else after.problem.what,
    )


def noun(kind: Kind) -> str:
    """Return the name of one object of a kind: `pay-in`, `payment address`."""
    words = kind.value.replace("_", " ").replace("payin", "pay-in")
    return words.removesuffix("es") if words.endswith("sses") else words.removesuffix("s")


def _value(row: Record | None, name: str) -> Value:
    value: State | Decimal | None = None if row is None else getattr(row, name)
    return value.name.replace("_", " ") if isinstance(value, State) else value


def _about(row: Record) -> str:
    """Return a short name for people; the identifier is printed beside it."""
    about = ""
    match row:
        case Account():
            about = account_title(row)
        case Wallet():
            about = row.wallet_name or ""
        case Recipient():
            about = recipient_title(row)
        case PaymentAddress():
            about = row.iban or row.account_number or ""
        case Payment():
            about = _words(row.payment_type, _amount(row.amount, row.currency))
        case PayIn():
            sender = f"from {row.sender_name}" if row.sender_name else ""
            about = _words(_amount(row.amount, row.currency), sender)
        case Trade():
            about = _trade(row)
    return about


def _trade(row: Trade) -> str:
    sold = _amount(row.sell_amount, row.sell_currency) or row.sell_currency
    bought = _amount(row.buy_amount, row.buy_currency) or row.buy_currency
    return _words(sold, "to", bought) if sold and bought else ""


def _amount(amount: Decimal | None, currency: CurrencyCode | None) -> str:
    if amount is None:
        return ""
    return f"{format_amount(amount, currency or CurrencyCode(MISSING))} {currency or MISSING}"


def _words(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)
