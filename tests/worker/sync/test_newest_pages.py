"""Without `updatedSince`: the newest pages, open rows, and a full read now and then."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Literal

import pytest

from paytui.api.dialect import load_dialect
from paytui.domain.models import Kind, PaymentId
from tests.support.big_book import BigBook, name
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import Desk
from tests.worker.long_list import by_id, open_for, pages, settle, status, without_changes


@pytest.fixture
def desk(book: BigBook, clock: ManualClock) -> Desk:
    return without_changes(book, clock)


def test_of_an_unchanged_book_the_first_page_alone_is_read(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        versions = desk.versions()
        desk.wakes.clear()
        await desk.wait(60)
        assert desk.versions() == versions
        assert not desk.wakes

    settled(watch())
    assert pages(book).keys() == {"1"}
    assert len(book.asked) >= 10
    assert desk.store.feed(Kind.PAYMENTS).total == 2_000


def test_with_a_tag_not_even_that_is_sent(settled: Run, desk: Desk, book: BigBook) -> None:
    book.tags = "strong"

    async def watch() -> None:
        await desk.wait(60)

    settled(watch())
    assert {(one.status, one.length) for one in book.asked} == {(304, 0)}


def test_what_is_new_is_read_until_known_ground(settled: Run, desk: Desk, book: BigBook) -> None:
    """700 new ones fill a page and some of the next, whose rest is known: the third is read too."""

    async def watch() -> None:
        for number in range(2_001, 2_701):
            book.add(number)
        await desk.until(lambda: desk.count(Kind.PAYMENTS) == 2_700, within=6)
        await desk.wait(1)

    settled(watch())
    assert pages(book).keys() == {"1", "2", "3"}
    assert desk.store.feed(Kind.PAYMENTS).total == 2_700


def test_what_an_intent_became_is_no_known_ground_before_it_was_listed(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """A page of rows that are in the table already, behind which there are new ones."""

    async def watch() -> None:
        row = desk.store.payments.get(PaymentId(name(2_000)))
        assert row is not None
        for number in range(2_001, 2_601):
            book.add(number)
        for page in (range(2_101, 2_351), range(2_351, 2_601)):
            rows = [
                replace(
                    row,
                    payment_transaction_id=PaymentId(name(number)),
                    amount=row.amount and row.amount * 0 + number,
                    created_at=book.now(),
                    updated_at=book.now(),
                )
                for number in page
            ]
            desk.store.payments.put(rows)
        await desk.until(lambda: desk.count(Kind.PAYMENTS) == 2_600, within=6)

    settled(watch())


def test_what_is_open_further_down_is_read_by_itself_the_more_often_the_younger_it_is(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """A tenth of the time that nothing happened to it: 12 s for two minutes, and more and more."""
    open_for(book, 100, minutes=2)
    open_for(book, 101, minutes=10)

    async def watch() -> None:
        await desk.wait(300)

    settled(watch())
    asked = by_id(book)
    assert asked.keys() == {name(100), name(101)}
    assert 8 <= asked[name(100)] <= 15
    assert 2 <= asked[name(101)] <= 5
    assert pages(book).keys() == {"1"}


def test_what_is_open_is_seen_to_end_and_is_left_alone_then(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    open_for(book, 100, minutes=2)

    async def watch() -> None:
        book.change(100, status="completed")
        await desk.until(lambda: status(desk, 100) == "completed", within=20)
        book.asked.clear()
        await desk.wait(300)

    settled(watch())
    assert not by_id(book)


@pytest.mark.slow
def test_what_is_open_for_long_is_looked_at_every_two_minutes(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    open_for(book, 100, minutes=10_000)

    async def watch() -> None:
        await desk.wait(600)

    settled(watch())
    assert 3 <= by_id(book)[name(100)] <= 6


@pytest.mark.slow
def test_payments_that_were_released_long_ago_are_left_to_the_read_of_everything(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """A service may know nothing after released (service.md): there may be any number of them."""
    for number in range(1, 1_400):
        open_for(book, number, minutes=10_000, state="released")

    async def watch() -> None:
        await desk.wait(600)
        assert not by_id(book)
        book.change(77, status="returned")
        await desk.until(lambda: status(desk, 77) == "returned", within=1_300)

    settled(watch())


@pytest.mark.slow
def test_however_much_is_open_a_read_asks_for_no_more_than_sixteen_things(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    for number in range(1, 301):
        open_for(book, number, minutes=1)
    asked: list[float] = []

    async def watch() -> None:
        book.before = lambda: asked.append(desk.clock.boot())
        await desk.wait(400)

    settled(watch())
    assert max(_reads(asked)) <= 16


@pytest.mark.slow
def test_what_is_shown_of_much_that_is_open_is_no_older_than_is_said(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """300 payments, at which a look is due after a tenth of some two minutes, all end at once."""
    for number in range(1, 301):
        open_for(book, number, minutes=1)

    async def watch() -> None:
        await desk.wait(30)
        for number in range(1, 301):
            book.change(number, status="completed")
        ended = desk.clock.boot()
        while any(status(desk, number) == "processing" for number in range(1, 301)):
            assert (desk.store.feed(Kind.PAYMENTS).read_at or 0.0) <= ended + 20
            await desk.wait(1)
        assert desk.clock.boot() <= ended + 90

    settled(watch())


@pytest.mark.slow
def test_what_is_open_is_read_by_itself_as_long_as_all_pages_are_more(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """150 of them, in 200 pages."""
    book.largest = 10
    for number in range(1, 151):
        open_for(book, number, minutes=1)

    async def watch() -> None:
        await desk.wait(300)

    settled(watch())
    assert pages(book).keys() == {"1"}
    assert len(by_id(book)) == 150


@pytest.mark.slow
def test_pages_that_take_long_are_not_read_again_and_again_for_what_is_open(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """Ten seconds for four pages: all of them every 200 seconds at the most (a twentieth)."""
    for number in range(1, 301):
        open_for(book, number, minutes=1)
    desk.network.connecting = 2.5

    async def watch() -> None:
        await desk.wait(900)

    settled(watch())
    assert 2 <= pages(book)["4"] <= 4


def test_a_total_that_does_not_fit_has_all_of_it_read_within_minutes(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        book.remove(300)
        await desk.until(lambda: status(desk, 300) == "", within=130)

    settled(watch())
    assert desk.store.feed(Kind.PAYMENTS).total == 1_999


def test_what_is_gone_when_it_is_looked_at_has_all_of_it_read_within_minutes(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """Another one came in its place, so that the total fits."""
    open_for(book, 100, minutes=2)
    open_for(book, 101, minutes=2)

    async def watch() -> None:
        await desk.wait(30)
        book.remove(100)
        book.add(2_001)
        await desk.until(lambda: status(desk, 100) == "", within=140)

    settled(watch())


def test_a_list_that_is_not_newest_first_is_read_whole_each_time(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    book.rows.reverse()

    async def watch() -> None:
        book.change(600, status="returned")
        await desk.until(lambda: status(desk, 600) == "returned", within=6)
        book.rows.append(book.rows[0] | {"paymentTransactionId": "new"})
        await desk.until(lambda: desk.count(Kind.PAYMENTS) == 2_001, within=6)

    settled(watch())


def test_a_list_that_comes_in_another_order_from_now_on_is_read_whole_again(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        await desk.wait(20)
        book.rows.reverse()
        await desk.wait(20)
        book.rows.append(book.rows[0] | {"paymentTransactionId": "new"})
        await desk.until(lambda: desk.count(Kind.PAYMENTS) == 2_001, within=6)

    settled(watch())


def test_a_service_that_sends_fewer_than_asked_for_is_read_the_same_way(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    book.largest = 100

    async def watch() -> None:
        await desk.wait(30)
        assert pages(book).keys() == {"1"}
        for number in range(2_001, 2_151):
            book.add(number)
        await desk.until(lambda: desk.count(Kind.PAYMENTS) == 2_150, within=6)
        await desk.wait(1)

    settled(watch())
    assert pages(book).keys() == {"1", "2", "3"}


@pytest.mark.slow
def test_a_row_that_comes_while_the_pages_are_read_is_read_with_them_or_next_time(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """Each answer to a read of the first ones finds one more payment than the one before."""
    number = 2_000

    def one_more() -> None:
        nonlocal number
        number += 1
        book.add(number)

    async def watch() -> None:
        book.before = one_more
        await desk.wait(60)
        book.before = lambda: None
        await desk.wait(10)
        assert desk.count(Kind.PAYMENTS) == number

    settled(watch())


def test_what_is_appended_to_a_list_that_was_newest_first_is_seen_within_two_minutes(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """Its history is newest first; no total tells that another payment is listed further down."""
    book.tells_total, book.appends = False, True

    async def watch() -> None:
        await desk.wait(200)
        book.add(2_001)
        await desk.until(lambda: status(desk, 2_001) == "completed", within=120)

    settled(watch())
    assert not desk.store.feed(Kind.PAYMENTS).remark


def test_once_a_new_row_came_first_the_first_page_is_enough_without_a_total(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    book.tells_total = False

    async def watch() -> None:
        book.add(2_001)
        await desk.until(lambda: status(desk, 2_001) == "completed", within=6)
        await desk.wait(10)
        book.asked.clear()
        await desk.wait(300)

    settled(watch())
    assert pages(book).keys() == {"1"}


@pytest.mark.parametrize(
    ("order", "asked"), [("newest_first", {"1"}), ("none", {"1", "2", "3", "4", "5"})]
)
def test_a_dialect_says_whether_the_first_page_is_enough(
    run: Run,
    book: BigBook,
    clock: ManualClock,
    order: Literal["newest_first", "none"],
    asked: set[str],
) -> None:
    book.tells_total = False
    dialect = load_dialect()
    paging = replace(dialect.paging, order=order)
    desk = Desk(book, clock, dialect=replace(dialect, tell_changes=frozenset(), paging=paging))

    async def watch() -> None:
        async with desk.at_work():
            await settle(desk, book)
            await desk.wait(60)

    run(watch())
    assert pages(book).keys() == asked


def test_a_list_too_long_to_be_read_every_two_minutes_says_that_it_may_be_late(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """Six answers (page 0 is one) of 2.2 s: it is read whole after 20 times that."""
    book.tells_total = False
    desk.network.connecting = 2.2

    async def watch() -> None:
        await desk.until(lambda: bool(desk.store.feed(Kind.PAYMENTS).remark), within=60)

    settled(watch())
    said = desk.store.feed(Kind.PAYMENTS).remark
    assert said == "new rows may show 5 min late; set [paging] order in the dialect"


def test_a_first_page_that_lacks_what_was_newest_has_all_of_it_read(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """From now on it is in no order: a new payment is anywhere."""
    book.tells_total = False

    async def watch() -> None:
        book.rows[:] = book.rows[700:] + book.rows[:700]
        await desk.wait(10)
        book.rows.insert(1_200, book.rows[0] | {"paymentTransactionId": "new"})
        await desk.until(lambda: desk.count(Kind.PAYMENTS) == 2_001, within=12)

    settled(watch())


def _reads(asked: list[float]) -> list[int]:
    """Return the number of requests of each read; reads are seconds apart."""
    reads = [0]
    for before, now in pairwise([float("-inf"), *asked]):
        if now - before > 2:
            reads.append(0)
        reads[-1] += 1
    return reads
