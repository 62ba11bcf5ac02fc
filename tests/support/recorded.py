"""A book with a history of rates, as the market of a sandbox that started at noon makes them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from paytui.book.file import Amounts, BookWriter
from paytui.domain.models import WalletId
from paytui.domain.money import Pair
from paytui.sandbox.context import Market, SandboxOptions, SeededRandom
from paytui.store.store import BookState
from tests.support.clock import NOON
from tests.support.seeded import PAIRS, SHEET_ENDS, SINCE_THE_SHEET, SeededBook

SHEET = timedelta(seconds=150)


def recorded(
    path: Path,
    pairs: Iterable[Pair],
    ended: datetime,
    period: timedelta,
    *,
    every: timedelta = SHEET,
    without: Callable[[datetime], bool] = lambda _: False,
) -> BookState:
    """Write a sheet of these pairs `every` so long up to `ended`, but for times without one."""
    seed = SandboxOptions(client_secret="").seed
    market, chosen = Market(SeededRandom(seed), NOON, 1.0), list(pairs)
    book = BookWriter(path)
    at = ended - period
    while at <= ended:
        if not without(at):
            rates = {pair: market.rate(pair.sell, pair.buy, at) for pair in chosen}
            book.add_rates(f"sheet-{at:%d%H%M%S}", at, rates)
        at += every
    book.close()
    return BookState(path, 1)


def two_days(book: SeededBook, folder: Path, pairs: Iterable[Pair] = PAIRS) -> BookState:
    """Write the rates of the two days before the sheets of a seeded book, but for a night."""
    ended = book.clock.now() - timedelta(seconds=SHEET_ENDS + SINCE_THE_SHEET)

    def is_night(at: datetime) -> bool:
        return at.day == ended.day and at.hour in (2, 3, 4)

    path, every = folder / "demo.book.sqlite", timedelta(minutes=5)
    return recorded(path, pairs, ended, timedelta(days=2), every=every, without=is_night)


def day_of_balances(book: SeededBook, path: Path) -> BookState:
    """Write balances of the day into a book: each wallet's comes to what it is now."""
    rng = random.Random(5)  # noqa: S311 - a picture repeats itself
    now, rows = book.time.latest(), book.store.wallets.rows()
    shares = {row.wallet_id: 0 for row in rows}
    reads: list[dict[WalletId, Amounts]] = []
    for minutes in range(0, 721, 4):  # back in time, from what they are now
        held: dict[WalletId, Amounts] = {}
        for row in rows:
            if row.available_balance is not None:
                shares[row.wallet_id] += rng.choice((0, 0, 0, 2, -1)) if minutes % 40 == 4 else 0
                share = Decimal(shares[row.wallet_id]) / 1000
                moved = (row.available_balance * share).quantize(row.available_balance)
                held[row.wallet_id] = (row.available_balance + moved, Decimal(0), Decimal(0))
        reads.append(held)
    writer = BookWriter(path)
    for age, held in reversed(list(enumerate(reads))):
        writer.add_balances(now - timedelta(minutes=age * 4), held)
    writer.close()
    return BookState(path, 2)
