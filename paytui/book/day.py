"""The balances of one day as the book knows them: changes, and levels for a sparkline."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from paytui.book.history import MINUTE, Balance, Millis, Watch, millis
from paytui.domain.models import Wallet, WalletId
from paytui.domain.money import EXACT, CurrencyCode, exact_sum

SLICES = tuple(
    Millis(minutes * MINUTE) for minutes in (5, 10, 15, 30, 60, 120, 180, 240, 480, 1_440)
)
"""Lengths of the parts of a day that one level stands for; the shortest that fits is used."""


@dataclass(frozen=True, slots=True)
class DayBalances:
    """The available balances of a day.

    Attributes:
        began: the start of the day.
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
