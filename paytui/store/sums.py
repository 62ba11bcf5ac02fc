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


class Adder:
    """A sum under way."""

    def __init__(self) -> None:
        self._rows = 0
        self._counts: Counter[CurrencyCode] = Counter()
        self._untold: Counter[CurrencyCode] = Counter()
        self._amounts: defaultdict[CurrencyCode, list[Decimal]] = defaultdict(list)

    def add(self, amount: Decimal | None, currency: CurrencyCode | None, *, rows: int = 1) -> None:
        """Add the amount of a row, or the sum of several rows."""
        self._rows += rows
        if currency:
            self._counts[currency] += rows
            if amount is None:
                self._untold[currency] += rows
            else:
                self._amounts[currency].append(amount)

    def sums(self) -> Sums:
        totals = [
            Total(currency, exact_sum(self._amounts[currency]), rows, self._untold[currency])
            for currency, rows in self._counts.items()
        ]
        totals.sort(key=lambda total: (-total.rows, total.currency))
        return Sums(self._rows, tuple(totals), self._rows - self._counts.total())


def sums_of(kind: Kind, rows: Iterable[object]) -> Sums:
    amount, currency = MONEY[kind]
    adder = Adder()
    for row in rows:
        adder.add(getattr(row, amount), getattr(row, currency))
    return adder.sums()


CREATED = "created_at"


@dataclass(frozen=True, slots=True)
class GroupBy:
    """A column to group by, and the field with its values; times are grouped by day."""

    title: str
    field: str

    def value(self, row: object, day: Callable[[datetime], date]) -> str:
        """Return the value of a row; of a time its day; empty without a value."""
        match getattr(row, self.field):
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
_ACCOUNT = GroupBy("Account", "account_id")

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
        Kind.PAYINS: (_STATUS, _CURRENCY, _DAY, GroupBy("Into", "wallet_id")),
        Kind.WALLETS: (_CURRENCY, _ACCOUNT, _STATUS),
    }
)
"""The columns to group by, of each kind that has money."""


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one value, as the first of them has it; empty without a value."""

    value: str
    sums: Sums


class GroupAdder:
    """Groups under way. Values that differ in case are one group, as for a filter."""

    def __init__(self) -> None:
        self._groups: dict[str, tuple[str, Adder]] = {}

    def add(
        self,
        value: str,
        amount: Decimal | None,
        currency: CurrencyCode | None,
        *,
        rows: int = 1,
    ) -> None:
        """Add the amount of a row, or the sum of several rows of one value."""
        _, adder = self._groups.setdefault(fold(value), (value, Adder()))
        adder.add(amount, currency, rows=rows)

    def groups(self) -> list[Group]:
        return [Group(value, adder.sums()) for value, adder in self._groups.values()]


def groups_of(
    kind: Kind, rows: Iterable[object], by: GroupBy, day: Callable[[datetime], date]
) -> list[Group]:
    """Group rows that have money; `day` returns the day of a time."""
    amount, currency = MONEY[kind]
    adder = GroupAdder()
    for row in rows:
        adder.add(by.value(row, day), getattr(row, amount), getattr(row, currency))
    return adder.groups()
