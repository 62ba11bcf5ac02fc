"""A service that lists only its newest payments may omit changes of the others."""

from __future__ import annotations

from collections import Counter

import pytest

from paytui.domain.models import Kind
from tests.support.big_book import BigBook
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import PAYMENTS_ALONE, Desk
from tests.worker.long_list import LOST, age, by_id, most_at_once, open_for, pages, status


@pytest.fixture
def book(clock: ManualClock) -> BigBook:
    """The newest 100 are listed, 20 to a page, and all are counted."""
    book = BigBook(clock, 90)
    book.largest, book.newest = 20, 100
    book.since, book.tells_older = "known", False
    return book


@pytest.fixture
def desk(book: BigBook, clock: ManualClock) -> Desk:
    return Desk(book, clock, intervals=PAYMENTS_ALONE)


async def push_out(desk: Desk, book: BigBook) -> None:
    """120 new ones come, the last a while after the others, and everything is read."""
    for number in range(1_000, 1_119):
        book.add(number)
    await desk.wait(40)
    book.add(1_119)
    desk.inbox.refresh()
    await desk.until(lambda: status(desk, 1_119) == "completed", within=10)
    await desk.until(lambda: "updatedSince" in book.asked[-1].query, within=30)
    book.asked.clear()


def test_one_that_is_pushed_out_and_then_fails_is_seen_to_fail(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """It is looked at after a tenth of the time that nothing happened to it."""
    open_for(book, 90, minutes=2)

    async def watch() -> None:
        await push_out(desk, book)
        book.change(90, status="failed")
        await desk.until(lambda: status(desk, 90) == "failed", within=30)
        book.asked.clear()
        await desk.wait(250)

    settled(watch())
    assert not by_id(book)
    assert pages(book) == Counter({"1": len(book.asked)})


def test_one_of_many_that_are_pushed_out_later_is_seen_to_fail_within_minutes(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """All is read every five minutes while more comes, and each is looked at every two."""

    async def watch() -> None:
        await push_out(desk, book)
        for number in range(1_040, 1_100):
            open_for(book, number, minutes=60)
        desk.inbox.refresh()
        await desk.until(lambda: status(desk, 1_099) == "processing", within=10)
        for number in range(2_000, 2_120):
            book.add(number)
        await desk.until(lambda: status(desk, 2_119) == "completed", within=30)
        book.change(1_099, status="failed")
        await desk.until(lambda: status(desk, 1_099) == "failed", within=300 + 130)

    settled(watch())


@pytest.mark.slow
def test_one_that_is_looked_at_makes_nothing_old(settled: Run, desk: Desk, book: BigBook) -> None:
    open_for(book, 90, minutes=2)

    async def watch() -> None:
        await push_out(desk, book)
        for _ in range(40):
            await desk.wait(60)
            assert age(desk) <= 15

    settled(watch())


@pytest.mark.slow
def test_where_it_cannot_be_read_by_itself_all_is_as_old_as_its_last_sight_and_it_is_said(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """Whether changes are asked for until the end, or are refused after a while."""
    book.tells_one = False
    open_for(book, 90, minutes=2)

    async def watch() -> None:
        last_seen = desk.clock.boot()
        await push_out(desk, book)
        await desk.wait(100)
        for second in range(1_200):
            if second == 800:
                book.since = "refused"
            await desk.wait(1)
            assert age(desk) >= desk.clock.boot() - last_seen - 30
            assert desk.store.feed(Kind.PAYMENTS).problem == LOST

    settled(watch())
    assert desk.store.feed(Kind.PAYMENTS).remark


def test_one_that_is_told_of_all_the_same_makes_nothing_old_from_then_on(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    book.tells_one = False
    open_for(book, 90, minutes=2)

    async def watch() -> None:
        await push_out(desk, book)
        await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).problem == LOST, within=100)
        book.tells_older = True
        book.change(90, status="completed")
        await desk.until(lambda: status(desk, 90) == "completed", within=6)
        await desk.until(lambda: age(desk) < 6, within=2)
        assert desk.store.feed(Kind.PAYMENTS).ok

    settled(watch())


@pytest.mark.slow
def test_however_many_are_pushed_out_a_read_asks_for_no_more_than_nine_things(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    for number in range(1, 91):
        open_for(book, number, minutes=2)

    async def watch() -> None:
        await push_out(desk, book)
        assert await most_at_once(desk, book, 250) == 9

    settled(watch())
    assert len(by_id(book)) == 90


def test_a_look_that_fails_makes_all_as_old_as_it_is_and_fails_no_read_of_the_list(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    open_for(book, 90, minutes=2)

    async def watch() -> None:
        await push_out(desk, book)
        book.failing_one = 10_000
        for _ in range(200):
            await desk.wait(1)
            assert desk.store.feed(Kind.PAYMENTS).problem in (None, LOST)
        assert desk.store.feed(Kind.PAYMENTS).problem == LOST
        assert age(desk) >= 140
        book.failing_one = 0
        await desk.until(lambda: age(desk) < 10, within=60)
        assert desk.store.feed(Kind.PAYMENTS).problem is None

    settled(watch())
