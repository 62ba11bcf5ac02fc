"""Of a growing list the newest and all open rows stay in memory; the rest is cached."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path

import pytest

from paytui.api.dialect import load_dialect
from paytui.api.resources import identifier_of
from paytui.domain.models import Kind, Payment, PaymentAddressId, PaymentId, State
from paytui.store.cache.file import SUFFIX, CacheUnusable
from paytui.store.cache.list_query import ListQuery
from paytui.store.cache.list_reader import ListReader
from paytui.store.cache.read import CacheReader, CacheRestore
from paytui.store.cache.records import codec_of
from paytui.store.cache.write import CacheWriter, PrivateWriter
from paytui.store.filter import TimeContext
from paytui.store.store import Store
from paytui.worker.sync.cache_writer import CacheSync
from tests.support.big_book import BigBook, name
from tests.support.clock import NOON, ManualClock
from tests.support.scripted import AUTH
from tests.support.virtual import at_once
from tests.worker.conftest import Run
from tests.worker.desk import Desk

RETAIN = 1_000
COUNT = 2_600
MakeDesk = Callable[..., Desk]
Beside = Callable[[Desk, Coroutine[object, object, None]], None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "paytui" / "x.cache.sqlite"


@pytest.fixture
def make_desk(clock: ManualClock, path: Path) -> MakeDesk:
    def make(book: BigBook, *, cached: bool = True) -> Desk:
        store = Store(RETAIN)
        recall = CacheRestore(path, store, clock, RETAIN) if cached else None
        keeping = CacheSync(
            store, clock, recall, lambda anew: CacheWriter(path, anew=anew), in_thread=at_once
        )
        dialect = replace(load_dialect(), tell_changes=frozenset())
        return Desk(book, clock, store=store, keeping=keeping, dialect=dialect)

    return make


@pytest.fixture
def book(clock: ManualClock) -> BigBook:
    return BigBook(clock, COUNT)


@pytest.fixture
def desk(make_desk: MakeDesk, book: BigBook) -> Desk:
    return make_desk(book)


def held(desk: Desk) -> set[str]:
    return desk.store.table(Kind.PAYMENTS).keys()


def newest(count: int, *, of: int = COUNT) -> set[str]:
    return {name(number) for number in range(of - count + 1, of + 1)}


@pytest.fixture
def settled(run: Run) -> Beside:
    """Runs a coroutine beside a worker that has read all, and let go of what is too much."""

    async def beside(desk: Desk, watch: Coroutine[object, object, None]) -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            await desk.until(lambda: len(held(desk)) < RETAIN + 100)
            await desk.wait(15)
            await watch
        await desk.worker.aclose()

    return lambda desk, watch: run(beside(desk, watch))


@pytest.mark.parametrize("oldest_first", [False, True])
def test_the_newest_and_what_is_open_stay_whatever_order_they_come_in(
    settled: Beside, book: BigBook, desk: Desk, *, oldest_first: bool
) -> None:
    book.row(3)["status"] = "processing"
    if oldest_first:
        book.rows.reverse()

    async def scenario() -> None:
        assert held(desk) == newest(RETAIN) | {name(3)}
        feed = desk.store.feed(Kind.PAYMENTS)
        assert (feed.total, feed.ok) == (COUNT, True)
        assert desk.store.left_out(Kind.PAYMENTS) == COUNT - RETAIN - 1

    settled(desk, scenario())


class _Told(CacheWriter):
    """A writer that notes what it is told about long lists."""

    def __init__(self, path: Path, told: list[str]) -> None:
        super().__init__(path)
        self._told = told

    def expect_long_list(self) -> None:
        super().expect_long_list()
        self._told.append("more pages")

    def index_orders(self, kind: Kind) -> None:
        super().index_orders(kind)
        self._told.append("few pages")


@pytest.mark.slow
@pytest.mark.parametrize(("count", "said"), [(90, []), (520, ["more pages", "few pages"])])
def test_the_writer_holds_more_pages_only_while_a_long_list_is_read(
    run: Run, clock: ManualClock, path: Path, count: int, said: list[str]
) -> None:
    told: list[str] = []

    async def scenario() -> None:
        store = Store(100)
        keeping = CacheSync(
            store,
            clock,
            None,
            lambda anew: CacheWriter(path, anew=anew),
            open_private=lambda: _Told(path, told),
            in_thread=at_once,
        )
        desk = Desk(BigBook(clock, count), clock, store=store, keeping=keeping)
        async with desk.at_work():
            await desk.until(lambda: store.feed(Kind.PAYMENTS).ok)
            await desk.wait(15)
        await desk.worker.aclose()

    run(scenario())
    assert list(dict.fromkeys(told)) == said
    assert told[-1:] == said[-1:]


def test_what_is_old_is_in_the_cache_all_the_same(settled: Beside, desk: Desk, path: Path) -> None:
    async def scenario() -> None:
        desk.inbox.refresh()  # read again, as if nothing were known
        await desk.wait(30)
        assert held(desk) == newest(RETAIN)

    settled(desk, scenario())
    reader, codec = CacheReader(path), codec_of(Kind.PAYMENTS)
    kept = {codec.identifier(row) for rows in reader.records(Kind.PAYMENTS, 9_999) for row in rows}
    assert kept == newest(COUNT)
    reader.close()


def test_an_old_one_that_ends_is_shown_as_it_ended(
    settled: Beside, book: BigBook, desk: Desk
) -> None:
    book.row(3)["status"] = "processing"

    async def scenario() -> None:
        book.change(3, status="completed")
        desk.inbox.refresh()
        await desk.wait(30)
        row = desk.store.payments.get(PaymentId(name(3)))
        assert row is None or row.status == State("completed", final=True)

    settled(desk, scenario())


def test_a_new_one_comes_in_and_nothing_says_that_the_list_is_not_whole(
    settled: Beside, book: BigBook, desk: Desk
) -> None:
    async def scenario() -> None:
        book.add(COUNT + 1)
        await desk.until(lambda: name(COUNT + 1) in held(desk))
        feed = desk.store.feed(Kind.PAYMENTS)
        assert feed.problem is None
        await desk.wait(15)
        assert len(held(desk)) + desk.store.left_out(Kind.PAYMENTS) == COUNT + 1

    settled(desk, scenario())


def test_the_memory_is_bounded_where_nothing_is_kept_on_disk(
    settled: Beside, clock: ManualClock, make_desk: MakeDesk, path: Path
) -> None:
    desk = make_desk(BigBook(clock, COUNT), cached=False)

    async def scenario() -> None:
        assert held(desk) == newest(RETAIN)

    settled(desk, scenario())
    assert not path.exists()


def test_the_next_run_brings_back_as_much_and_no_more(
    settled: Beside, clock: ManualClock, desk: Desk, path: Path
) -> None:
    settled(desk, asyncio.sleep(0))
    store = Store(RETAIN)
    for _ in CacheRestore(path, store, clock, RETAIN).rest():
        pass
    assert store.payments.keys() == newest(RETAIN)


def test_an_old_one_is_brought_back_by_its_id_and_is_as_the_service_has_it_now(
    settled: Beside, book: BigBook, desk: Desk
) -> None:
    async def scenario() -> None:
        book.row(7)["amount"] = "7.77"
        desk.inbox.load_row(Kind.PAYMENTS, name(7))
        await desk.until(lambda: amount_of(desk, 7) == "7.77")
        assert desk.store.payments.unconfirmed() == set()
        await desk.wait(30)
        assert held(desk) == newest(RETAIN) | {name(7)}

    settled(desk, scenario())


def test_who_looks_at_another_one_meanwhile_does_not_cut_off_a_sign_in(
    run: Run, clock: ManualClock
) -> None:
    """Its token would be lost, and the next request for one would have to wait."""
    slowly = dict.fromkeys(Kind, 3_600)
    desk = Desk(BigBook(clock, COUNT), clock, store=Store(RETAIN), intervals=slowly)

    async def scenario() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            table = desk.store.table(Kind.PAYMENTS)
            table.remove(sorted(held(desk) - newest(RETAIN)))
            await desk.wait(290)  # the token is about to end
            before, desk.network.stopped = desk.network.counts[AUTH], 1.0
            desk.inbox.load_row(Kind.PAYMENTS, name(7))
            await desk.wait(0.5)
            desk.inbox.load_row(Kind.PAYMENTS, name(9))
            await desk.until(lambda: name(9) in held(desk), within=10)
            assert desk.network.counts[AUTH] == before + 1

    run(scenario())


def test_what_was_brought_back_is_not_written_over_a_newer_state(
    run: Run, clock: ManualClock, path: Path
) -> None:
    """A search may have read a row just before its newer state was written."""
    newer = Payment(
        PaymentId(name(3)), reference="newer", status=State("returned", final=True), created_at=NOON
    )
    writer = CacheWriter(path)
    writer.keep(Kind.PAYMENTS, [newer], [])
    writer.close()
    store = Store(RETAIN)
    recall = CacheRestore(path, store, clock, 0)
    keeping = CacheSync(
        store, clock, recall, lambda anew: CacheWriter(path, anew=anew), in_thread=at_once
    )

    async def scenario() -> None:
        at_work = asyncio.create_task(keeping.run())
        for _ in range(9):  # until the file is loaded, of which nothing is brought back
            await asyncio.sleep(0)
        store.payments.recall([replace(newer, reference="older")])
        keeping.close()
        at_work.cancel()

    run(scenario())
    reader = ListReader(path)
    [row] = reader.rows(ListQuery(Kind.PAYMENTS), TimeContext(clock.now))
    reader.close()
    assert row == newer


def test_a_list_without_a_cache_is_read_from_a_private_file_that_ends_with_the_worker(
    settled: Beside, clock: ManualClock, make_desk: MakeDesk
) -> None:
    desk = make_desk(BigBook(clock, COUNT), cached=False)
    places: list[Path] = []

    async def scenario() -> None:
        assert desk.store.cache is not None
        places.append(desk.store.cache.file.path)
        assert len(rows_in(places[0])) == COUNT
        assert Kind.PAYMENTS in desk.store.cache.whole
        desk.inbox.load_row(Kind.PAYMENTS, name(9))
        await desk.until(lambda: held(desk) == newest(RETAIN) | {name(9)})

    settled(desk, scenario())
    assert not places[0].parent.exists()


def test_a_cache_that_another_dashboard_writes_is_left_to_it(
    settled: Beside, make_desk: MakeDesk, book: BigBook, path: Path
) -> None:
    """Its rows are restored from it, and written to a private file like any others."""
    settled(make_desk(book), asyncio.sleep(0))
    other, second = CacheWriter(path), make_desk(book)

    async def scenario() -> None:
        assert second.store.cache is not None
        assert second.store.cache.file.path != path
        assert len(rows_in(second.store.cache.file.path)) == COUNT

    settled(second, scenario())
    other.close()


def test_rows_that_wait_for_the_file_are_written_at_the_end(
    run: Run, make_desk: MakeDesk, book: BigBook, path: Path
) -> None:
    desk = make_desk(book)

    async def scenario() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
        await desk.worker.aclose()

    run(scenario())
    assert rows_in(path) == newest(COUNT)


def test_a_file_that_a_killed_process_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    killed, running = PrivateWriter(), PrivateWriter()
    os.close(killed._lock)  # as the operating system does
    writer = PrivateWriter()
    left = {found.parent for found in tmp_path.glob(f"*/*{SUFFIX}")}
    assert left == {running.path.parent, writer.path.parent}
    writer.close()
    running.close()
    assert not list(tmp_path.iterdir())


def test_a_cache_that_could_not_be_written_is_no_longer_read(
    settled: Beside, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that memory has released since are not in the file, so its total would be wrong."""

    def full(*_: object) -> None:
        raise CacheUnusable

    async def scenario() -> None:
        monkeypatch.setattr(CacheWriter, "keep", full)
        desk.store.payments.put([replace(desk.store.payments.rows()[0], reference="changed")])
        desk.store.paid = frozenset({PaymentAddressId("addr-1")})
        await desk.wait(15)
        assert desk.store.cache is None
        assert desk.store.paid == set(), "nothing keeps it up to date"

    settled(desk, scenario())


def test_accounts_that_old_payments_went_to_are_known_as_paid(
    settled: Beside, book: BigBook, desk: Desk
) -> None:
    paid, returned, open_one = ("addr-1", "completed"), ("addr-2", "returned"), ("addr-3", "held")
    for number, (address, status) in enumerate((paid, returned, open_one), 1):
        book.row(number).update(paymentAddressId=address, status=status)

    async def scenario() -> None:
        await desk.until(lambda: desk.store.paid == {"addr-1"})
        assert name(1) not in held(desk)
        book.change(1, status="returned")
        desk.inbox.refresh()
        await desk.until(lambda: desk.store.paid == set(), within=60)

    settled(desk, scenario())


def test_a_row_of_an_earlier_run_that_the_service_lacks_leaves_the_cache(
    settled: Beside, make_desk: MakeDesk, book: BigBook, path: Path
) -> None:
    settled(make_desk(book), asyncio.sleep(0))
    assert name(50) in rows_in(path)
    book.remove(50)
    book.add(COUNT + 1)
    book.row(60)["reference"] = "changed"

    desk = make_desk(book)

    async def scenario() -> None:
        assert name(50) in rows_in(path), "one read may have missed it"
        desk.inbox.refresh()
        await desk.wait(130)

    settled(desk, scenario())
    assert rows_in(path) == newest(COUNT + 1, of=COUNT + 1) - {name(50)}


def rows_in(path: Path) -> set[str]:
    reader = ListReader(path)
    found = reader.rows(ListQuery(Kind.PAYMENTS), TimeContext(lambda: NOON))
    keys = {str(identifier_of(row)) for row in found}
    reader.close()
    return keys


def amount_of(desk: Desk, number: int) -> str | None:
    row = desk.store.payments.get(PaymentId(name(number)))
    return None if row is None else str(row.amount)


@pytest.mark.parametrize("oldest_first", [False, True])
def test_where_nothing_tells_when_it_was_made_all_stays(
    run: Run, book: BigBook, desk: Desk, *, oldest_first: bool
) -> None:
    for row in book.rows:
        row.pop("createdAt")
    if oldest_first:
        book.rows.reverse()

    async def scenario() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            await desk.wait(15)
            assert held(desk) == newest(COUNT)
        await desk.worker.aclose()

    run(scenario())


def test_one_that_the_cache_alone_had_goes_once_the_list_was_read_without_it(
    settled: Beside, book: BigBook, desk: Desk
) -> None:
    async def scenario() -> None:
        book.remove(50)
        desk.inbox.load_row(Kind.PAYMENTS, name(50))
        await desk.until(lambda: desk.store.payments.unconfirmed() == {name(50)})
        desk.inbox.refresh()
        await desk.until(lambda: name(50) not in held(desk), within=60)

    settled(desk, scenario())
