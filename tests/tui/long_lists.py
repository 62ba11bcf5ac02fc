"""Lists that exceed memory: their rows, their cache, and readers that wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from random import Random
from threading import Event

from textual.pilot import Pilot

from paytui.domain.models import Kind, Payment, Recipient, RecipientId, Record, State, WalletId
from paytui.domain.money import CurrencyCode
from paytui.store.cache.list_query import Anchor, ListQuery, Window
from paytui.store.cache.list_reader import COUNTED_AT_ONCE, ListReader
from paytui.store.cache.write import CacheWriter
from paytui.store.filter import TimeContext
from paytui.store.store import CacheFile, CacheState, Store
from paytui.tui.store_bridge import WindowReader
from paytui.tui.table.query_list import QueryList
from tests.tui.book import account, payment, read, wallet
from tests.tui.dashboard import Dashboard, lines, until

IN_MEMORY = 20


def a_payment(random: Random, number: int) -> Payment:
    """Return a payment with many ties and a few fields without a value."""
    row = payment(number, str(random.randrange(1, 999)), minutes_ago=random.randrange(90))
    return replace(
        row,
        currency=random.choice((CurrencyCode("AUD"), CurrencyCode("EUR"), None)),
        amount=random.choice((row.amount, row.amount, Decimal(500), None)),
        payment_type=random.choice(("payout", "transfer")),
        reference=random.choice((row.reference, "acme", "Acme rent", None)),
        source_wallet_id=random.choice((WalletId("wal-1"), WalletId("wal-2"), None)),
        recipient_id=random.choice((RecipientId("rec-1"), RecipientId("rec-9"), None)),
    )


def a_book(random: Random, count: int) -> list[Payment]:
    return [a_payment(random, number) for number in range(count)]


def many(count: int) -> list[Payment]:
    """Settled payments, the newest first."""
    done = State("completed", final=True)
    return [replace(payment(n, "1", minutes_ago=n), status=done) for n in range(count)]


def dashboard(rows: list[Payment], *, retain: int | None = None) -> Dashboard:
    ui = Dashboard(store=Store(retain))
    ui.store.accounts.put([account(1, "Copperfern")])
    ui.store.wallets.put([wallet(1, "AUD desk", "10"), wallet(2, "EUR desk", "20")])
    ui.store.recipients.put([Recipient(RecipientId("rec-1"), company_name="Dagny Ltd")])
    ui.store.payments.put(rows[-retain:] if retain else rows)
    read(ui.store, ui.clock)
    feed = ui.store.feed(Kind.PAYMENTS)
    ui.store.set_feed(replace(feed, total=len(rows)))
    if (retention := ui.store.retention(Kind.PAYMENTS)) is not None:
        retention.resume()
    return ui


class Cached:
    """A dashboard with a few rows in memory, and all of them in a cache."""

    def __init__(self, path: Path, rows: list[Payment], *, counted_at_once: int) -> None:
        self.ui = dashboard(rows, retain=IN_MEMORY)
        self.file = CacheFile(path, 1)
        self._writer = CacheWriter(path)
        self._writes = 0
        for kind in (Kind.ACCOUNTS, Kind.WALLETS, Kind.RECIPIENTS):
            self._writer.keep(kind, self.ui.store.table(kind).rows(), [])
        self.keep(rows)
        self.ui.lists = WindowReader(partial(ListReader, counted_at_once=counted_at_once))

    def keep(
        self,
        rows: Sequence[Record],
        gone: tuple[str, ...] = (),
        kind: Kind = Kind.PAYMENTS,
    ) -> None:
        self._writer.keep(kind, rows, gone)
        self._writes += 1
        self.ui.store.cache = CacheState(self.file, self._writes, frozenset(Kind))
        self.ui.store.notify()

    def open_other(self, path: Path, rows: Sequence[Payment]) -> None:
        """Go on with another file that has these payments."""
        self._writer.close()
        self._writer = CacheWriter(path)
        self.file = CacheFile(path, 2)
        self.keep(rows)

    def close(self) -> None:
        self._writer.close()


@contextmanager
def cached(
    path: Path, rows: list[Payment], *, counted_at_once: int = COUNTED_AT_ONCE
) -> Iterator[Cached]:
    found = Cached(path / "book.cache.sqlite", rows, counted_at_once=counted_at_once)
    try:
        yield found
    finally:
        found.close()


def slow_reader(may_go_on: Event, *, counts_alone: bool = False) -> type[ListReader]:
    """Return a reader that waits for an event before it reads, or only before it counts rows."""

    class SlowReader(ListReader):
        def window(
            self,
            query: ListQuery,
            when: TimeContext,
            anchor: Anchor,
            reach: int,
            held: Window | None = None,
        ) -> Window:
            if held is not None or not counts_alone:
                may_go_on.wait()
            return super().window(query, when, anchor, reach, held)

        def glance(self, query: ListQuery, when: TimeContext, most: int) -> tuple[Record, ...]:
            if not counts_alone:
                may_go_on.wait()
            return super().glance(query, when, most)

    return SlowReader


async def settled(pilot: Pilot[None]) -> None:
    """Wait until no read is under way."""
    ledger = pilot.app.screen.query_one(QueryList)
    await pilot.pause()
    await until(pilot, lambda: not ledger._is_reading and not ledger.is_filtering)
    await until(pilot, lambda: " · " in lines(pilot)[-2] or not len(ledger))  # the sums
    await pilot.pause()


def reference_at_cursor(pilot: Pilot[None]) -> str | None:
    row = pilot.app.screen.query_one(QueryList).selected
    assert isinstance(row, Payment)
    return row.reference
