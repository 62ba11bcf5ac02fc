"""The seat's part among colleagues: it tells which ticket is open here, and shares notes.

What a trader does with an item that needs attention holds for all traders of a desk; the newest
word on it counts. What is done while the desk is away holds here at once, is kept in the book, and
is handed in later. Nothing of this decides what is sent.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from paytui.domain.colleagues import (
    AttentionKey,
    AttentionNote,
    NoteKind,
    OpenTicket,
    SharedNote,
    as_shared,
    key_of,
)
from paytui.domain.models import Problem
from paytui.platform.clock import ServiceTime
from paytui.store.colleagues import ColleagueExchange, DeskState, Meeting
from paytui.store.shared_readings import NotShared
from paytui.store.store import Store
from paytui.worker.sync.book_recorder import HistoryRecorder
from paytui.worker.sync.shared import unexpected

HEARTBEAT = 20.0  # Seconds between two looks; each tells that this dashboard is there
LASTS = 45.0  # Seconds for which what was heard of a colleague counts; the schema has it too
SOONEST = 1.0  # Seconds between two looks at the least
RETRY_AFTER = 5.0  # Seconds between looks while the desk is away
LEAVE_WITHIN = 0.5  # Seconds that the end of the dashboard may wait for the desk


class ColleagueLink:
    """A task of the worker that meets the colleagues, and hands in notes.

    Args:
        history: has the items that need attention, and keeps what is not handed in.
    """

    def __init__(
        self,
        exchange: ColleagueExchange,
        store: Store,
        time: ServiceTime,
        rng: random.Random,
        history: HistoryRecorder,
    ) -> None:
        self._exchange = exchange
        self._store = store
        self._time = time
        self._rng = rng
        self._history = history
        self._ticket: OpenTicket | None = None
        self._unsent: dict[str, SharedNote] = {}
        self._marks: dict[AttentionKey, SharedNote] = {}
        self._met_at: float | None = None
        self._woken = asyncio.Event()
        store.set_desk(DeskState())
        history.shared = self

    # For screens

    def tell_ticket(self, ticket: OpenTicket | None) -> None:
        if ticket != self._ticket:
            self._ticket = ticket
            self._woken.set()

    def add_note(self, subject: str, words: str) -> None:
        now = self._time.latest()
        note = SharedNote(
            note_id=self._new_id(), kind=NoteKind.NOTE, subject=subject, at=now, words=words
        )
        if note.fits:
            self._store.shared_notes.put([note])
            self._keep(note)
            self._store.notify()

    def note_attention(self, note: AttentionNote) -> None:
        """Share what was done with an item; one that only this dashboard has is left alone."""
        if self._store.attention.get(note.key) is None:
            return
        shared = as_shared(note, self._new_id(), self._time.latest())
        if shared.fits:
            self._forget_unsent(note.key)
            self._marks[note.key] = shared
            self._keep(shared)

    # For the history

    def marked(self, note: AttentionNote) -> AttentionNote:
        """Return the note of an item, set aside or not as the newest word on it says."""
        mark = self._marks.get(note.key)
        return note if mark is None else mark.on(note)

    def end(self, keys: Iterable[AttentionKey]) -> None:
        """End what was said of items that are gone: they may come back."""
        for key in keys:
            mark = self._marks.get(key)
            if mark is None or mark.kind is NoteKind.OVER:
                continue
            self._forget_unsent(key)
            if mark.number is None:
                del self._marks[key]
                continue
            over = SharedNote(
                note_id=self._new_id(),
                kind=NoteKind.OVER,
                subject=key,
                at=self._time.latest(),
                ends=mark.number,
            )
            self._marks[key] = over
            self._keep(over)

    def recall(self, notes: Iterable[SharedNote]) -> None:
        """Take up notes that an earlier process did not hand in."""
        for note in notes:
            self._unsent[note.note_id] = note
            if (key := key_of(note)) is None:
                self._store.shared_notes.put([note])
            else:
                self._marks.setdefault(key, note)
        self._woken.set()

    # The task

    async def run(self) -> None:
        """Look, tell and hand in, until cancelled."""
        loop = asyncio.get_running_loop()
        self._exchange.listen(partial(loop.call_soon_threadsafe, self._woken.set))
        while True:
            self._woken.clear()
            try:
                await self._hand_in()
                wait = self._take_in(await self._exchange.meet(self._ticket))
            except NotShared as error:
                wait = self._miss(error.problem)
            except Exception as error:  # noqa: BLE001 - a bug must not stop the feeds
                wait = self._miss(unexpected("meet the colleagues", error).problem)
            self._store.notify()
            await asyncio.sleep(SOONEST)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait - SOONEST):
                    await self._woken.wait()

    async def leave(self) -> None:
        """Tell the colleagues that this dashboard is closed, if that takes no time."""
        desk = self._store.desk
        if self._met_at is not None and (desk is None or desk.problem is None):
            with suppress(NotShared, TimeoutError):
                async with asyncio.timeout(LEAVE_WITHIN):
                    await self._exchange.leave()

    async def _hand_in(self) -> None:
        for note_id, note in list(self._unsent.items()):
            await self._exchange.add(note)
            self._unsent.pop(note_id, None)
            self._history.keep(note_id, None)

    def _take_in(self, meeting: Meeting) -> float:
        """Show what is new; return the seconds until the next look."""
        if meeting.colleagues is not None:
            self._show({colleague.seat for colleague in meeting.colleagues})
            self._store.colleagues.put(meeting.colleagues)
        changed: set[AttentionKey] = set()
        for note in meeting.notes:
            if (key := key_of(note)) is None:
                self._store.shared_notes.put([note])
            elif not self._is_newer_here(key):
                self._marks[key] = note
                changed.add(key)
        self._history.take_in_marks(
            key for key in changed if self._marks[key].kind is not NoteKind.OVER
        )
        self._met_at = self._time.clock.boot()
        self._store.set_desk(DeskState(self._time.latest()))
        return min(HEARTBEAT, max(SOONEST, meeting.lasts + 0.5))

    def _miss(self, problem: Problem) -> float:
        """Note why the desk cannot be asked; forget colleagues who were not heard of for long."""
        if self._met_at is None or self._time.clock.boot() - self._met_at > LASTS:
            self._show(frozenset())
        before = self._store.desk or DeskState()
        self._store.set_desk(replace(before, problem=problem))
        return RETRY_AFTER

    def _show(self, seats: Collection[int]) -> None:
        """Show no other colleagues than those in these seats."""
        self._store.colleagues.remove(self._store.colleagues.keys() - set(seats))

    def _is_newer_here(self, key: AttentionKey) -> bool:
        """Return True if what was done here is still to be handed in, after all that came."""
        mark = self._marks.get(key)
        return mark is not None and mark.note_id in self._unsent and mark.kind is not NoteKind.OVER

    def _keep(self, note: SharedNote) -> None:
        self._unsent[note.note_id] = note
        self._history.keep(note.note_id, note)
        self._woken.set()

    def _forget_unsent(self, key: AttentionKey) -> None:
        """Forget what was done with an item and is not handed in."""
        mark = self._marks.get(key)
        if mark is not None and self._unsent.pop(mark.note_id, None) is not None:
            self._history.keep(mark.note_id, None)

    def _new_id(self) -> str:
        return f"{self._rng.getrandbits(96):024x}"
