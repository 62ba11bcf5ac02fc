"""The history of rates and balances as read from the book: bars, gaps, and the levels of a day.

All times are milliseconds of service time since 1970.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import NewType

from paytui.domain.models import Wallet, WalletId
from paytui.domain.money import EXACT, CurrencyCode, exact_sum, inverse

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


def rate_at(bars: Sequence[Bar], at: Millis) -> Decimal | None:
    """Return the rate of the last sheet before a time; None within a gap.

    The bars, each of a single sheet, come in order of time.
    """
    position = bisect_right(bars, at, key=lambda bar: bar.began)
    bar = bars[position - 1] if position else None
    return bar.last if bar is not None and at - bar.ended <= GAP else None


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


SLICES = tuple(
    Millis(minutes * MINUTE) for minutes in (5, 10, 15, 30, 60, 120, 180, 240, 480, 1_440)
)
"""Lengths of the parts of a day that one level stands for; the shortest that fits is used."""


@dataclass(frozen=True, slots=True)
class DayBalances:
    """The available balances of a day.

    Attributes:
        balances: by wallet, in order of time, from the last one before the day on.
        watches: the periods in which balances were read, in order of time.
    """

    began: Millis = field(default=Millis(0))
    balances: Mapping[WalletId, Sequence[Balance]] = field(default_factory=dict)
    watches: Sequence[Watch] = ()

    @property
    def since(self) -> Millis | None:
        """The first time of the day at which balances were read; None if there is none."""
        return max(self.began, self.watches[0].began) if self.watches else None

    def available(self, wallet_id: WalletId, at: Millis) -> Decimal | None:
        """Return a wallet's available balance at a time; None if it is not known."""
        known = self.balances.get(wallet_id, ())
        position = bisect_right(known, at, key=lambda balance: balance.at)
        return known[position - 1].available if position else None

    def changes(self, wallets: Iterable[Wallet]) -> dict[CurrencyCode, Decimal | None]:
        """Return by currency how available balances changed since `since`; None: not known.

        A wallet that was created since began with nothing. One without a balance does not count.
        """
        since = self.since
        found: dict[CurrencyCode, Decimal | None] = {}
        for wallet in wallets:
            now, currency = wallet.available_balance, wallet.currency
            if now is None or currency is None:
                continue
            before = self._before(wallet, since)
            sum_before = found.get(currency, Decimal(0))
            if before is None or sum_before is None:
                found[currency] = None
            else:
                found[currency] = EXACT.subtract(EXACT.add(sum_before, now), before)
        return found

    def _before(self, wallet: Wallet, since: Millis | None) -> Decimal | None:
        if since is None:
            return None
        known, created_at = self.available(wallet.wallet_id, since), wallet.created_at
        is_new = known is None and created_at is not None and millis(created_at) >= since
        return Decimal(0) if is_new else known

    def levels(
        self, wallets: Collection[WalletId], now: Millis, most: int
    ) -> tuple[Decimal | None, ...]:
        """Return at most `most` sums of balances, at the ends of equal parts of the day so far.

        None stands for a part in which nothing was read: a gap.
        """
        since = self.since
        if since is None or since > now:
            return ()
        began, so_far, before = self.began, now - self.began, since - self.began
        span = next((s for s in SLICES if so_far // s - before // s < most), SLICES[-1])
        found: list[Decimal | None] = []
        for start in range(began + before // span * span, now + 1, span):
            end = min(start + span - 1, now)
            read = [watch for watch in self.watches if watch.began <= end and watch.ended >= start]
            if not read:
                found.append(None)
                continue
            at = Millis(min(end, max(read[-1].ended, start)))
            told = [amount for key in wallets if (amount := self.available(key, at)) is not None]
            found.append(exact_sum(told) if told else None)
        return tuple(found)
