"""The day and the last hours of a pair, from a real book and from sheets; values by hand."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from paytui.book.file import BookWriter
from paytui.domain.money import Pair
from paytui.domain.rates import DayStart, Price, parse_day_start
from paytui.platform.clock import ServiceTime
from paytui.store.rate_board import RateDay
from paytui.store.store import BookState, Store
from paytui.tui.rate_history import RateHistory
from tests.support.clock import NOON, ManualClock
from tests.tui.book import AUD_USD, USD_AUD, sheet

YESTERDAY = NOON - timedelta(hours=12, minutes=1)  # 23:59


@pytest.fixture
def book(tmp_path: Path) -> BookState:
    """Rates of yesterday, of the first minute of the day, and of the last hours."""
    path = tmp_path / "demo.book.sqlite"
    writer = BookWriter(path)
    for minutes, rate in (
        (-721, "0.60"),
        (-719, "0.61"),
        (-240, "0.63"),
        (-20, "0.62"),
        (-18, "0.65"),
    ):
        rates = {AUD_USD: Decimal(rate), USD_AUD: Decimal("1.6")}
        writer.add_rates(f"s{minutes}", NOON + timedelta(minutes=minutes), rates)
    writer.close()
    return BookState(path, 1)


class Reading:
    """A history on a book, and the store of new sheets."""

    def __init__(self, book: BookState | None, day: DayStart | None = None) -> None:
        self.store, self.clock = Store(), ManualClock()
        if book is not None:
            self.store.book = book
        self.history = RateHistory(self.store, ServiceTime(self.clock), day or DayStart())

    def read(self, *pairs: Pair) -> bool:
        return asyncio.run(self.history.read(pairs))

    def put(self, name: str, rate: str) -> None:
        self.store.rate_sheets.put([sheet(name, self.clock, {AUD_USD: rate})])
        self.history.follow()


def figures(day: RateDay) -> tuple[str, ...]:
    return tuple(str(price) for price in (day.first, day.low, day.high))


def test_the_day_begins_at_its_start_and_not_with_what_came_before(book: BookState) -> None:
    reading = Reading(book)
    assert reading.read(AUD_USD)
    day = reading.history.of(AUD_USD, Price.BID)
    assert figures(day) == ("0.61", "0.61", "0.65")
    assert day.since == NOON - timedelta(minutes=719)


def test_the_day_starts_in_its_zone(book: BookState) -> None:
    """07:00 in Sydney is 20:00 UTC in March: yesterday's rates belong to the day."""
    reading = Reading(book, parse_day_start("07:00 Australia/Sydney"))
    reading.read(AUD_USD)
    assert figures(reading.history.of(AUD_USD, Price.BID)) == ("0.60", "0.60", "0.65")


def test_a_quarter_of_an_hour_without_a_rate_is_blank(book: BookState) -> None:
    """The last day to 11:42: 0.60, 0.61, 0.63 at 08:00, and 0.65 after 0.62 from 11:40 on."""
    reading = Reading(book)
    reading.read(AUD_USD)
    trail = reading.history.of(AUD_USD, Price.BID).trail
    assert len(trail) == 24 * 4
    assert trail[-15:] == (Decimal("0.63"), *[None] * 13, Decimal("0.65"))
    assert [str(price) for price in trail if price] == ["0.60", "0.61", "0.63", "0.65"]


def test_an_offer_is_the_inverse_with_its_lows_and_highs(book: BookState) -> None:
    reading = Reading(book)
    reading.read(USD_AUD)
    assert figures(reading.history.of(AUD_USD, Price.OFFER)) == ("0.625", "0.625", "0.625")


def test_new_sheets_go_on_from_the_book_without_reading_it_again(book: BookState) -> None:
    reading = Reading(book)
    reading.put("live", "0.70")
    reading.read(AUD_USD)
    assert figures(reading.history.of(AUD_USD, Price.BID)) == ("0.61", "0.61", "0.70")
    reading.clock.advance(150)
    reading.put("next", "0.59")
    assert figures(reading.history.of(AUD_USD, Price.BID)) == ("0.61", "0.59", "0.70")
    assert not reading.read(AUD_USD)


def test_a_new_day_begins_with_its_first_sheet(book: BookState) -> None:
    reading = Reading(book)
    reading.read(AUD_USD)
    reading.clock.advance(12 * 3600 + 60)
    assert figures(reading.history.of(AUD_USD, Price.BID)) == ("None", "None", "None")
    reading.put("tomorrow", "0.66")
    assert figures(reading.history.of(AUD_USD, Price.BID)) == ("0.66", "0.66", "0.66")


@pytest.mark.parametrize("missing", [True, False])
def test_without_a_book_there_is_what_the_session_saw(tmp_path: Path, *, missing: bool) -> None:
    reading = Reading(BookState(tmp_path / "none.book.sqlite") if missing else None)
    reading.put("live", "0.70")
    reading.read(AUD_USD)
    assert reading.history.of(USD_AUD, Price.BID) == RateDay()
    assert figures(reading.history.of(AUD_USD, Price.BID)) == ("0.70", "0.70", "0.70")


def test_a_second_reader_waits_for_the_first_which_may_be_cancelled(book: BookState) -> None:
    """A screen that is left while it reads: the next one shows the history nevertheless."""

    async def scenario(*, is_left: bool) -> str:
        history = Reading(book).history
        first = asyncio.create_task(history.read([AUD_USD]))
        second = asyncio.create_task(history.read([AUD_USD]))
        await asyncio.sleep(0)  # both have begun, and neither can have ended
        if is_left:
            first.cancel()
        assert await second
        return str(history.of(AUD_USD, Price.BID).first)

    assert asyncio.run(scenario(is_left=False)) == "0.61"
    assert asyncio.run(scenario(is_left=True)) == "0.61"
