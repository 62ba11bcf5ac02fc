"""The age of a cached response is shown with its rows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from starlette.applications import Starlette

from paytui.api.dialect import load_dialect
from paytui.cli.commands.status import exit_code
from paytui.cli.common import ExitCode
from paytui.domain.models import Kind
from tests.support.big_book import BigBook
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import Desk
from tests.worker.long_list import age, open_for, settle, without_changes

OLD = {"age": "600", "warning": '110 - "Response is Stale"'}


@pytest.mark.parametrize("kind", [Kind.WALLETS, Kind.PAYINS, Kind.PAYMENTS, Kind.PAYMENT_ADDRESSES])
def test_every_list_is_as_old_as_the_answers_that_it_was_read_from(
    all_read: Run, desk: Desk, kind: Kind
) -> None:
    async def watch() -> None:
        desk.network.headers = OLD
        desk.inbox.refresh()
        await desk.until(lambda: 590 < age(desk, kind) < 640, within=20)
        if kind is not Kind.PAYMENT_ADDRESSES:  # they stand in the records of recipients
            problem = desk.store.feed(kind).problem
            assert problem is not None
            assert problem.what == "an old response came from a cache"
        desk.network.headers = {}
        desk.inbox.refresh()
        await desk.until(lambda: desk.store.feed(kind).ok and age(desk, kind) < 20, within=20)

    all_read(watch())


def test_a_command_that_reads_once_says_so_and_ends_otherwise(run: Run, desk: Desk) -> None:
    desk.network.headers = OLD
    run(desk.worker.sync_once())
    assert exit_code(desk.store) is ExitCode.IN_PART


def test_an_answer_of_some_seconds_counts_and_is_no_fault(all_read: Run, desk: Desk) -> None:
    async def watch() -> None:
        desk.network.headers = {"age": "20"}
        await desk.wait(30)
        assert desk.store.feed(Kind.WALLETS).ok
        assert 20 <= age(desk, Kind.WALLETS) < 30

    all_read(watch())


@pytest.mark.parametrize("reads", ["changes", "first page"])
def test_whatever_is_read_of_a_long_list_is_as_old_as_its_answers(
    run: Run, book: BigBook, clock: ManualClock, reads: str
) -> None:
    desk = Desk(book, clock) if reads == "changes" else without_changes(book, clock)
    book.since = "known"

    async def watch() -> None:
        async with desk.at_work():
            await settle(desk, book)
            book.asked.clear()
            desk.network.headers = OLD
            await desk.until(lambda: age(desk) > 590, within=20)
            pages = {one.query["page"] for one in book.asked if "updatedSince" not in one.query}
            assert pages <= {"1"}

    run(watch())


@pytest.mark.parametrize("reads", ["changes", "first page"])
def test_all_of_a_list_is_read_until_it_comes_from_no_cache(
    run: Run, book: BigBook, clock: ManualClock, reads: str
) -> None:
    """What changed meanwhile on a page that lay in a cache is in no answer for what is new."""
    desk = Desk(book, clock) if reads == "changes" else without_changes(book, clock)
    book.since = "known"

    async def watch() -> None:
        async with desk.at_work():
            desk.network.headers = OLD
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).problem is not None)
            desk.network.headers = {}
            book.asked.clear()
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok, within=20)
            assert {one.query["page"] for one in book.asked} >= {"1", "2", "3", "4"}
            book.asked.clear()
            await desk.wait(20)
            assert "4" not in {one.query["page"] for one in book.asked}

    run(watch())


@pytest.mark.parametrize(("reads", "age"), [("changes", "20"), ("changes", "0"), ("page", "0")])
def test_a_long_list_that_passes_a_cache_is_not_read_whole_each_time(
    run: Run, book: BigBook, clock: ManualClock, reads: str, age: str
) -> None:
    """Some caches write `Age: 0` into each answer, and some keep each for a moment."""
    desk = Desk(book, clock) if reads == "changes" else without_changes(book, clock)
    book.since = "known"

    async def watch() -> None:
        desk.network.headers = {"age": age}
        async with desk.at_work():
            await desk.wait(10.5)
            book.asked.clear()
            await desk.wait(60)
            assert len(book.asked) > 5
            assert sum(one.query["page"] == "4" for one in book.asked) <= 1

    run(watch())


def test_what_is_read_by_itself_is_as_old_as_its_answer(
    run: Run, book: BigBook, clock: ManualClock
) -> None:
    """Its list comes anew each time."""
    desk = without_changes(book, clock)
    open_for(book, 100, minutes=1)

    async def watch() -> None:
        async with desk.at_work():
            await settle(desk, book)
            book.age_of_one = "600"
            await desk.until(lambda: age(desk) > 590, within=20)

    run(watch())


def test_what_is_tracked_is_as_old_as_its_answer(
    run: Run, desk: Desk, service: Starlette, clock: ManualClock
) -> None:
    run(desk.worker.sync_once())
    tracked = {Kind.TRADES: [desk.store.trades.rows()[0].trade_transaction_id]}
    dialect = load_dialect()
    paths = {**dialect.paths, "list_trades": ()}
    desk = Desk(service, clock, dialect=replace(dialect, paths=paths), tracked=tracked)

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.TRADES).ok)
            desk.network.headers = OLD
            await desk.until(lambda: age(desk, Kind.TRADES) > 590, within=20)

    run(watch())
