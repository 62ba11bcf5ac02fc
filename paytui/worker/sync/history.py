"""The recording of history: rates, balances and attention, in the book. Failures only pause it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import closing, suppress
from datetime import datetime, timedelta
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from paytui.book.errors import BookError, BookLocked
from paytui.book.file import BookReader, BookWriter
from paytui.domain.attention import AttentionKey, AttentionNote
from paytui.domain.models import Kind, RateSheet
from paytui.platform.clock import ServiceTime
from paytui.platform.processes import run_in_daemon_thread
from paytui.store.needs_attention import (
    AttentionCandidates,
    Floors,
    attention_is_known,
    attention_key,
    needs_attention,
)
from paytui.store.store import BookState, Store

RunInThread = Callable[[Callable[[], Any]], Awaitable[Any]]

EVERY = 5.0  # Seconds between two batches: some items come to need attention with time alone
THIN_EVERY = 3_600.0  # Seconds between checks for rates to thin

PLAUSIBLE = timedelta(minutes=2)
"""How far a sheet's stated time may be from its request, by the service's clock."""


class HistoryRecorder:
    """A task that records rates, balances and attention of a store in a book.

    If the book cannot be used, the store says why, and nothing more is recorded: notes on attention
    then last as long as the process. One that another process writes is tried again until that one
    has ended.

    Args:
        path: the book's file.
        floors: the minimum balances, which make a wallet need attention.
        in_thread: runs what waits for the disk beside the loop.
    """

    def __init__(
        self,
        store: Store,
        time: ServiceTime,
        path: Path,
        floors: Floors,
        *,
        in_thread: RunInThread = run_in_daemon_thread,
    ) -> None:
        self._store = store
        self._time = time
        self._path = path
        self._in_thread = in_thread
        self._clock = time.clock
        self._candidates = AttentionCandidates(store, floors)
        self._book: BookWriter | None = None
        self._is_locked = False
        self._writes = 0
        self._unwritten: dict[AttentionKey, AttentionNote | None] = {}
        self._sheets_seen = (0, 0)
        self._wallets_seen = 0
        self._read_at: float | None = None
        self._thinned_at = -inf

    async def run(self) -> None:
        """Record what is new every few seconds, until cancelled."""
        await self._guarded(self._open)
        while True:
            if self._is_locked:
                await self._guarded(self._open)
            self._follow_attention()
            if (write := self._news()) is not None:
                await self._guarded(write)
            self._store.notify()
            await asyncio.sleep(EVERY)

    def note(self, note: AttentionNote) -> None:
        """Record what a trader did with an item; one that is over is left alone."""
        if self._store.attention.get(note.key) is not None:
            self._put(note)
            self._store.notify()

    def close(self) -> None:
        """Write what is left, and close the book."""
        book, self._book = self._book, None
        if book is not None:
            with suppress(BookError):
                book.add_notes(self._unwritten, self._time.latest())
            book.close()

    def _open(self) -> None:
        self._book = BookWriter(self._path)
        with closing(BookReader(self._path)) as reader:
            self._store.attention.put(reader.attention())

    async def _guarded(self, write: Callable[[], None]) -> None:
        """Call `write` in a thread; after a failure, say why, and record nothing more."""
        try:
            await self._in_thread(write)
        except BookError as error:
            self._is_locked = isinstance(error, BookLocked)
            book, self._book = self._book, None
            if book is not None:
                book.close()
            self._store.set_book(BookState(self._path, self._writes, error.problem))
        else:
            self._is_locked = False
            self._writes += 1
            self._store.set_book(BookState(self._path, self._writes))

    # Attention

    def _follow_attention(self) -> None:
        """Note when each item was first seen, and which ones are over."""
        for follower in self._candidates.followers:
            while follower.take_in():
                pass
        if not attention_is_known(self._store):
            return
        now, noted = self._time.latest(), self._store.attention
        keys = {attention_key(item) for item in needs_attention(self._candidates, now)}
        for key in keys - noted.keys():
            self._put(AttentionNote(key, now))
        gone = noted.keys() - keys
        noted.remove(gone)
        self._unwritten |= dict.fromkeys(gone)

    def _put(self, note: AttentionNote) -> None:
        self._store.attention.put([note])
        self._unwritten[note.key] = note

    # Rates and balances

    def _news(self) -> Callable[[], None] | None:
        """Return the call that writes what is new; None if nothing is."""
        book = self._book
        if book is None:
            return None
        writes = [*self._new_sheets(book), *self._new_balances(book)]
        if self._unwritten:
            notes, self._unwritten = self._unwritten, {}
            writes.append(partial(book.add_notes, notes, self._time.latest()))
        if (self._clock.boot() - self._thinned_at) >= THIN_EVERY:
            self._thinned_at = self._clock.boot()
            writes.append(partial(_thin, book, self._time.latest()))
        return partial(_call_all, writes) if writes else None

    def _new_sheets(self, book: BookWriter) -> Iterator[Callable[[], None]]:
        """Yield the calls that write the sheets of the watched pairs and of tickets."""
        versions = self._store.rate_sheets.version, self._store.quotes.version
        if versions == self._sheets_seen:
            return
        self._sheets_seen = versions
        quotes = (quote.sheet for quote in self._store.quotes.rows())
        for sheet in (*self._store.rate_sheets.rows(), *quotes):
            if sheet is not None and sheet.rates:
                rates = {rate.pair: rate.rate for rate in sheet.rates}
                yield partial(book.add_rates, sheet.rate_sheet_id, self._time_of(sheet), rates)

    def _time_of(self, sheet: RateSheet) -> datetime:
        """Return the service time of a sheet; one without a plausible time counts as requested."""
        age = timedelta(seconds=self._clock.boot() - sheet.sent_at)
        requested = self._time.latest() - age
        made = sheet.created_at
        return made if made is not None and abs(made - requested) < PLAUSIBLE else requested

    def _new_balances(self, book: BookWriter) -> Iterator[Callable[[], None]]:
        """Yield the call that writes balances, once after each read of the wallets."""
        feed, wallets = self._store.feed(Kind.WALLETS), self._store.wallets
        if not feed.was_read or feed.read_at is None or feed.read_at == self._read_at:
            return
        self._read_at = feed.read_at
        rows = [] if wallets.version == self._wallets_seen else wallets.confirmed(wallets.rows())
        self._wallets_seen = wallets.version
        held = {
            row.wallet_id: (row.available_balance, row.reserved_balance, row.pending_balance)
            for row in rows
            if row.available_balance is not None
        }
        age = timedelta(seconds=self._clock.boot() - feed.read_at)
        yield partial(book.add_balances, self._time.latest() - age, held)


def _thin(book: BookWriter, now: datetime) -> None:
    while book.thin(now):
        pass


def _call_all(calls: Iterable[Callable[[], None]]) -> None:
    for call in calls:
        call()
