"""Reads on demand of a screen: rows that are not in memory, raw objects and quotes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from math import inf
from typing import cast

from paytui.api.errors import ApiError
from paytui.api.resources import READS
from paytui.domain.models import Kind, Problem, RateSheet, Record
from paytui.domain.money import Pair
from paytui.domain.rates import Quote, QuoteId, sheet_left
from paytui.domain.requests import RateSheetRequest
from paytui.store.cache.file import CacheUnusable
from paytui.store.screen_rows import RawRead
from paytui.worker.sync.cache_writer import CacheSync
from paytui.worker.sync.freshness import Part
from paytui.worker.sync.health import feed_after
from paytui.worker.sync.ingest import Changed
from paytui.worker.sync.shared import FLOOR, NOT_OFFERED_RETRY, Failure, Jobs, PollLoop, Shared

SHEETS_KEPT = 50  # Sheets kept in the store, for the last change and the history of a pair
AHEAD = 2.0  # Seconds before the end of a sheet at which the next is requested
LATE_SHEET = 4.0  # Seconds after its end for which a seat waits for the next sheet of its desk
LONGEST_WAIT = 10.0  # Maximum seconds to sleep: the loop's clock stands still during a suspend

ATTEMPTED = "lock rates"


class RateSheetKeeper(PollLoop):
    """A loop that always holds a live rate sheet while pairs are watched (service.md §8)."""

    is_paused_with_lists = False

    def __init__(self, shared: Shared) -> None:
        super().__init__(Kind.RATE_SHEETS, shared)
        self._lifetime = shared.client.sheet_lifetime.total_seconds()
        self._pairs: tuple[Pair, ...] = ()
        self._sheet: RateSheet | None = None
        self._asked_for: Collection[Pair] = ()
        self._tell: Callable[[Changed], None] | None = None
        if shared.desk is not None:
            self._tell = shared.desk.join(self.kind, self._wake.set, lambda: bool(self._pairs))

    def watch(self, pairs: tuple[Pair, ...]) -> None:
        """Set the pairs to hold a sheet of; () for none."""
        if pairs != self._pairs:
            self._pairs = pairs
            self.poll_now()

    async def _poll(self) -> float | None:
        """Request a sheet if needed. Return seconds until the next call; None: until a change."""
        if not self._pairs:
            return None
        is_followed = self._follow()
        if (left := self._left()) > AHEAD:
            return min(left - AHEAD, LONGEST_WAIT)
        if is_followed and left > -LATE_SHEET:
            return FLOOR
        failure = await self._ask(self._pairs)
        self._shared.store.notify()
        if failure is None:
            self._backoff.reset()
            return min(max(self._left() - AHEAD, FLOOR), LONGEST_WAIT)
        if not failure.offered:
            return NOT_OFFERED_RETRY
        return self._backoff.after_failure(failure.retry_after)

    def _follow(self) -> bool:
        """Take over the sheet of another seat of the desk; return False if none asks for all."""
        desk = self._shared.desk
        followed = desk and desk.follow(self.kind, self._lifetime, is_urgent=False)
        if not followed:
            return False
        rows = [row for reading in followed.readings for row in reading.rows]
        if rows and followed.feed.read_at is not None:
            newest = cast("RateSheet", rows[-1])
            pairs = {rate.pair for rate in newest.rates} | {one.pair for one in newest.unavailable}
            if pairs >= set(self._pairs):
                sheet = replace(newest, sent_at=followed.feed.read_at)
                self._keep(sheet)
                self._shared.store.set_feed(followed.feed)
                self._shared.store.notify()
                self._sheet, self._asked_for = sheet, pairs
        return True

    def _left(self) -> float:
        """Return the seconds that the held sheet remains valid for the watched pairs."""
        sheet = self._sheet
        if sheet is None or not set(self._pairs) <= set(self._asked_for):
            return -inf
        return sheet_left(self._shared.service_time, sheet).total_seconds()

    async def _ask(self, pairs: tuple[Pair, ...]) -> Failure | None:
        shared = self._shared

        async def locked() -> RateSheet:
            sheet = await shared.client.create_rate_sheet(RateSheetRequest(currency_pairs=pairs))
            self._hold(sheet, pairs)
            return sheet

        found = await shared.attempt(locked(), ATTEMPTED)
        if not isinstance(found, Failure):
            if sheet_left(shared.service_time, found) > timedelta(0):
                return None
            end = f"{found.expires_at:%Y-%m-%d %H:%M:%S} UTC"
            what = f"the rate sheet had expired before it arrived, at {end}"
            remedy = "Check [fields.rate_sheet] expires_at in the dialect, and the service's clock."
            found = Failure(Problem(ATTEMPTED, what, remedy=remedy))
        self._report(Part(), [found])
        return found

    def _hold(self, sheet: RateSheet, pairs: tuple[Pair, ...]) -> None:
        self._keep(sheet)
        if self._tell is not None:
            self._tell({sheet.rate_sheet_id: cast("Record", sheet)})
        self._report(Part(sent=sheet.sent_at, skipped=sheet.skipped), [])
        self._sheet, self._asked_for = sheet, pairs

    def _keep(self, sheet: RateSheet) -> None:
        store = self._shared.store
        store.rate_sheets.put([sheet])
        oldest_first = sorted(store.rate_sheets.rows(), key=lambda held: held.sent_at)
        store.rate_sheets.remove(held.rate_sheet_id for held in oldest_first[:-SHEETS_KEPT])

    def _report(self, read: Part, failures: list[Failure]) -> None:
        store, time = self._shared.store, self._shared.service_time
        before = store.feed(self.kind)
        feed = feed_after(before, [read], failures, None, time, every=self._lifetime)
        desk = self._shared.desk
        store.set_feed(feed if desk is None else desk.was_read(self.kind, feed, failures))


QUOTES_KEPT = 20  # Quotes kept in the store; older ones have expired


class OnDemandReads:
    """The reads of rows that are not in memory, of raw objects, and of quotes.

    A new request for a raw object cancels the one before. Of rows only the newest stays in memory,
    an earlier one is released like any other. One that is being loaded is not cancelled, since that
    would cost the token of a sign-in.
    """

    def __init__(self, shared: Shared, cache: CacheSync | None) -> None:
        self._shared = shared
        self._store = shared.store
        self._cache = cache
        self._jobs = Jobs()
        self.run = self._jobs.run
        self._raw: asyncio.Task[None] | None = None
        self._loading: asyncio.Task[None] | None = None
        self._wanted: tuple[Kind, str] | None = None

    def read_raw(self, kind: Kind, identifier: str) -> None:
        """Read an object now; it appears in the store's `raw_reads`."""
        if self._raw is not None:
            self._raw.cancel()
        self._raw = self._jobs.begin(self._read_raw(kind, identifier))

    def load_row(self, kind: Kind, identifier: str) -> None:
        """Load a row from the cache, then from the service."""
        self._wanted = kind, identifier
        if self._loading is None or self._loading.done():
            self._loading = self._jobs.begin(self._load_rows())

    def ask_quote(self, quote_id: QuoteId, pair: Pair) -> None:
        """Request a rate sheet of one pair for one screen, which nothing replaces."""
        self._jobs.begin(self._ask_quote(Quote(quote_id, pair)))

    async def _read_raw(self, kind: Kind, identifier: str) -> None:
        shared, parameter, reads = self._shared, READS[kind].parameter, self._store.raw_reads
        answer = RawRead(kind, identifier, shared.service_time.earliest())
        row = self._store.table(kind).get(identifier)
        parent = getattr(row, parameter) if row is not None and parameter else None
        read = shared.client.raw.read(kind, identifier, parent)
        found = await shared.attempt(read, f"read {identifier} as it is sent")
        if isinstance(found, Failure):
            answer = replace(answer, problem=found.problem)
        else:
            answer = replace(answer, raw=found)
        reads.remove(reads.keys())
        reads.put([answer])
        self._store.notify()

    async def _ask_quote(self, quote: Quote) -> None:
        self._show(quote)
        request = RateSheetRequest(currency_pairs=(quote.pair,))
        found = await self._shared.attempt(
            self._shared.client.create_rate_sheet(request), ATTEMPTED
        )
        if isinstance(found, Failure):
            self._show(replace(quote, problem=found.problem))
        else:
            self._show(replace(quote, sheet=found))

    def _show(self, quote: Quote) -> None:
        quotes = self._store.quotes
        quotes.put([quote])
        quotes.remove(sorted(quotes.keys())[:-QUOTES_KEPT])
        self._store.notify()

    async def _load_rows(self) -> None:
        while self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            await self._load_row(*wanted)

    async def _load_row(self, kind: Kind, identifier: str) -> None:
        shared, table = self._shared, self._store.table(kind)
        if (retention := self._store.retention(kind)) is not None:
            retention.loaded = frozenset({identifier})
        try:
            with suppress(CacheUnusable):
                table.recall(await self._cached(kind, identifier))
            self._store.notify()
            async with shared.slots:
                table.put([await shared.client.get(kind, identifier)])
            self._store.notify()
        except ApiError:
            return  # which shows in the list's own health
        except Exception as error:  # noqa: BLE001 - a bug must not stop the feeds
            shared.report_bug(kind, f"read {identifier}", error)

    async def _cached(self, kind: Kind, identifier: str) -> tuple[Record, ...]:
        cache = self._cache
        if cache is None:
            return ()

        def read() -> tuple[Record, ...]:
            with closing(cache.open_lists()) as reader:
                return reader.by_id(kind, [identifier])

        rows: tuple[Record, ...] = await cache.in_thread(read)
        return rows
