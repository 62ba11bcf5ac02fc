"""The recording of history: rates, balances and attention, in the book. Failures only pause it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from paytui.book.file import BookError, BookLocked, BookReader, BookWriter
from paytui.domain.colleagues import AttentionKey, AttentionNote, SharedNote
from paytui.domain.models import Kind, Problem
from paytui.domain.rates import sheet_time
from paytui.platform.clock import ServiceTime
from paytui.platform.processes import RunInThread, run_in_daemon_thread
from paytui.store.needs_attention import (
    AttentionCandidates,
    Floors,
    attention_is_known,
    attention_key,
    needs_attention,
)
from paytui.store.store import BookState, Store

if TYPE_CHECKING:  # without a desk it is not loaded
    from paytui.worker.sync.colleagues import ColleagueLink


EVERY = 5.0  # Seconds between two batches: some items come to need attention with time alone
LOCK_LASTS = 30.0  # Seconds from which a lock by another process is a problem
THIN_EVERY = 3_600.0  # Seconds between checks for rates to thin


class HistoryRecorder:
    """A task that records rates, balances and attention of a store in a book.

    If the book cannot be used, the store says why, and nothing more is recorded: notes on attention
    then last as long as the process. One that another process writes is tried again until that one
    has ended; the store says so if that takes long: a demo's past takes seconds to write.

    Args:
        floors: the minimum balances, which make a wallet need attention.
        in_thread: runs what waits for the disk beside the loop.

    With a link to colleagues, which is `shared`, what they do with items holds here, too.
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
        self._locked_at = inf  # Boot time of the first of several attempts
        self._writes = 0
        self._unwritten: dict[AttentionKey, AttentionNote | None] = {}
        self._handed: dict[AttentionKey, AttentionNote | None] = {}
        self._recalled: list[AttentionNote] = []
        self.shared: ColleagueLink | None = None
        self._unsent: dict[str, SharedNote | None] = {}
        self._recalled_unsent: list[SharedNote] = []
        self._sheets_seen = (0, 0)
        self._wallets_seen = 0
        self._read_at: float | None = None
        self._thinned_at = -inf

    async def run(self) -> None:
        """Record what is new every few seconds, until cancelled."""
        await self._begin()
        while True:
            self._follow_attention()
            if (write := self._news()) is not None:
                await self._guarded(write)
            self._store.notify()
            await asyncio.sleep(EVERY)
            if self._locked_at < inf:
                await self._begin()

    def note(self, note: AttentionNote) -> None:
        """Record what a trader did with an item; one that is over is left alone."""
        if self._store.attention.get(note.key) is None:
            self._follow_attention()  # A screen may see an item first
        if self._store.attention.get(note.key) is not None:
            self._put(note)
            self._store.notify()

    def take_in_marks(self, keys: Iterable[AttentionKey]) -> None:
        """Take in what colleagues did with items."""
        for note in filter(None, map(self._store.attention.get, keys)):
            if (marked := self._marked(note)) != note:
                self._put(marked)

    def keep(self, note_id: str, note: SharedNote | None) -> None:
        """Keep a note until it is handed in to the desk; None: it is."""
        self._unsent[note_id] = note

    def close(self) -> None:
        """Write what is left, and close the book."""
        book, self._book = self._book, None
        if book is not None:
            with suppress(BookError):
                book.add_notes(self._unwritten, self._time.latest())
                book.keep_unsent(self._unsent)
            book.close()

    async def _begin(self) -> None:
        """Open the book, and take up its notes."""
        await self._guarded(self._open)
        recalled, self._recalled = self._recalled, []
        for note in recalled:
            if note.key not in self._unwritten:
                self._store.attention.put([note])
            elif (ours := self._unwritten[note.key]) is not None:
                self._put(_merged(note, ours))
        unsent, self._recalled_unsent = self._recalled_unsent, []
        if self.shared is not None:
            self.shared.recall(unsent)
            self.take_in_marks(note.key for note in recalled)

    def _open(self) -> None:
        self._book = BookWriter(self._path)
        with closing(BookReader(self._path)) as reader:
            self._recalled = reader.attention()
            self._recalled_unsent = reader.unsent()

    async def _guarded(self, write: Callable[[], None]) -> None:
        """Call `write` in a thread; after a failure, say why, and record nothing more."""
        try:
            await self._in_thread(write)
        except Exception as error:  # noqa: BLE001 - whatever it is, everything else goes on
            now, is_locked = self._clock.boot(), isinstance(error, BookLocked)
            self._locked_at = min(self._locked_at, now) if is_locked else inf
            problem = (
                error.problem
                if isinstance(error, BookError)
                else Problem("keep a history", "it failed unexpectedly", repr(error))
            )
            if not is_locked or now - self._locked_at >= LOCK_LASTS:
                self._store.book = BookState(self._path, self._writes, problem)
            book, self._book = self._book, None
            if book is not None:
                with suppress(Exception):  # as before
                    await self._in_thread(book.close)  # it may wait for the disk
        else:
            self._locked_at = inf
            self._writes += 1
            handed, self._handed = self._handed, {}
            for key, note in handed.items():
                if self._unwritten.get(key) is note:  # no newer one came meanwhile
                    del self._unwritten[key]
            self._store.book = BookState(self._path, self._writes)

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
            self._put(self._marked(AttentionNote(key, now)))
        gone = noted.keys() - keys
        noted.remove(gone)
        if self.shared is not None:
            self.shared.end(gone)
        self._unwritten |= dict.fromkeys(gone)

    def _marked(self, note: AttentionNote) -> AttentionNote:
        return note if self.shared is None else self.shared.marked(note)

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
            self._handed = dict(self._unwritten)
            writes.append(partial(book.add_notes, self._handed, self._time.latest()))
        if self._unsent:
            unsent, self._unsent = self._unsent, {}
            writes.append(partial(book.keep_unsent, unsent))
        is_due = self._clock.boot() - self._thinned_at >= THIN_EVERY
        if is_due and self._time.known:  # this host's clock may be years ahead
            self._thinned_at = self._clock.boot()
            writes.append(partial(_thin, book, self._time.latest()))

        def write() -> None:
            for each in writes:
                each()

        return write if writes else None

    def _new_sheets(self, book: BookWriter) -> Iterator[Callable[[], None]]:
        """Yield the calls that write the sheets of the watched pairs and of tickets."""
        versions = self._store.rate_sheets.version, self._store.quotes.version
        if versions == self._sheets_seen:
            return
        self._sheets_seen = versions
        quotes = (quote.sheet for quote in self._store.quotes.rows())
        for sheet in (*self._store.rate_sheets.rows(), *quotes):
            if sheet is not None and sheet.rates:
                at = sheet_time(self._time, sheet)
                yield partial(book.add_rates, sheet.rate_sheet_id, at, sheet.by_pair)

    def _new_balances(self, book: BookWriter) -> Iterator[Callable[[], None]]:
        """Yield the call that writes balances, after a read of the wallets that it has news of."""
        feed, wallets = self._store.feed(Kind.WALLETS), self._store.wallets
        if not feed.was_read or feed.read_at is None or feed.read_at == self._read_at:
            return
        self._read_at = feed.read_at
        held = None
        if wallets.version != self._wallets_seen:
            self._wallets_seen = wallets.version
            held = {
                row.wallet_id: (row.available_balance, row.reserved_balance, row.pending_balance)
                for row in wallets.confirmed(wallets.rows())
            }
        time = self._time.latest() - timedelta(seconds=self._clock.boot() - feed.read_at)
        if held is not None or book.is_due(time):
            yield partial(book.add_balances, time, held)


def _merged(earlier: AttentionNote, ours: AttentionNote) -> AttentionNote:
    """Return one note of two dashboards'; what either's trader did counts."""
    return replace(
        ours,
        first_seen=min(earlier.first_seen, ours.first_seen),
        acknowledged=earlier.acknowledged or ours.acknowledged,
        snoozed_until=ours.snoozed_until or earlier.snoozed_until,
    )


def _thin(book: BookWriter, now: datetime) -> None:
    while book.thin(now):
        pass
