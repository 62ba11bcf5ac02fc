"""An internal error is reported and delays one feed, but no others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from threading import Lock

import pytest

from paytui.domain.models import Kind, PayIn, PayInId, Problem, Record, WalletId
from paytui.store.cache.read import CacheRestore
from paytui.store.cache.write import CacheWriter
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.store.table import Table
from paytui.worker.sync.cache_writer import CacheSync
from tests.support.big_book import PAYMENTS, BigBook, name
from tests.support.clock import ManualClock
from tests.support.scripted import ScriptedService
from tests.support.virtual import at_once
from tests.worker.conftest import Run, still_service
from tests.worker.desk import Desk
from tests.worker.sync.test_rates import AUD_USD


class ClumsyStore(Store):
    """Makes a mistake the next time that it is told of the health of a feed.

    Attributes:
        clumsy: with which feeds.
        told: what was said to be wrong.
    """

    def __init__(self, retain: int | None = None) -> None:
        super().__init__(retain)
        self.clumsy: set[Kind] = set()
        self.told: list[Problem] = []

    def set_feed(self, feed: Feed) -> None:
        if feed.kind in self.clumsy:
            self.clumsy.remove(feed.kind)
            raise ZeroDivisionError
        if feed.problem is not None:
            self.told.append(feed.problem)
        super().set_feed(feed)


@pytest.mark.parametrize(
    ("kind", "attempted"),
    [
        (Kind.TRADES, "read trades"),
        (Kind.PAYINS, "read payins"),
        (Kind.RATE_SHEETS, "lock rates"),
    ],
)
def test_with_what_came_it_is_said_and_mended_and_the_others_go_on(
    run: Run, clock: ManualClock, kind: Kind, attempted: str
) -> None:
    store = ClumsyStore()
    desk = Desk(still_service(clock), clock, store=store)

    async def watch() -> None:
        async with desk.at_work():
            desk.inbox.watch_rates((AUD_USD,))
            await desk.until(lambda: desk.all_ok() and store.feed(Kind.RATE_SHEETS).ok)
            store.clumsy = {kind}
            await desk.until(lambda: not store.clumsy, within=200)
            before = clock.boot()
            await desk.until(lambda: store.feed(kind).problem is not None, within=1)
            await desk.until(lambda: desk.all_ok() and store.feed(kind).ok, within=10)
            await desk.until(lambda: (store.feed(Kind.WALLETS).read_at or 0.0) > before, within=30)

    run(watch())
    [problem] = store.told
    assert (problem.attempted, problem.what) == (
        attempted,
        "unexpected ZeroDivisionError in paytui",
    )


def test_with_what_is_read_one_by_one_it_is_said_and_mended(run: Run, clock: ManualClock) -> None:
    store = ClumsyStore()
    desk = Desk(ScriptedService({}), clock, store=store, tracked={Kind.TRADES: ["t1"]})

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: store.feed(Kind.TRADES).tracked == 1)
            store.told.clear()
            store.clumsy = {Kind.TRADES}
            await desk.until(lambda: not store.clumsy, within=60)
            await desk.wait(60)
            assert store.feed(Kind.TRADES).tracked == 1

    run(watch())
    assert "unexpected ZeroDivisionError in paytui" in {problem.what for problem in store.told}


def test_with_what_somebody_looks_for_it_is_said_and_the_feeds_go_on(
    run: Run, clock: ManualClock
) -> None:
    """What is looked for is too old to be in memory; the pause of the polls is longer than that."""
    store = ClumsyStore(100)
    slowly = dict.fromkeys(Kind, 3_600)
    desk = Desk(BigBook(clock, 600), clock, store=store, intervals=slowly)
    retention = store.retention(Kind.PAYMENTS)
    assert retention is not None

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            table = store.table(Kind.PAYMENTS)
            table.remove([table.key(row) for row in retention.surplus()])
            desk.network.mistakes[PAYMENTS] = ZeroDivisionError()
            desk.inbox.load_row(Kind.PAYMENTS, name(7))
            await desk.until(lambda: store.feed(Kind.PAYMENTS).problem is not None, within=10)
            del desk.network.mistakes[PAYMENTS]
            desk.inbox.refresh()
            await desk.until(lambda: store.feed(Kind.PAYMENTS).ok, within=10)

    run(watch())
    assert [problem.attempted for problem in store.told] == [f"read {name(7)}"]


class ClumsyWriter(CacheWriter):
    """Makes a mistake whatever it is to keep."""

    def keep(self, kind: Kind, rows: Iterable[Record], gone: Iterable[str]) -> None:
        raise ZeroDivisionError(kind, rows, gone)


def test_with_what_is_kept_for_the_next_start_it_is_said_and_the_feeds_go_on(
    run: Run, clock: ManualClock, tmp_path: Path
) -> None:
    path, store = tmp_path / "x.cache.sqlite", ClumsyStore()
    recall = CacheRestore(path, store, clock, 100)
    keeping = CacheSync(
        store, clock, recall, lambda anew: ClumsyWriter(path, anew=anew), in_thread=at_once
    )
    desk = Desk(still_service(clock), clock, store=store, keeping=keeping)

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: bool(store.told))
            before = clock.boot()
            await desk.until(desk.all_ok, within=70)
            await desk.until(lambda: (store.feed(Kind.TRADES).read_at or 0.0) > before, within=30)
        await desk.worker.aclose()

    run(watch())
    assert store.told[0].what == "unexpected ZeroDivisionError in paytui"
    assert store.told[0].attempted.endswith("for the next start")
    assert len(store.told) == 1, "the cache was given up"


class ClumsyTable(Table[PayInId, PayIn]):
    """Makes a mistake with what is in one wallet.

    Attributes:
        clumsy: that wallet.
    """

    clumsy: WalletId | None = None

    def put(self, rows: Iterable[PayIn]) -> None:
        rows = tuple(rows)
        if self.clumsy in {row.wallet_id for row in rows}:
            raise ZeroDivisionError
        super().put(rows)


def test_with_what_is_in_one_wallet_it_is_said_and_the_other_wallets_are_read(
    run: Run, clock: ManualClock
) -> None:
    """The wallet is the first in which there is any deposit."""
    store = ClumsyStore()
    store.payins = table = ClumsyTable(lambda row: row.pay_in_transaction_id, Lock())
    desk = Desk(still_service(clock), clock, store=store)
    everywhere: set[WalletId | None] = set()

    async def watch() -> None:
        nonlocal everywhere
        async with desk.at_work():
            await desk.until(desk.all_ok)
            everywhere = {row.wallet_id for row in table.rows()}
            table.clumsy = min(filter(None, everywhere))
            table.remove(table.keys())
            desk.inbox.refresh()
            await desk.until(lambda: store.feed(Kind.PAYINS).problem is not None)
            await desk.wait(60)

    run(watch())
    assert {row.wallet_id for row in table.rows()} == everywhere - {table.clumsy}
    assert {problem.what for problem in store.told} == {"unexpected ZeroDivisionError in paytui"}
