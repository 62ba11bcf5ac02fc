"""Polling that is paused, unobserved, or limited in its requests."""

from __future__ import annotations

import pytest

from paytui.domain.models import Kind
from tests.support.big_book import PAYMENTS, BigBook
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import Desk
from tests.worker.long_list import open_for, status


@pytest.fixture
def book(clock: ManualClock) -> BigBook:
    book = BigBook(clock, 700)
    book.since = "known"
    return book


@pytest.fixture
def desk(book: BigBook, clock: ManualClock) -> Desk:
    return Desk(book, clock)


def test_nothing_is_read_while_it_is_paused_and_at_once_when_it_goes_on(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        desk.inbox.pause(paused=True)
        book.change(7, status="returned")
        await desk.wait(1_000)
        assert not book.asked
        desk.inbox.pause(paused=False)
        await desk.until(lambda: status(desk, 7) == "returned", within=2)
        book.change(8, status="returned")
        await desk.until(lambda: status(desk, 8) == "returned", within=6)

    settled(watch())


def test_a_refresh_reads_once_while_it_is_paused(settled: Run, desk: Desk, book: BigBook) -> None:
    async def watch() -> None:
        desk.inbox.pause(paused=True)
        await desk.wait(60)
        book.change(7, status="returned")
        desk.inbox.refresh()
        await desk.until(lambda: status(desk, 7) == "returned", within=2)
        book.asked.clear()
        await desk.wait(300)
        assert not book.asked

    settled(watch())


def test_what_is_tracked_pauses_too(settled: Run, clock: ManualClock, book: BigBook) -> None:
    desk = Desk(book, clock, tracked={Kind.TRADES: ["t1"]})

    async def watch() -> None:
        desk.inbox.pause(paused=True)
        await desk.wait(60)
        desk.network.requests.clear()
        await desk.wait(300)
        assert not desk.network.requests

    settled(watch())


def test_what_nobody_looks_at_is_read_a_quarter_as_often_until_somebody_does(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    """Every 5 s while it is on screen, every 20 s while it is not."""

    async def watch() -> None:
        desk.inbox.on_screen({Kind.WALLETS})
        await desk.wait(200)
        assert 8 <= len(book.asked) <= 12
        assert not desk.store.feed(Kind.PAYMENTS).problem
        await desk.wait(8)
        book.change(7, status="returned")
        desk.inbox.on_screen({Kind.PAYMENTS})
        await desk.until(lambda: status(desk, 7) == "returned", within=6)
        book.asked.clear()
        await desk.wait(200)
        assert 35 <= len(book.asked) <= 50

    settled(watch())


def test_what_is_about_to_change_is_read_as_often_as_if_somebody_looked(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    open_for(book, 100, minutes=1)

    async def watch() -> None:
        desk.inbox.on_screen({Kind.WALLETS})
        await desk.wait(200)

    settled(watch())
    assert len(book.asked) >= 35


def test_flipping_through_screens_does_not_ask_each_time(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        for _ in range(100):
            desk.inbox.on_screen({Kind.WALLETS})
            await desk.wait(0.1)
            desk.inbox.on_screen({Kind.PAYMENTS})
            await desk.wait(0.1)

    settled(watch())
    assert desk.network.counts[PAYMENTS] <= 10


def test_a_screen_of_what_is_not_polled_leaves_all_else_as_it_is(
    settled: Run, desk: Desk, book: BigBook
) -> None:
    async def watch() -> None:
        desk.inbox.on_screen({Kind.PAYMENTS})
        await desk.wait(10)
        desk.inbox.on_screen({Kind.PAYMENTS, Kind.RATE_SHEETS})
        await desk.wait(60)

    settled(watch())
    assert len(book.asked) >= 10
