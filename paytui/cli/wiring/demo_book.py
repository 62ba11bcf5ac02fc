"""The past of a demo: what a dashboard would have recorded of its sandbox during the last week."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from threading import Thread

from paytui.book.file import Amounts, BookError, BookWriter
from paytui.domain.models import WalletId
from paytui.domain.money import CurrencyCode, Pair
from paytui.sandbox.context import Bank, Market

DAY, WEEK = timedelta(days=1), timedelta(days=7)
STEP, EARLIER_STEP = timedelta(seconds=150), timedelta(minutes=4)
CLOSED = timedelta(days=2.5), timedelta(days=2.2)
"""Time since the dashboard was closed, and since it was opened again: a gap of the history."""

POTS = ("available", "reserved", "pending")


def record_past(
    bank: Bank, paths: Sequence[Path], watched: Sequence[Pair], reporting: CurrencyCode
) -> None:
    """Record the past of a sandbox in new books, in a thread: it takes about two seconds.

    The rates of held currencies against the reporting currency are those of the last day.
    """
    past = _Past(bank, watched, reporting)
    Thread(target=partial(_write, past, paths), name="paytui-past", daemon=True).start()


def _write(past: _Past, paths: Sequence[Path]) -> None:
    with suppress(BookError), ExitStack() as stack:
        books = [stack.enter_context(closing(BookWriter(path))) for path in paths]
        for time in past.times():
            rates = past.rates(time)
            balances = past.balances(time) if past.now - time <= DAY else None
            for book in books:
                book.add_rates(f"past-{time:%d-%H-%M-%S}", time, rates)
                if balances is not None:
                    book.add_balances(time, balances)


class _Past:
    """The rates and balances of a sandbox at earlier times.

    Its database belongs to the calling thread: it is read at once.
    """

    def __init__(self, bank: Bank, watched: Sequence[Pair], reporting: CurrencyCode) -> None:
        self.now = bank.clock.now()
        self._market: Market = bank.market
        held = bank.db.execute(
            "SELECT DISTINCT currency FROM wallets WHERE currency <> ?", (reporting,)
        )
        held_pairs = [Pair(CurrencyCode(code), reporting) for [code] in held]
        self._watched = self._priced(watched)
        self._pairs = self._priced((*watched, *held_pairs))
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
        wallets = bank.db.execute("SELECT walletId FROM wallets")
        self._held = {WalletId(key): [Decimal(0)] * 3 for [key] in wallets}

    def _priced(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Return both directions of pairs, without those that have no market."""
        both = dict.fromkeys((*pairs, *(pair.reverse for pair in pairs)))
        return [pair for pair in both if self._market.unavailable(pair.sell, pair.buy) is None]

    def times(self) -> Iterator[datetime]:
        """Yield the times of rate sheets, the oldest first."""
        time = self.now - WEEK
        closed, opened = (self.now - ago for ago in CLOSED)
        while time < self.now:
            if not closed < time < opened:
                yield time
            time += STEP if self.now - time <= DAY else EARLIER_STEP

    def rates(self, time: datetime) -> dict[Pair, Decimal]:
        pairs = self._pairs if self.now - time <= DAY else self._watched
        return {pair: self._market.rate(pair.sell, pair.buy, time) for pair in pairs}

    def balances(self, time: datetime) -> dict[WalletId, Amounts]:
        """Return the balances at a time that is later than that of the last call."""
        while self._next is not None and self._next[0] <= time:
            _, key, pot, amount = self._next
            self._held[key][pot] += amount
            self._next = next(self._entries, None)
        return {key: (held[0], held[1], held[2]) for key, held in self._held.items()}
