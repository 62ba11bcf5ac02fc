"""Rows are cached for the next start, and cached rows are read again first."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from starlette.applications import Starlette

from paytui.api.resources import identifier_of
from paytui.domain.models import Kind, WalletId
from paytui.store.cache.read import CacheReader, CacheRestore
from paytui.store.cache.write import CacheWriter
from paytui.store.store import Store
from paytui.worker.sync.cache_writer import AGES_EVERY, CacheSync
from tests.support.clock import ManualClock
from tests.support.virtual import at_once
from tests.worker.conftest import Run
from tests.worker.desk import Desk

KEPT = (Kind.ACCOUNTS, Kind.WALLETS, Kind.RECIPIENTS, Kind.TRADES, Kind.PAYMENTS, Kind.PAYINS)
GHOST = WalletId("wal-ghost")


@dataclass
class Runs:
    """Consecutive runs of the dashboard, on one service and one cache."""

    service: Starlette
    clock: ManualClock
    path: Path
    open_writer: Callable[[Path, bool], CacheWriter] = field(
        default=lambda path, anew: CacheWriter(path, anew=anew)
    )

    def next(self) -> Desk:
        """A run that has brought back what its first paint shows."""
        store = Store()
        recall = CacheRestore(self.path, store, self.clock, 1_000)
        recall.at_once()
        keeping = CacheSync(
            store,
            self.clock,
            recall,
            lambda anew: self.open_writer(self.path, anew),
            in_thread=at_once,
        )
        return Desk(self.service, self.clock, store=store, keeping=keeping)


@pytest.fixture
def runs(service: Starlette, clock: ManualClock, tmp_path: Path) -> Runs:
    return Runs(service, clock, tmp_path / "paytui" / "x.cache.sqlite")


async def worked(desk: Desk, seconds: float = 30) -> None:
    """A run from its start to its end, in which all was read."""
    async with desk.at_work():
        await desk.until(desk.all_ok)
        await desk.wait(seconds)
    await desk.worker.aclose()


def private_payments(desk: Desk) -> set[str]:
    """Return the payments in the file that a run writes because another one has the cache."""
    assert desk.store.cache is not None
    reader = CacheReader(desk.store.cache.file.path)
    rows = [row for part in reader.records(Kind.PAYMENTS, None) for row in part]
    reader.close()
    return {str(identifier_of(row)) for row in rows}


@pytest.mark.slow
def test_the_next_run_knows_what_the_last_one_read(runs: Runs, run: Run) -> None:
    first = runs.next()
    run(worked(first))
    second = runs.next()
    assert set(second.store.wallets.rows()) == set(first.store.wallets.rows())
    assert second.store.feed(Kind.WALLETS).cached


def test_all_of_it_comes_back_while_the_service_cannot_be_reached(runs: Runs, run: Run) -> None:
    first = runs.next()
    run(worked(first))

    async def scenario() -> None:
        second = runs.next()
        second.network.app = None
        async with second.at_work():
            await second.until(lambda: second.store.feed(Kind.PAYMENTS).problem is not None)
            await second.wait(60)
            for kind in KEPT:
                assert second.store.table(kind).keys() == first.store.table(kind).keys()
                assert second.store.feed(kind).cached
            assert second.store.payment_addresses.rows() == []

    run(scenario())


def test_what_a_poll_confirms_is_no_longer_marked_and_what_is_gone_leaves(
    runs: Runs, run: Run
) -> None:
    first = runs.next()
    run(worked(first))
    writer = CacheWriter(runs.path)
    [wallet, *_] = first.store.wallets.rows()
    writer.keep(Kind.WALLETS, [replace(wallet, wallet_id=GHOST)], [])
    writer.close()

    async def scenario() -> None:
        second = runs.next()
        assert second.store.wallets.get(GHOST) is not None
        async with second.at_work():
            await second.until(second.all_ok)
            for kind in KEPT:
                assert not second.store.feed(kind).cached
                assert second.store.table(kind).unconfirmed() == set()
            assert second.store.wallets.keys() == first.store.wallets.keys()
        await second.worker.aclose()

    run(scenario())
    assert runs.next().store.wallets.keys() == first.store.wallets.keys()


@pytest.mark.slow
def test_the_age_is_that_of_the_newest_read_and_not_of_the_newest_change(
    runs: Runs, run: Run
) -> None:
    first = runs.next()
    run(worked(first, seconds=600))
    runs.clock.advance(840)
    feed = runs.next().store.feed(Kind.WALLETS)
    assert feed.read_at is not None
    age = runs.clock.boot() - feed.read_at
    assert 840 <= age <= 840 + 10


def test_a_run_that_was_killed_left_what_it_read_a_moment_before(runs: Runs, run: Run) -> None:
    async def killed() -> None:
        first = runs.next()
        async with first.at_work():
            await first.until(first.all_ok)
            await first.wait(AGES_EVERY + 10)

    run(killed())
    assert runs.next().store.feed(Kind.WALLETS).cached


def test_a_second_run_at_the_same_time_reads_the_cache_and_works(runs: Runs, run: Run) -> None:
    async def scenario() -> None:
        first = runs.next()
        async with first.at_work():
            await first.until(first.all_ok)
            await first.wait(10)
            second = runs.next()
            assert second.store.wallets.keys() == first.store.wallets.keys()
            second.network.app = None
            async with second.at_work():
                await second.until(lambda: second.store.feed(Kind.PAYMENTS).problem is not None)
                await second.wait(10)
                assert private_payments(second) == first.store.payments.keys()
                second.network.app = runs.service
                await second.until(second.all_ok)
                await second.wait(10)
            await second.worker.aclose()
        await first.worker.aclose()

    run(scenario())


def test_a_disk_that_takes_nothing_disturbs_nothing(runs: Runs, run: Run) -> None:
    def full(path: Path, anew: bool) -> CacheWriter:
        writer = CacheWriter(path, anew=anew)
        writer._connection.execute("PRAGMA max_page_count = 1").fetchall()
        return writer

    runs.open_writer = full
    first = runs.next()
    run(worked(first))
    assert all(first.store.feed(kind).ok for kind in KEPT)
    assert runs.next().store.wallets.rows() == []


def test_a_folder_that_cannot_be_made_disturbs_nothing(runs: Runs, run: Run) -> None:
    runs.path.parent.touch()
    first = runs.next()
    run(worked(first))
    assert all(first.store.feed(kind).ok for kind in KEPT)


def test_nothing_is_written_while_nothing_changes(runs: Runs, run: Run) -> None:
    async def scenario() -> None:
        desk = runs.next()
        async with desk.at_work():
            await desk.until(desk.all_ok)
            await desk.wait(AGES_EVERY + 15)
            assert desk.worker._cache_sync is not None
            writer = desk.worker._cache_sync._writer
            assert writer is not None
            before = writer._connection.total_changes
            await desk.wait(AGES_EVERY - 20)
            assert writer._connection.total_changes - before <= len(KEPT)
        await desk.worker.aclose()

    run(scenario())


def test_what_was_brought_back_is_not_written_again(runs: Runs, run: Run) -> None:
    run(worked(runs.next()))

    async def scenario() -> None:
        desk = runs.next()
        desk.network.app = None
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYINS).cached)
            await desk.wait(20)
            assert desk.worker._cache_sync is not None
            writer = desk.worker._cache_sync._writer
            assert writer is not None
            assert writer._connection.total_changes == 0
        await desk.worker.aclose()

    run(scenario())


@pytest.mark.slow
def test_a_cache_with_one_bad_record_is_made_anew_of_what_is_read(runs: Runs, run: Run) -> None:
    first = runs.next()
    run(worked(first))
    connection = sqlite3.connect(runs.path)
    connection.execute("UPDATE records SET body = '[7]' WHERE kind = 'payins'")
    connection.commit()
    connection.close()
    run(worked(runs.next()))
    third = Store()
    for _ in CacheRestore(runs.path, third, runs.clock, 1_000).rest():
        pass
    assert third.payins.keys() == first.store.payins.keys()
    assert third.wallets.keys() == first.store.wallets.keys()
