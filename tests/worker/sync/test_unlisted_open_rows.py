"""Open rows that a truncated list no longer holds are read one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from paytui.api.dialect import load_dialect
from paytui.domain.models import Kind, PaymentId, State
from tests.support.big_book import BigBook, name
from tests.support.clock import ManualClock
from tests.tui.book import payment
from tests.worker.conftest import Run
from tests.worker.desk import PAYMENTS_ALONE, Desk
from tests.worker.long_list import LOST, age, by_id, most_at_once, open_for, settle, status


@pytest.fixture
def book(clock: ManualClock) -> BigBook:
    """The newest 100 are listed, and all are counted."""
    book = BigBook(clock, 90)
    book.largest = book.newest = 100
    return book


@pytest.fixture
def style() -> Literal["none", "page"]:
    """A pagination style with the whole list in one response."""
    return "none"


@pytest.fixture
def desk(book: BigBook, clock: ManualClock, style: Literal["none", "page"]) -> Desk:
    dialect = load_dialect()
    paging = replace(dialect.paging, style=style)
    dialect = replace(dialect, tell_changes=frozenset(), paging=paging)
    return Desk(book, clock, dialect=dialect, intervals=PAYMENTS_ALONE)


async def push_out(desk: Desk, book: BigBook, count: int = 120) -> None:
    """So many new ones come, and are read."""
    for number in range(1_000, 1_000 + count):
        book.add(number)
    await desk.until(lambda: status(desk, 999 + count) == "completed", within=10)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("style", "minutes"),
    [("none", 0), ("page", 45)],
    ids=["at once", "after another read of everything"],
)
def test_one_that_is_pushed_out_and_then_fails_is_seen_to_fail(
    settled: Run, desk: Desk, book: BigBook, style: str, minutes: int
) -> None:
    """It is looked at after a tenth of the time that nothing happened to it, or of two minutes."""
    book.largest = 100 if style == "none" else 20
    open_for(book, 90, minutes=2)

    async def watch() -> None:
        await push_out(desk, book)
        await desk.wait(60 * minutes)
        book.change(90, status="failed")
        await desk.until(lambda: status(desk, 90) == "failed", within=130)
        book.asked.clear()
        await desk.wait(300)

    settled(watch())
    assert not by_id(book)


@pytest.mark.slow
@pytest.mark.parametrize("style", ["none", "page"])
def test_one_that_is_open_makes_nothing_old_as_long_as_it_can_be_looked_at(
    settled: Run, desk: Desk, book: BigBook, style: str
) -> None:
    book.largest = 100 if style == "none" else 20
    open_for(book, 90, minutes=2)

    async def watch() -> None:
        await push_out(desk, book)
        await desk.wait(130)
        for _ in range(40):
            await desk.wait(60)
            assert age(desk) <= 15

    settled(watch())


def test_one_that_an_earlier_run_left_open_is_looked_at(
    run: Run, desk: Desk, book: BigBook
) -> None:
    open_for(book, 80, minutes=60)
    before = payment(1, "80.00", "processing", minutes_ago=90)
    desk.store.payments.put([replace(before, payment_transaction_id=PaymentId(name(80)))])
    for number in range(1_000, 1_120):
        book.add(number)
    book.change(80, status="failed")

    async def watch() -> None:
        async with desk.at_work():
            await settle(desk, book)
            await desk.until(lambda: status(desk, 80) == "failed", within=130)

    run(watch())


def test_one_that_came_from_elsewhere_and_is_not_listed_is_looked_at(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        await push_out(desk, book)
        row = desk.store.payments.get(PaymentId(name(80)))
        assert row is not None
        open_for(book, 80, minutes=2)
        desk.store.payments.put([replace(row, status=State("processing", final=False))])
        await desk.wait(30)
        book.change(80, status="failed")
        await desk.until(lambda: status(desk, 80) == "failed", within=130)

    settled(watch())


def test_however_many_are_pushed_out_a_read_asks_for_no_more_than_nine_things(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    for number in range(1, 91):
        open_for(book, number, minutes=2)

    async def watch() -> None:
        await push_out(desk, book)
        assert await most_at_once(desk, book, 300) == 9

    settled(watch())
    assert len(by_id(book)) == 90


@pytest.mark.slow
@pytest.mark.parametrize("style", ["none", "page"])
def test_where_it_cannot_be_read_by_itself_all_is_as_old_as_its_last_sight_and_it_is_said(
    settled: Run, desk: Desk, book: BigBook, style: str
) -> None:
    book.largest = 100 if style == "none" else 20
    book.tells_one = False
    open_for(book, 90, minutes=2)

    async def watch() -> None:
        last_seen = desk.clock.boot()
        await push_out(desk, book)
        await desk.wait(200)
        for _ in range(40):
            await desk.wait(60)
            assert age(desk) >= desk.clock.boot() - last_seen - 130
            assert desk.store.feed(Kind.PAYMENTS).problem == LOST

    settled(watch())


@pytest.mark.slow
def test_one_that_nobody_finds_is_asked_for_ever_less_often(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """Another one is found, so that it is known that they can be read by themselves."""
    open_for(book, 90, minutes=2)
    open_for(book, 89, minutes=2)

    async def watch() -> None:
        await push_out(desk, book)
        await desk.wait(60)
        book.remove(90)
        await desk.wait(1_200)
        book.asked.clear()
        await desk.wait(600)
        assert status(desk, 89) == "processing"
        assert age(desk) >= 1_500

    settled(watch())
    assert 4 <= by_id(book)[name(90)] <= 8
    assert 4 <= by_id(book)[name(89)] <= 8


def test_a_look_that_fails_makes_all_as_old_as_it_is_and_fails_no_read_of_the_list(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    open_for(book, 90, minutes=2)

    async def watch() -> None:
        await push_out(desk, book)
        await desk.wait(60)
        book.failing_one = 10_000
        for _ in range(300):
            await desk.wait(1)
            assert desk.store.feed(Kind.PAYMENTS).problem in (None, LOST)
        assert desk.store.feed(Kind.PAYMENTS).problem == LOST
        assert age(desk) >= 240
        book.failing_one = 0
        await desk.until(lambda: age(desk) < 10, within=60)
        assert desk.store.feed(Kind.PAYMENTS).problem is None

    settled(watch())
