"""Writes webhooks down where screens see them: so many and no more, whatever arrives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from paytui.api.events import Event
from paytui.store.reports import EventKey, EventRow
from paytui.store.store import Store
from paytui.worker.webhook_judge import Judgement

MOST_HEEDED = 800
MOST_OTHERS = 200
"""Apart from each other, so that no flood of forgeries washes away what happened."""


@dataclass(slots=True)
class _Ring:
    """Keys that are used one after the other, and then again: rows never leave a tombstone."""

    letter: str
    size: int
    used: int = 0

    @property
    def current(self) -> EventKey:
        return self._key(self.used - 1)

    def next(self) -> EventKey:
        self.used += 1
        return self.current

    def _key(self, number: int) -> EventKey:
        return EventKey(f"{self.letter}{number % self.size:03}")


class EventLog:
    """Keeps the newest webhooks in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._number = 0
        self._heeded = _Ring("e", MOST_HEEDED)
        self._others = _Ring("x", MOST_OTHERS)

    def add(self, judgement: Judgement, at: datetime, caused: str) -> EventRow:
        """Write one down; what is of no account and like the one before it counts that up.

        Args:
            judgement: what it said and how far it is trusted.
            at: service time at which it came.
            caused: what comes of it now.
        """
        row = self._row(judgement, at, caused)
        self._store.events.put([row])
        self._store.notify()
        return row

    def caused(self, row: EventRow, words: str) -> None:
        """Say what came of one, if it is still kept."""
        kept = self._store.events.get(row.event_key)
        if kept is not None and kept.number == row.number:
            self._store.events.put([replace(kept, caused=words)])
            self._store.notify()

    def _row(self, judgement: Judgement, at: datetime, caused: str) -> EventRow:
        event = judgement.event or Event(None, None)
        ring = self._heeded if judgement.trust.heeded else self._others
        before = None if judgement.trust.heeded else self._store.events.get(ring.current)
        self._number += 1
        row = EventRow(
            EventKey(""),
            self._number,
            at,
            judgement.trust,
            event_type=event.event_type,
            object_kind=event.kind,
            object_id=event.object_id,
            event_id=event.event_id,
            created_at=event.created_at,
            caused=caused,
            why=judgement.why,
        )
        if before is not None and _alike(before, row):
            return replace(before, received_at=at, times=before.times + 1)
        return replace(row, event_key=ring.next())


def _alike(one: EventRow, other: EventRow) -> bool:
    return (one.trust, one.event_id, one.why) == (other.trust, other.event_id, other.why)
