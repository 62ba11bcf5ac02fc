"""Reads on demand of a screen: older rows, raw objects and quotes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from paytui.api.errors import ApiError
from paytui.api.resources import READS
from paytui.domain.models import Kind, Record
from paytui.domain.money import Pair
from paytui.domain.older_rows import OlderRowsQuery
from paytui.domain.rates import Quote, QuoteId
from paytui.domain.requests import RateSheetRequest
from paytui.store.cache.file import CacheUnusable
from paytui.store.cache.read import CacheReader
from paytui.store.reports import RawRead
from paytui.worker.sync.health import unexpected
from paytui.worker.sync.poller import Shared
from paytui.worker.sync.rates import ATTEMPTED
from paytui.worker.tasks import Jobs

MOST = 1_000
"""Maximum number of older rows that are loaded; the newest are preferred."""

OpenReader = Callable[[], CacheReader]
"""Opens the cache; raises `CacheUnusable`."""


class OlderRowsLoader:
    """A loader of rows that are not in memory, from the cache and the service.

    Only the newest query counts: rows of earlier ones are released like any others.

    Args:
        open_reader: opens the cache; None if there is none.
    """

    def __init__(self, shared: Shared, open_reader: OpenReader | None) -> None:
        self._shared = shared
        self._open_reader = open_reader
        self._wanted: list[tuple[Kind, OlderRowsQuery]] = []
        self._wake = asyncio.Event()

    def ask(self, kind: Kind, query: OlderRowsQuery) -> None:
        """Load the rows of a query, unless its whole kind is in memory."""
        self._wanted = [(kind, query)]
        self._wake.set()

    async def run(self) -> None:
        """Carry out queries, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._wanted:
                await self._load(*self._wanted.pop())

    async def _load(self, kind: Kind, query: OlderRowsQuery) -> None:
        store = self._shared.store
        retention, table = store.retention(kind), store.table(kind)
        if retention is None or not retention.in_force:
            return
        rows = self._cached_rows(kind, query)
        retention.reached = frozenset({table.key(row) for row in rows} | {query.identifier})
        table.recall(rows)
        store.notify()
        if query.identifier:
            await self._read(kind, query.identifier)

    def _cached_rows(self, kind: Kind, query: OlderRowsQuery) -> list[Record]:
        if self._open_reader is None:
            return []
        try:
            reader = self._open_reader()
        except CacheUnusable:
            return []
        try:
            return reader.reach(kind, query, MOST)
        except CacheUnusable:
            return []
        finally:
            reader.close()

    async def _read(self, kind: Kind, identifier: str) -> None:
        """Read an object from the service; a failure shows in the list's own health."""
        shared = self._shared
        try:
            async with shared.slots:
                row = await shared.client.get(kind, identifier)
            shared.store.table(kind).put([row])
            shared.store.notify()
        except ApiError:
            return
        except Exception as error:  # noqa: BLE001 - a bug must not stop the feeds
            shared.report_bug(kind, f"read {identifier}", error)


class RawKeeper:
    """A reader of single objects as raw text. A new request cancels the one before."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._wanted: tuple[Kind, str] | None = None
        self._wake = asyncio.Event()

    def ask(self, kind: Kind, identifier: str) -> None:
        """Read an object now; it appears in the store's `raw_reads`."""
        self._wanted = kind, identifier
        self._wake.set()

    async def run(self) -> None:
        """Carry out requests, until cancelled."""
        reading: asyncio.Task[None] | None = None
        async with asyncio.TaskGroup() as group:
            while True:
                await self._wake.wait()
                self._wake.clear()
                if reading is not None:
                    reading.cancel()
                if self._wanted is not None:
                    reading = group.create_task(self._read(*self._wanted))

    async def _read(self, kind: Kind, identifier: str) -> None:
        shared = self._shared
        answer = RawRead(kind, identifier, shared.service_time.earliest())
        try:
            raw = await shared.client.raw.read(kind, identifier, self._parent(kind, identifier))
        except ApiError as error:
            shared.link.failed(error)
            self._show(replace(answer, problem=error.problem))
        except Exception as error:  # noqa: BLE001 - the trader who waits is told of a bug
            problem = unexpected(f"read {identifier} as it is sent", error).problem
            self._show(replace(answer, problem=problem))
        else:
            shared.link.succeeded()
            self._show(replace(answer, raw=raw))

    def _parent(self, kind: Kind, identifier: str) -> str | None:
        """Return the wallet or recipient of an object, as far as the store knows."""
        row, parameter = self._shared.store.table(kind).get(identifier), READS[kind].parameter
        return getattr(row, parameter) if row is not None and parameter else None

    def _show(self, answer: RawRead) -> None:
        reads = self._shared.store.raw_reads
        reads.remove(reads.keys())
        reads.put([answer])
        self._shared.store.notify()


KEPT = 20
"""Quotes kept in the store; older ones have expired."""


class QuoteKeeper:
    """A source of quotes: rate sheets of one pair for one screen, which nothing replaces."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._jobs = Jobs()

    def ask(self, quote_id: QuoteId, pair: Pair) -> None:
        """Request a quote of a pair. Call it on the worker's loop."""
        self._jobs.begin(self._ask(Quote(quote_id, pair)))

    async def run(self) -> None:
        """Carry out requests, until cancelled."""
        await self._jobs.run()

    async def _ask(self, quote: Quote) -> None:
        shared = self._shared
        self._show(quote)
        try:
            request = RateSheetRequest(currency_pairs=(quote.pair,))
            sheet = await shared.client.create_rate_sheet(request)
        except ApiError as error:
            shared.link.failed(error)
            self._show(replace(quote, problem=error.problem))
        except Exception as error:  # noqa: BLE001 - the trader who waits is told of a bug
            self._show(replace(quote, problem=unexpected(ATTEMPTED, error).problem))
        else:
            shared.link.succeeded()
            self._show(replace(quote, sheet=sheet))

    def _show(self, quote: Quote) -> None:
        quotes = self._shared.store.quotes
        quotes.put([quote])
        quotes.remove(sorted(quotes.keys())[:-KEPT])
        self._shared.store.notify()
