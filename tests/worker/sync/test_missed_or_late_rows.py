"""Rows that a read missed or brought late are corrected in bounded time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.domain.models import Kind, PaymentId, State
from tests.support.big_book import BigBook, name
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import Desk
from tests.worker.long_list import by_id, open_for, pages, status, without_changes


@pytest.fixture
def desk(book: BigBook, clock: ManualClock) -> Desk:
    return without_changes(book, clock)


@pytest.mark.slow
def test_a_read_of_all_that_fails_is_wanted_as_before(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """A total did not fit; all is read 120 s after the first time. The last of four pages fails."""
    late = book.rows.pop(1_800)

    def fail_page_4() -> None:
        if book.asked[-1].query["page"] == "2":
            book.failing, book.before = 1, lambda: None

    async def watch() -> None:
        await desk.wait(30)
        book.rows.insert(1_800, late)
        await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).total == 2_000, within=10)
        began = desk.store.feed(Kind.PAYMENTS).whole_at or 0.0
        await desk.wait(began + 119 - desk.clock.boot())
        book.before = fail_page_4
        await desk.until(lambda: book.before is not fail_page_4 and not book.failing, 20)
        await desk.until(lambda: desk.count(Kind.PAYMENTS) == 2_000, within=30)

    settled(watch())


@pytest.mark.parametrize("minutes", [2, 60])
def test_what_is_open_and_cannot_be_read_by_itself_is_seen_to_end_within_minutes(
    settled: Run, desk: Desk, book: BigBook, minutes: int
) -> None:
    book.tells_one = False
    open_for(book, 100, minutes=minutes)

    async def watch() -> None:
        await desk.wait(200)
        book.change(100, status="completed")
        await desk.until(lambda: status(desk, 100) == "completed", within=130)

    settled(watch())


def test_what_is_open_and_cannot_be_read_by_itself_is_said_to_be_as_old_as_the_read_of_all(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    book.tells_one = False
    open_for(book, 100, minutes=2)

    async def watch() -> None:
        await desk.wait(200)
        book.change(100, status="completed")
        ended = desk.clock.boot()
        while status(desk, 100) == "processing":
            assert (desk.store.feed(Kind.PAYMENTS).read_at or 0.0) <= ended
            await desk.wait(1)
        assert desk.clock.boot() <= ended + 75

    settled(watch())


def test_a_look_that_fails_makes_what_is_open_no_younger_and_is_made_again_soon(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """It is open for 20 minutes: a look at it is due every two."""
    open_for(book, 100, minutes=20)

    async def watch() -> None:
        book.failing_one = 1
        book.change(100, status="completed")
        ended = desk.clock.boot()
        await desk.until(lambda: not book.failing_one, within=130)
        while status(desk, 100) == "processing":
            assert (desk.store.feed(Kind.PAYMENTS).read_at or 0.0) <= ended + 120
            await desk.wait(1)
        assert desk.clock.boot() <= ended + 150

    settled(watch())


def test_what_is_listed_and_not_found_by_itself_is_as_old_as_its_last_sight_until_all_is_read(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """Another one was found before, so that single payments can be read."""
    open_for(book, 100, minutes=1)
    open_for(book, 101, minutes=8)

    async def watch() -> None:
        began = desk.clock.boot()
        await desk.until(lambda: name(100) in by_id(book), within=20)
        book.tells_one = False
        book.change(101, status="completed")
        while status(desk, 101) == "processing":
            assert (desk.store.feed(Kind.PAYMENTS).read_at or 0.0) <= began + 60
            await desk.wait(1)
        await desk.wait(1)
        assert (desk.store.feed(Kind.PAYMENTS).read_at or 0.0) > began + 60

    settled(watch())


def test_where_nothing_can_be_read_by_itself_what_is_open_in_the_first_page_makes_nothing_old(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    book.tells_one = False
    open_for(book, 100, minutes=2)
    open_for(book, 1_990, minutes=2)

    async def watch() -> None:
        await desk.wait(100)
        book.change(100, status="completed")
        await desk.until(lambda: status(desk, 100) == "completed", within=75)
        for _ in range(60):
            await desk.wait(1)
            read_at = desk.store.feed(Kind.PAYMENTS).read_at or 0.0
            assert desk.clock.boot() - read_at <= 10

    settled(watch())


def test_a_read_of_all_that_fails_forgets_nothing_that_is_open(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """It cannot be read by itself, and the read of all after five minutes fails once."""
    book.tells_one = False
    open_for(book, 100, minutes=2)

    async def watch() -> None:
        began = desk.store.feed(Kind.PAYMENTS).read_at or 0.0
        await desk.wait(began + 299 - desk.clock.boot())
        book.failing = 1
        await desk.until(lambda: not book.failing, within=20)
        book.change(100, status="completed")
        await desk.until(lambda: status(desk, 100) == "completed", within=330)

    settled(watch())


def test_an_answer_that_comes_late_is_not_shown_for_longer_than_until_the_next_read(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """What an intent became is told once more after the list told that it failed."""

    async def watch() -> None:
        book.row(2_000)["status"] = "created"
        await desk.until(lambda: status(desk, 2_000) == "created", within=10)
        late = desk.store.payments.get(PaymentId(name(2_000)))
        assert late is not None
        book.change(2_000, status="failed")
        await desk.until(lambda: status(desk, 2_000) == "failed", within=20)
        await desk.wait(20)
        desk.store.payments.put([late])
        await desk.until(lambda: status(desk, 2_000) == "failed", within=12)

    settled(watch())


def test_an_answer_that_comes_late_of_what_is_further_down_is_asked_for_by_itself(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        row = desk.store.payments.get(PaymentId(name(100)))
        assert row is not None
        desk.store.payments.put([replace(row, status=State("failed", final=True))])
        await desk.until(lambda: status(desk, 100) == "completed", within=12)

    settled(watch())
    assert by_id(book) == {name(100): 1}
    assert pages(book).keys() == {"1"}
