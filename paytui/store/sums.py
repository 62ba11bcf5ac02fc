"""Sums of the money of a list's rows: by currency, and by the groups of a column.

Amounts are exact, and amounts of different currencies are never added.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from types import MappingProxyType

from paytui.domain.models import Kind
from paytui.domain.money import CurrencyCode
from paytui.store.figures import EXACT

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
        with localcontext(EXACT):
            totals = [
                Total(
                    currency, sum(self._amounts[currency], Decimal(0)), rows, self._untold[currency]
                )
                for currency, rows in self._counts.items()
            ]
        totals.sort(key=lambda total: (-total.rows, total.currency))
        return Sums(self._rows, tuple(totals), self._rows - self._counts.total())


def sums_of(kind: Kind, rows: Iterable[object]) -> Sums:
    """Sum up rows that have money."""
    amount, currency = MONEY[kind]
    adder = Adder()
    for row in rows:
        adder.add(getattr(row, amount), getattr(row, currency))
    return adder.sums()
