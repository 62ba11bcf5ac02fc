"""Unchanged responses are neither sent nor parsed again; a lying service is caught."""

from __future__ import annotations

from typing import Literal

import pytest

from paytui.domain.models import Kind
from tests.support.big_book import BigBook, name, payment
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import Desk
from tests.worker.long_list import without_changes


@pytest.fixture
def book(clock: ManualClock) -> BigBook:
    """A book on two pages of 500, oldest first: it is read in full each time."""
    book = BigBook(clock, 700)
    book.rows.reverse()
    return book


@pytest.fixture
def desk(book: BigBook, clock: ManualClock) -> Desk:
    return without_changes(book, clock)


def amount(desk: Desk, number: int) -> str:
    row = desk.store.table(Kind.PAYMENTS).get(name(number))
    return str(getattr(row, "amount", None))


@pytest.mark.parametrize("tags", ["strong", "weak"])
def test_the_next_read_names_the_tags_word_for_word_and_gets_no_body(
    run: Run, desk: Desk, book: BigBook, tags: Literal["strong", "weak"]
) -> None:
    book.tags = tags

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            book.asked.clear()
            await desk.wait(12)

    run(watch())
    assert {(asked.status, asked.length) for asked in book.asked} == {(304, 0)}
    assert len({asked.condition for asked in book.asked}) == 2
    assert all((asked.condition or "").startswith("W/") == (tags == "weak") for asked in book.asked)


def test_a_list_that_is_the_same_wakes_nobody_and_is_no_older_than_its_newest_read(
    run: Run, desk: Desk, book: BigBook, clock: ManualClock
) -> None:
    book.tags = "strong"

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            before = desk.store.feed(Kind.PAYMENTS)
            versions = desk.versions()
            desk.wakes.clear()
            await desk.wait(30)
            after = desk.store.feed(Kind.PAYMENTS)
            assert desk.versions() == versions
            assert not desk.wakes
            assert before.as_of is not None
            assert after.as_of is not None
            assert (after.as_of - before.as_of).total_seconds() > 20
            assert after.total == 700

    run(watch())


def test_a_page_that_changed_is_read_and_the_other_is_kept(
    run: Run, desk: Desk, book: BigBook
) -> None:
    book.tags = "strong"

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            book.change(100, amount="9.99")
            await desk.until(lambda: amount(desk, 100) == "9.99", within=6)
            assert desk.count(Kind.PAYMENTS) == 700
            book.remove(650)
            await desk.until(lambda: desk.count(Kind.PAYMENTS) == 699, within=12)

    run(watch())


def test_without_tags_the_same_bytes_are_known_again(run: Run, desk: Desk, book: BigBook) -> None:
    """What is not read again does not overwrite what came meanwhile from elsewhere."""

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            versions = desk.versions()
            await desk.wait(30)
            assert desk.versions() == versions
            book.change(100, amount="9.99")
            await desk.until(lambda: amount(desk, 100) == "9.99", within=6)

    run(watch())
    assert {asked.condition for asked in book.asked} == {None}


@pytest.mark.slow
def test_a_service_that_says_for_ever_that_nothing_changed_is_believed_for_half_an_hour(
    run: Run, desk: Desk, book: BigBook
) -> None:
    book.tags = "lying"

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            book.change(100, amount="9.99")
            await desk.wait(600)
            assert amount(desk, 100) == "100.00"
            await desk.until(lambda: amount(desk, 100) == "9.99", within=1300)

    run(watch())


def test_a_refresh_takes_nobodys_word_for_it(run: Run, desk: Desk, book: BigBook) -> None:
    book.tags = "lying"

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            book.change(100, amount="9.99")
            desk.inbox.refresh()
            await desk.until(lambda: amount(desk, 100) == "9.99", within=2)

    run(watch())


def test_a_refresh_during_a_read_is_not_answered_by_that_read(
    run: Run, desk: Desk, book: BigBook
) -> None:
    book.tags = "lying"

    def refresh_once() -> None:
        book.before = lambda: None
        desk.inbox.refresh()

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            book.change(100, amount="9.99")
            book.before = refresh_once
            await desk.until(lambda: amount(desk, 100) == "9.99", within=12)

    run(watch())


def test_a_page_that_a_list_lost_and_has_again_is_read_again(
    run: Run, desk: Desk, book: BigBook
) -> None:
    """The list shrinks by two pages of three, and then is what it was before, to the byte."""
    book.tags = "strong"
    whole = book.rows = [payment(number) for number in range(1, 1_201)]

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            book.rows = whole[:300]
            await desk.until(lambda: desk.count(Kind.PAYMENTS) == 300, within=12)
            book.rows = whole
            await desk.until(lambda: desk.count(Kind.PAYMENTS) == 1_200, within=6)

    run(watch())


@pytest.mark.parametrize("tag", ["no quotes", '"' + "x" * 300 + '"', '"a" , "b"', '"a b"'])
def test_a_tag_that_is_none_is_not_sent_back(run: Run, desk: Desk, book: BigBook, tag: str) -> None:
    book.tags, book.odd_tag = "odd", tag

    async def watch() -> None:
        async with desk.at_work():
            await desk.wait(12)

    run(watch())
    assert len(book.asked) > 2
    assert {asked.condition for asked in book.asked} == {None}
