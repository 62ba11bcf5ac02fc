"""A service that supports `updatedSince` is asked for changes, and still verified."""

from __future__ import annotations

from datetime import timedelta

import pytest

from paytui.domain.models import Kind
from tests.support.big_book import Asked, BigBook, Row, name
from tests.support.clock import NOON, ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import PAYMENTS_ALONE, Desk
from tests.worker.long_list import settle, status


@pytest.fixture
def book(clock: ManualClock) -> BigBook:
    """Three pages of 500, whose newest change was made a month ago."""
    book = BigBook(clock, 1_200)
    book.since = "known"
    return book


@pytest.fixture
def desk(book: BigBook, clock: ManualClock) -> Desk:
    return Desk(book, clock, intervals=PAYMENTS_ALONE)


def lose(book: BigBook, number: int) -> Row:
    """A payment cannot be read: nothing says which one it is."""
    row = book.row(number)
    row["paymentTransactionId"] = None
    return row


def whole(asked: list[Asked]) -> list[Asked]:
    """Return the reads other than those of changes and the occasional first page."""
    return [one for one in asked if "updatedSince" not in one.query and one.query["page"] != "1"]


def test_after_one_whole_read_only_changes_are_asked_for(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """The newest of 1,200 was made 1,200 s into the day; half a minute before that is asked for."""

    async def watch() -> None:
        await desk.wait(30)

    settled(watch())
    made = NOON - timedelta(days=30) + timedelta(seconds=1_200 - 30)
    since = made.isoformat().replace("+00:00", "Z")
    assert {one.query["updatedSince"] for one in book.asked} == {since}
    assert len(book.asked) >= 5
    assert max(one.length for one in book.asked) < 10_000


def test_what_changed_and_what_is_new_is_seen_at_the_next_read(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        book.change(7, status="returned")
        await desk.until(lambda: status(desk, 7) == "returned", within=6)
        book.add(1_201)
        await desk.until(lambda: status(desk, 1_201) == "completed", within=6)
        assert not whole(book.asked)

    settled(watch())
    assert desk.count(Kind.PAYMENTS) == 1_201


def test_changes_and_etags_go_together(settled: Run, desk: Desk, book: BigBook) -> None:
    book.tags = "strong"

    async def watch() -> None:
        await desk.wait(8)
        book.asked.clear()
        await desk.wait(30)

    settled(watch())
    assert {(one.status, one.length) for one in book.asked} == {(304, 0)}


def test_a_read_of_changes_brings_the_age_on_and_wakes_nobody(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        before, versions = desk.store.feed(Kind.PAYMENTS), desk.versions()
        desk.wakes.clear()
        await desk.wait(30)
        after = desk.store.feed(Kind.PAYMENTS)
        assert desk.versions() == versions
        assert not desk.wakes
        assert before.read_at is not None
        assert after.read_at is not None
        assert after.read_at - before.read_at > 20
        assert after.whole_at == pytest.approx(before.read_at, abs=1)
        assert after.total == 1_200

    settled(watch())


def test_what_is_gone_is_found_within_minutes_by_a_total_that_does_not_fit(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        book.remove(600)
        await desk.wait(60)
        assert status(desk, 600) == "completed"
        await desk.until(lambda: status(desk, 600) == "", within=300)

    settled(watch())


def test_what_becomes_visible_late_is_found_within_minutes(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """It says that it was made before the newest change that was told."""
    late = book.rows.pop(20)

    async def watch() -> None:
        book.change(3, status="returned")
        await desk.wait(60)
        book.rows.insert(20, late)
        await desk.until(lambda: desk.count(Kind.PAYMENTS) == 1_200, within=300)

    settled(watch())


@pytest.mark.slow
def test_what_a_service_forgets_to_tell_is_found_within_half_an_hour(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        book.row(600)["status"] = "returned"
        await desk.until(lambda: status(desk, 600) == "returned", within=1_900)

    settled(watch())


def test_a_service_that_refuses_to_tell_is_read_in_other_ways_and_that_is_said(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    book.since = "refused"

    async def watch() -> None:
        await desk.wait(60)
        assert desk.store.feed(Kind.PAYMENTS).ok

    settled(watch())
    assert sum(one.status == 400 for one in book.asked) == 1
    assert (
        desk.store.feed(Kind.PAYMENTS).remark
        == "read in pages: the list of changes fails: HTTP 400"
    )


@pytest.mark.slow
def test_a_service_that_sends_everything_all_the_same_is_noticed_by_its_first_answer(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    book.since = "ignored"

    async def watch() -> None:
        await desk.wait(60)

    settled(watch())
    assert sum("updatedSince" in one.query for one in book.asked) == 1
    assert "holds everything" in desk.store.feed(Kind.PAYMENTS).remark
    assert desk.store.feed(Kind.PAYMENTS).ok


@pytest.mark.parametrize("appends", [False, True])
def test_a_service_that_looks_for_a_field_of_that_name_hides_no_new_payment(
    settled: Run, desk: Desk, book: BigBook, appends: bool
) -> None:
    """It answers with nothing, although a change was made later than what was asked for."""
    book.since, book.tells_total, book.appends = "filter", False, appends

    async def watch() -> None:
        await desk.wait(200)
        book.add(1_201)
        await desk.until(lambda: status(desk, 1_201) == "completed", within=120)

    settled(watch())
    said = "read in full: the list of changes is incomplete"
    assert desk.store.feed(Kind.PAYMENTS).remark == said
    assert sum("updatedSince" in one.query for one in book.asked) == 1


def test_where_nothing_says_when_it_changed_a_new_payment_is_seen_within_two_minutes(
    run: Run, desk: Desk, book: BigBook
) -> None:
    """Then no answer to a question for changes can be checked."""
    book.since, book.tells_total, book.appends = "filter", False, True
    for row in book.rows:
        del row["updatedAt"]

    async def watch() -> None:
        async with desk.at_work():
            await settle(desk, book)
            await desk.wait(200)
            book.add(1_201)
            await desk.until(lambda: status(desk, 1_201) == "completed", within=120)

    run(watch())


def test_the_newest_change_may_go_without_an_end_to_questions_for_changes(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        book.remove(1_200)
        await desk.wait(30)
        book.asked.clear()
        book.change(7, status="returned")
        await desk.until(lambda: status(desk, 7) == "returned", within=6)
        assert not whole(book.asked)

    settled(watch())


def test_a_list_that_is_empty_all_at_once_is_read_again_and_said_to_have_lost_its_rows(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        rows = book.rows[:]
        book.rows.clear()
        await desk.until(lambda: bool(desk.store.feed(Kind.PAYMENTS).remark), within=12)
        assert desk.store.feed(Kind.PAYMENTS).remark == "1,200 gone at once: read again"
        assert desk.count(Kind.PAYMENTS) == 1_200
        book.rows[:] = rows
        await desk.until(lambda: not desk.store.feed(Kind.PAYMENTS).remark, within=12)
        assert desk.count(Kind.PAYMENTS) == 1_200
        book.rows.clear()
        await desk.until(lambda: desk.count(Kind.PAYMENTS) == 0, within=24)
        assert "1,200 gone at once at 12:0" in desk.store.feed(Kind.PAYMENTS).remark

    settled(watch())


def test_a_refresh_tries_again_whether_it_tells(settled: Run, desk: Desk, book: BigBook) -> None:
    book.since = "refused"

    async def watch() -> None:
        await desk.wait(20)
        book.since = "known"
        desk.inbox.refresh()
        await desk.wait(20)

    settled(watch())
    assert desk.store.feed(Kind.PAYMENTS).remark == ""
    assert "updatedSince" in book.asked[-1].query


def test_a_change_that_is_dated_into_the_future_hides_no_other(
    run: Run, desk: Desk, book: BigBook
) -> None:
    """It claims to have been changed in ten years; what changes now is asked for all the same."""

    async def watch() -> None:
        async with desk.at_work():
            book.row(50)["updatedAt"] = "2036-03-02T12:00:00Z"
            await settle(desk, book)
            await desk.wait(20)
            book.change(7, status="returned")
            await desk.until(lambda: status(desk, 7) == "returned", within=6)
            assert not whole(book.asked)

    run(watch())


@pytest.mark.parametrize("seconds", [-600, -60, 600])
def test_a_service_whose_clock_is_set_hides_no_change(
    settled: Run, desk: Desk, book: BigBook, seconds: int
) -> None:
    """Set back or forth between two reads, and what changes right after is dated by that."""

    async def watch() -> None:
        book.change(3, status="returned")
        await desk.wait(180)
        book.ahead = timedelta(seconds=seconds)
        book.change(7, status="returned")
        await desk.until(lambda: status(desk, 7) == "returned", within=12)
        book.change(8, status="returned")
        await desk.until(lambda: status(desk, 8) == "returned", within=12)

    settled(watch())


@pytest.mark.parametrize("hours", [-3, 3])
def test_a_host_whose_clock_is_wrong_misses_no_change(
    settled: Run, desk: Desk, book: BigBook, clock: ManualClock, hours: int
) -> None:
    """The service tells no time either, so that only its rows say when something changed."""
    book.has_date = False
    book.ahead = timedelta(hours=hours)

    async def watch() -> None:
        await desk.wait(60)
        book.change(7, status="returned")
        await desk.until(lambda: status(desk, 7) == "returned", within=6)
        book.change(8, status="returned")
        await desk.until(lambda: status(desk, 8) == "returned", within=6)

    settled(watch())


def test_after_an_outage_all_that_changed_meanwhile_is_asked_for(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        book.change(3, status="returned")
        await desk.wait(10)
        app, desk.network.app = desk.network.app, None
        book.change(7, status="returned")
        await desk.wait(900)
        book.change(8, status="returned")
        desk.network.app = app
        await desk.until(lambda: status(desk, 7) == status(desk, 8) == "returned", within=60)
        assert not whole(book.asked)

    settled(watch())


def test_many_changes_at_one_moment_are_not_asked_for_for_ever(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """All 1,200 say that they changed at once: after one more look at them, only since just now."""
    for row in book.rows:
        row["updatedAt"] = "2026-03-01T00:00:00Z"

    async def watch() -> None:
        await desk.wait(30)

    settled(watch())
    asked = [one for one in book.asked if one.length > 10_000]
    assert len(asked) <= 3


def test_changes_that_are_cut_short_are_told_and_not_asked_for_for_ever(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """500 of 700 come each time; what is shown is as old as when all came, until all of it does."""
    book.cut = True

    def returned() -> int:
        return sum(status(desk, number) == "returned" for number in range(1, 701))

    async def watch() -> None:
        before = desk.store.feed(Kind.PAYMENTS).read_at
        for number in range(1, 701):
            book.change(number, status="returned")
        await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).cut, within=10)
        feed = desk.store.feed(Kind.PAYMENTS)
        assert feed.problem is not None
        assert "cut short" in feed.problem.what
        assert feed.read_at == before
        await desk.until(lambda: returned() == 700, within=30)
        await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok, within=2)
        assert "is incomplete" in desk.store.feed(Kind.PAYMENTS).remark

    settled(watch())


def test_a_change_that_cannot_be_read_is_asked_for_until_it_can_be(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """Another record could not be read from the start; others change before and after."""
    lose(book, 3)

    async def watch() -> None:
        book.change(500, status="returned")
        lost = lose(book, 500)
        for number in range(600, 700):
            await desk.wait(1)
            book.change(number, status="returned")
        assert status(desk, 500) == "completed"
        lost["paymentTransactionId"] = name(500)
        await desk.until(lambda: status(desk, 500) == "returned", within=6)

    settled(watch())


@pytest.mark.slow
def test_a_change_that_can_never_be_read_does_not_have_all_read_again_and_again(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """All is read twice an hour, and once more within two minutes: three pages each time."""

    async def watch() -> None:
        await desk.wait(200)
        book.change(1_200, status="returned")
        lose(book, 1_200)
        await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).skipped == 1, within=6)
        await desk.wait(1_500)

    settled(watch())
    assert len(whole(book.asked)) <= 2 * 2


def test_many_changes_for_one_that_cannot_be_read_are_not_asked_for_for_ever(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """What is sent again because one of it cannot be read ends when all was read."""

    async def watch() -> None:
        await desk.wait(200)
        book.change(5, status="returned")
        lose(book, 5)
        await desk.wait(40)
        for number in range(100, 400):
            book.change(number, status="returned")
        await desk.wait(150)
        book.asked.clear()
        await desk.wait(60)

    settled(watch())
    assert sum(one.length for one in book.asked) < 100_000
