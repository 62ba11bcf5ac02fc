"""The past of a demo: what a dashboard would have recorded of its sandbox during the last week."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from threading import Thread

from paytui.book.errors import BookError
from paytui.book.file import Amounts, BookWriter
from paytui.domain.models import WalletId
from paytui.domain.money import Pair
from paytui.sandbox.context import Bank, Market

DAY, WEEK = timedelta(days=1), timedelta(days=7)
STEP, EARLIER_STEP = timedelta(seconds=150), timedelta(minutes=4)
CLOSED = timedelta(days=2.5), timedelta(days=2.2)
"""How long ago the dashboard was closed, and opened again: the history has a gap."""

POTS = ("available", "reserved", "pending")


def record_past(bank: Bank, path: Path, pairs: Sequence[Pair]) -> None:
    """Record the past of a sandbox in a new book, in a thread: it takes about a second."""
    past = _Past(bank, pairs)
    Thread(target=partial(_write, past, path), name="paytui-past", daemon=True).start()


def _write(past: _Past, path: Path) -> None:
    with suppress(BookError), closing(BookWriter(path)) as book:
        for time in past.times():
            book.add_rates(f"past-{time:%d-%H-%M-%S}", time, past.rates(time))
            if past.now - time <= DAY:
                book.add_balances(time, past.balances(time))


class _Past:
    """The rates and balances of a sandbox at earlier times.

    Its database belongs to the calling thread: it is read at once.
    """

    def __init__(self, bank: Bank, pairs: Sequence[Pair]) -> None:
        self.now = bank.clock.now()
        self._market: Market = bank.market
        self._pairs = [
            pair
            for pair in dict.fromkeys((*pairs, *(pair.reverse for pair in pairs)))
            if bank.market.unavailable(pair.sell, pair.buy) is None
        ]
        rows = bank.db.execute(
            "SELECT at, walletId, pot, amount FROM entries WHERE walletId IS NOT NULL ORDER BY at"
        )
        self._entries = iter(
            [
                (datetime.fromisoformat(at), WalletId(key), POTS.index(pot), Decimal(amount))
                for at, key, pot, amount in rows
            ]
        )
        self._next = next(self._entries, None)
        self._held: defaultdict[WalletId, list[Decimal]] = defaultdict(lambda: [Decimal(0)] * 3)

    def times(self) -> Iterator[datetime]:
        """Yield the times of rate sheets, the oldest first."""
        time = self.now - WEEK
        closed, opened = (self.now - ago for ago in CLOSED)
        while time < self.now:
            if not closed < time < opened:
                yield time
            time += STEP if self.now - time <= DAY else EARLIER_STEP

    def rates(self, time: datetime) -> dict[Pair, Decimal]:
        return {pair: self._market.rate(pair.sell, pair.buy, time) for pair in self._pairs}

    def balances(self, time: datetime) -> dict[WalletId, Amounts]:
        """Return the balances at a time that is later than that of the last call."""
        while self._next is not None and self._next[0] <= time:
            _, key, pot, amount = self._next
            self._held[key][pot] += amount
            self._next = next(self._entries, None)
        return {key: (held[0], held[1], held[2]) for key, held in self._held.items()}
