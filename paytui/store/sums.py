"""Sums of the money of a list's rows: by currency, and by the groups of a column.

Amounts are exact, and amounts of different currencies are never added.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from paytui.domain.models import Kind, State
from paytui.domain.money import CurrencyCode, exact_sum
from paytui.platform.text import fold

MONEY: Mapping[object, tuple[str, str]] = MappingProxyType(
    {
        Kind.PAYMENTS: ("amount", "currency"),
        Kind.TRADES: ("sell_amount", "sell_currency"),
        Kind.PAYINS: ("amount", "currency"),
        Kind.WALLETS: ("available_balance", "currency"),
    }
)
"""The fields with the amount and the currency that are summed, of each kind that has any."""


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of the rows of one currency.

    Attributes:
        untold: how many of the rows lack an amount and are missing in the sum.
    """

    currency: CurrencyCode
    amount: Decimal
    rows: int
    untold: int = 0


@dataclass(frozen=True, slots=True)
class Sums:
    """The totals of some rows.

    Attributes:
        rows: number of all rows.
        totals: the currencies with most rows first.
        no_currency: how many rows have no currency and are in no total.
    """

    rows: int
    totals: tuple[Total, ...]
    no_currency: int

    @property
    def untold(self) -> int:
        """The number of rows without an amount or a currency."""
        return self.no_currency + sum(total.untold for total in self.totals)


NOTHING = Sums(0, (), 0)


Entry = tuple[Decimal | None, CurrencyCode | None, int]
"""The amount of a row, or of several rows, its currency, and how many rows have it."""


def entry_of(kind: Kind, row: object) -> Entry:
    amount, currency = MONEY[kind]
    return getattr(row, amount), getattr(row, currency), 1


def summed(entries: Iterable[Entry]) -> Sums:
    all_rows = 0
    counts: Counter[CurrencyCode] = Counter()
    untold: Counter[CurrencyCode] = Counter()
    amounts: defaultdict[CurrencyCode, list[Decimal]] = defaultdict(list)
    for amount, currency, rows in entries:
        all_rows += rows
        if currency:
            counts[currency] += rows
            if amount is None:
                untold[currency] += rows
            else:
                amounts[currency].append(amount)
    totals = [
        Total(currency, exact_sum(amounts[currency]), rows, untold[currency])
        for currency, rows in counts.items()
    ]
    totals.sort(key=lambda total: (-total.rows, total.currency))
    return Sums(all_rows, tuple(totals), all_rows - counts.total())


def sums_of(kind: Kind, rows: Iterable[object]) -> Sums:
    return summed(entry_of(kind, row) for row in rows)


CREATED = "created_at"
ACCOUNT = "account_id"
"""The field with the own account of a row; pay-ins have none."""

AccountOf = Callable[[Any], str | None]
"""Returns the account of a row as its column shows it, which may be that of its wallet."""


@dataclass(frozen=True, slots=True)
class GroupBy:
    """A column to group by, and the field with its values; times are grouped by day."""

    title: str
    field: str

    def value(self, row: object, day: Callable[[datetime], date], account_of: AccountOf) -> str:
        """Return the value of a row; of a time its day; empty without a value."""
        match account_of(row) if self.field == ACCOUNT else getattr(row, self.field):
            case None:
                return ""
            case State(name=name):
                return name
            case datetime() as moment:
                return day(moment).isoformat()
            case value:
                return str(value)


_DAY = GroupBy("Day", CREATED)
_STATUS, _CURRENCY = GroupBy("Status", "status"), GroupBy("Currency", "currency")
_ACCOUNT = GroupBy("Account", ACCOUNT)

GROUPS: Mapping[object, tuple[GroupBy, ...]] = MappingProxyType(
    {
        Kind.PAYMENTS: (
            _STATUS,
            _CURRENCY,
            _DAY,
            _ACCOUNT,
            GroupBy("From", "source_wallet_id"),
            GroupBy("Recipient", "recipient_id"),
            GroupBy("To wallet", "destination_wallet_id"),
            GroupBy("Type", "payment_type"),
        ),
        Kind.TRADES: (
            _STATUS,
            GroupBy("Sold", "sell_currency"),
            GroupBy("Bought", "buy_currency"),
            _DAY,
            _ACCOUNT,
            GroupBy("From", "sell_wallet_id"),
            GroupBy("Recipient", "recipient_id"),
            GroupBy("To wallet", "buy_wallet_id"),
        ),
        Kind.PAYINS: (_STATUS, _CURRENCY, _DAY, _ACCOUNT, GroupBy("Into", "wallet_id")),
        Kind.WALLETS: (_CURRENCY, _ACCOUNT, _STATUS),
    }
)
"""The columns to group by, of each kind that has money."""


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one value, as the first of them has it; empty without a value."""

    value: str
    sums: Sums


def grouped(entries: Iterable[tuple[str, Entry]]) -> list[Group]:
    """Sum entries by value. Values that differ in case are one group, as for a filter."""
    found: dict[str, tuple[str, list[Entry]]] = {}
    for value, entry in entries:
        found.setdefault(fold(value), (value, []))[1].append(entry)
    return [Group(value, summed(each)) for value, each in found.values()]


def groups_of(
    kind: Kind,
    rows: Iterable[object],
    by: GroupBy,
    day: Callable[[datetime], date],
    account_of: AccountOf,
) -> list[Group]:
    """Group rows that have money; `day` returns the day of a time."""
    return grouped((by.value(row, day, account_of), entry_of(kind, row)) for row in rows)
