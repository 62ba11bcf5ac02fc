"""The history of rates for the screens: read once from the book, then kept by each new sheet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import datetime
from typing import TypeVar

from paytui.book.file import BookError, BookReader
from paytui.book.history import MINUTE, SECOND, Bar, Millis, millis, moment, thinned
from paytui.domain.money import Pair
from paytui.domain.rates import DayStart, Price, sheet_time
from paytui.platform.clock import ServiceTime
from paytui.platform.processes import run_in_daemon_thread
from paytui.store.rate_board import RateDay
from paytui.store.store import Store

T = TypeVar("T")

TRAIL_PARTS, TRAIL_PART = 96, Millis(15 * MINUTE)
TRAIL = Millis(TRAIL_PARTS * TRAIL_PART)  # 24 hours

SAME = Millis(SECOND)
"""Time within which two rates of a pair are of the same sheet, from the book and from the store."""


class RateHistory:
    """The day and the last 24 hours of each pair.

    Attributes:
        version: changes with the history.
    """

    def __init__(self, store: Store, time: ServiceTime, day_start: DayStart) -> None:
        self._store = store
        self._time = time
        self._day_start = day_start
        self._bars: dict[Pair, list[Bar]] = {}
        self._read: frozenset[Pair] = frozenset()
        self._reading = asyncio.Lock()
        self._was_recorded = False
        self._sheets_seen = 0
        self.version = 0

    @property
    def day_began(self) -> datetime:
        return self._day_start.begun(self._time.latest())

    def follow(self) -> None:
        """Take in new sheets of the store."""
        table = self._store.rate_sheets
        if table.version == self._sheets_seen:
            return
        self._sheets_seen = table.version
        kept_from = min(millis(self.day_began), Millis(millis(self._time.latest()) - TRAIL))
        for pair, rate in newer_bars(self._store, self._time, self._bars):
            bars = self._bars.setdefault(pair, [])
            bars[-1:] = self._thinned([*bars[-1:], rate])
            while len(bars) > 1 and bars[0].ended < kept_from:
                del bars[0]
        self.version += 1

    async def read(self, pairs: Iterable[Pair]) -> bool:
        """Read the history of pairs from the book, unless it was; return True if it is new.

        It is read again once the book is recorded that another process held. A caller waits for
        the reading of another one, which may be cancelled.
        """
        before = self.version
        async with self._reading:
            wanted, recorded = frozenset(pairs) | self._read, is_recorded(self._store)
            is_known = wanted == self._read and (self._was_recorded or not recorded)
            if not is_known and self._store.book is not None:
                await self._read_bars(wanted)
                self._read, self._was_recorded = wanted, recorded
        return self.version != before

    async def _read_bars(self, pairs: frozenset[Pair]) -> None:
        since = min(millis(self.day_began), Millis(millis(self._time.latest()) - TRAIL))

        def bars_of(reader: BookReader) -> dict[Pair, list[Bar]]:
            found = reader.rates(pairs, since)
            return {pair: self._thinned(bars) for pair, bars in found.items()}

        found = await read_book(self._store, bars_of)
        self._bars = self._bars if found is None else found
        self._sheets_seen = -1  # sheets that the book does not have yet
        self.follow()

    def _thinned(self, bars: Iterable[Bar]) -> list[Bar]:
        """Return one bar for each part of the trail, and two for one in which a day begins."""
        began = millis(self.day_began)
        known = list(bars)
        before = [bar for bar in known if bar.began < began]
        return [*thinned(before, TRAIL_PART), *thinned(known[len(before) :], TRAIL_PART)]

    def of(self, pair: Pair, side: Price) -> RateDay:
        """Return the history of the bid or offer of a pair whose base is sold."""
        known = self._bars.get(pair.reverse if side is Price.OFFER else pair, ())
        bars = [bar.inverted() for bar in known] if side is Price.OFFER else list(known)
        if not bars:
            return RateDay()
        began = millis(self.day_began)
        today = [bar for bar in bars if bar.began >= began]
        parts: dict[int, Bar] = {bar.began // TRAIL_PART: bar for bar in bars}
        newest = bars[-1].ended // TRAIL_PART
        trail = [parts.get(part) for part in range(newest - TRAIL_PARTS + 1, newest + 1)]
        return RateDay(
            first=today[0].first if today else None,
            low=min((bar.low for bar in today), default=None),
            high=max((bar.high for bar in today), default=None),
            since=moment(today[0].began) if today else None,
            trail=tuple(None if bar is None else bar.last for bar in trail),
        )


def is_recorded(store: Store) -> bool:
    """Return True if the history is being recorded by this process."""
    return store.book is not None and store.book.problem is None


def newer_bars(
    store: Store, time: ServiceTime, known: dict[Pair, list[Bar]]
) -> Iterator[tuple[Pair, Bar]]:
    """Yield the rates of the store's sheets that come after the known bars, in order of time."""
    ended = {pair: bars[-1].ended for pair, bars in known.items() if bars}
    for sheet in sorted(store.rate_sheets.rows(), key=lambda sheet: sheet.sent_at):
        at = millis(sheet_time(time, sheet))
        for rate in sheet.rates:
            if at > ended.get(rate.pair, at - 2 * SAME) + SAME:
                ended[rate.pair] = Millis(at)
                yield rate.pair, Bar.at(at, rate.rate)


async def read_book(store: Store, read: Callable[[BookReader], T]) -> T | None:
    """Return what `read` returns, called in a thread; None if there is no history to read."""
    book = store.book
    if book is None:
        return None

    def call() -> T:
        with closing(BookReader(book.path)) as reader:
            return read(reader)

    try:
        return await run_in_daemon_thread(call)
    except BookError:
        return None
