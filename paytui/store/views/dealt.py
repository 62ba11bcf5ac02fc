"""The totals sold and bought in a day, by pair, with average rates.

A trade counts from when it was booked, whether it is exchanged yet or not, unless it came to
nothing (rejected, failed, cancelled). Amounts are exact; an average is what was bought in all by
what was sold in all, of those trades that tell both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Context, Decimal

from paytui.domain.models import Trade
from paytui.domain.money import Pair

AVERAGE_DIGITS = 7
"""Significant digits of an average, the last one rounded half-even."""

_EXACT = Context(prec=120)
_CAME_TO_NOTHING = frozenset({"rejected", "failed", "cancelled"})
_DONE = "exchanged"


@dataclass(frozen=True, slots=True)
class Dealt:
    """One pair in the service's direction.

    Attributes:
        sold, bought: what the trades come to that tell both their amounts.
        average: 1 sold = so many bought; None where nothing was sold.
        trades: how many there are.
        open: how many of them are booked and not exchanged yet.
        untold: how many of them lack an amount, so that nothing of them is in the figures.
    """

    pair: Pair
    sold: Decimal
    bought: Decimal
    trades: int
    open: int
    untold: int

    @property
    def average(self) -> Decimal | None:
        """1 sold = so many bought; None where nothing was sold."""
        return ratio(self.bought, self.sold)

    @property
    def turned(self) -> Decimal | None:
        """1 bought = so many sold; None where nothing was bought."""
        return ratio(self.sold, self.bought)


def counts(trade: Trade, since: datetime) -> bool:
    """Return True if a trade was booked since then, and has not come to nothing."""
    came_to_nothing = trade.status is not None and trade.status.name in _CAME_TO_NOTHING
    return trade.created_at is not None and trade.created_at >= since and not came_to_nothing


def dealt(trades: Iterable[Trade]) -> list[Dealt]:
    """Return the totals of the day's trades, in order of the pairs."""
    by_pair: dict[Pair, list[Trade]] = {}
    for trade in trades:
        if trade.sell_currency is None or trade.buy_currency is None:
            continue
        by_pair.setdefault(Pair(trade.sell_currency, trade.buy_currency), []).append(trade)
    return [_dealt(pair, by_pair[pair]) for pair in sorted(by_pair)]


def _dealt(pair: Pair, trades: list[Trade]) -> Dealt:
    sold = bought = Decimal(0)
    told = 0
    for trade in trades:
        if trade.sell_amount is not None and trade.buy_amount is not None:
            sold, bought = _EXACT.add(sold, trade.sell_amount), _EXACT.add(bought, trade.buy_amount)
            told += 1
    done = sum(trade.status is not None and trade.status.name == _DONE for trade in trades)
    return Dealt(pair, sold, bought, len(trades), len(trades) - done, len(trades) - told)


def ratio(of: Decimal, to: Decimal) -> Decimal | None:
    """Return the ratio of two amounts; None if the second is 0."""
    return Context(prec=AVERAGE_DIGITS).divide(of, to) if to else None
