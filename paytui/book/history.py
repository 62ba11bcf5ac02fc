"""The history of rates and balances as read from the book: bars, points, and gaps.

All times are milliseconds of service time since 1970.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import NewType

from paytui.domain.money import inverse

Millis = NewType("Millis", int)

SECOND, MINUTE, HOUR, DAY = Millis(1_000), Millis(60_000), Millis(3_600_000), Millis(86_400_000)

GAP = Millis(5 * MINUTE)
"""Time without news from which the history has a gap: two rate sheets last as long."""


def millis(time: datetime) -> Millis:
    return Millis((time - _EPOCH) // timedelta(milliseconds=1))


def moment(time: Millis) -> datetime:
    """Return the UTC time of milliseconds since 1970."""
    return _EPOCH + timedelta(milliseconds=time)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Bar:
    """The rates of one pair over a period without a gap; of a single sheet, all four are equal.

    Attributes:
        began, ended: times of the first and the last sheet.
    """

    began: Millis
    ended: Millis
    first: Decimal
    low: Decimal
    high: Decimal
    last: Decimal

    @classmethod
    def at(cls, time: Millis, rate: Decimal) -> Bar:
        """Return the bar of a single sheet."""
        return cls(time, time, rate, rate, rate, rate)

    def is_cut_from(self, before: Bar) -> bool:
        """Return True if there is a gap between the bar before and this one."""
        return self.began - before.ended > GAP

    def joined(self, after: Bar) -> Bar:
        """Return one bar of this and the next one, which may have begun before this one ended."""
        return Bar(
            self.began,
            max(self.ended, after.ended),
            self.first,
            min(self.low, after.low),
            max(self.high, after.high),
            after.last if after.ended >= self.ended else self.last,
        )

    def inverted(self) -> Bar:
        """Return the bar of the reverse pair, whose rate is the inverse to 7 digits."""
        rates = (inverse(rate) for rate in (self.first, self.high, self.low, self.last))
        first, low, high, last = (Decimal(0) if rate is None else rate for rate in rates)
        return Bar(self.began, self.ended, first, low, high, last)


def thinned(bars: Iterable[Bar], span: Millis) -> list[Bar]:
    """Return one bar for each span of time, and for each part of it between gaps.

    The bars come in order of time. A span begins at a multiple of its length since 1970. First,
    low, high and last rate of each span are kept.
    """
    found: list[Bar] = []
    for bar in bars:
        before = found[-1] if found else None
        is_new = before is None or bar.is_cut_from(before)
        if before is None or is_new or bar.began // span != before.began // span:
            found.append(bar)
        else:
            found[-1] = before.joined(bar)
    return found


def unbroken(bars: Iterable[Bar]) -> list[list[Bar]]:
    """Return the runs of bars between gaps."""
    runs: list[list[Bar]] = []
    for bar in bars:
        if runs and not bar.is_cut_from(runs[-1][-1]):
            runs[-1].append(bar)
        else:
            runs.append([bar])
    return runs


@dataclass(frozen=True, slots=True)
class Balance:
    """The balances of one wallet from a time on; None if the service did not send one."""

    at: Millis
    available: Decimal | None
    reserved: Decimal | None
    pending: Decimal | None


@dataclass(frozen=True, slots=True)
class Watch:
    """A period in which the list of wallets was read again and again, without a gap."""

    began: Millis
    ended: Millis
