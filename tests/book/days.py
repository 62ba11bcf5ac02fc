"""Days of rates and balances in a book: `python -m tests.book.days [--days 90] [--pairs 10]`."""

from __future__ import annotations

import gc
import random
import resource
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import click

from paytui.book.file import Amounts, BookReader, BookWriter
from paytui.book.history import millis
from paytui.domain.models import WalletId
from paytui.domain.money import CurrencyCode, Pair

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
SHEET = timedelta(seconds=150)  # A sheet's life, and so the time between two (api.md §8)
SHEETS_A_DAY = 576


def directions(pairs: int) -> list[Pair]:
    """Return the two directions of some pairs."""
    codes = [CurrencyCode(code) for code in ("AUD", "EUR", "GBP", "NZD", "USD", "CAD", "JPY")]
    both = [Pair(sell, buy) for sell in codes for buy in codes if sell < buy]
    return [one for pair in both[:pairs] for one in (pair, pair.reverse)]


@dataclass
class Days:
    """A book in which each pair is a random walk, and each of 24 wallets changes once an hour."""

    book: BookWriter
    pairs: list[Pair]
    day: int = 0

    def __post_init__(self) -> None:
        self._rng = random.Random(7)  # noqa: S311 - a run repeats itself
        self._rates = {pair: Decimal(self._rng.randrange(5 * 10**5, 10**6)) for pair in self.pairs}
        self._held: dict[WalletId, Amounts] = {}

    @property
    def now(self) -> datetime:
        return BEGIN + timedelta(days=self.day)

    def pass_day(self) -> None:
        """Record a day, thin what is due, and return."""
        for number in range(SHEETS_A_DAY):
            now = self.now + number * SHEET
            for pair in self.pairs:
                self._rates[pair] += self._rng.randrange(-50, 51)
            rates = {pair: rate.scaleb(-6) for pair, rate in self._rates.items()}
            self.book.add_rates(f"sheet-{self.day:04}-{number:04}-0000-000000000000", now, rates)
            wallet = WalletId(f"wallet-{number % 24}-0000-0000-0000-000000000000")
            self._held[wallet] = (Decimal(number), Decimal(0), None)
            self.book.add_balances(now, self._held)
        self.day += 1
        while self.book.thin(self.now):
            pass


def size(path: Path) -> int:
    """Return the bytes of a book and the files beside it."""
    return sum(file.stat().st_size for file in path.parent.iterdir())


@click.command()
@click.option("--days", default=90)
@click.option("--pairs", default=10, help="Each has two directions.")
def main(days: int, pairs: int) -> None:
    """Record days, and print the size of the file, the memory in use and the time to read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state" / "x.book.sqlite"
        with closing(BookWriter(path)) as book:
            running = Days(book, directions(pairs))
            click.echo("day       MB    RSS MB  day chart ms  month chart ms  open ms")
            for day in range(1, days + 1):
                running.pass_day()
                if day in (1, 3, 7) or not day % 30 or day == days:
                    click.echo(_line(running, path))


def _line(running: Days, path: Path) -> str:
    gc.collect()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    with closing(BookReader(path)) as reader:
        opened = time.perf_counter()
        reader.rates(running.pairs[:2], millis(running.now - timedelta(days=1)))
        read_day = time.perf_counter()
        reader.rates(running.pairs[:2], millis(running.now - timedelta(days=30)))
        read_month = time.perf_counter()
    times = (read_day - opened, read_month - read_day, opened - start)
    shown = "  ".join(f"{1000 * each:10.1f}" for each in times)
    return f"{running.day:3}  {size(path) / 1e6:7.2f}  {memory:8.1f}  {shown}"


if __name__ == "__main__":
    main()
