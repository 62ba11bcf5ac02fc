"""Objects that carry an intent's identifier in their reference, seen as the lists are read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from paytui.api.kinds import READS
from paytui.api.models import Payment, Trade
from paytui.intent import IntentId, tags_of
from paytui.outbox.entry import Entry
from paytui.store.store import Store
from paytui.worker.booked import identifier_of


class Sightings:
    """Follows the store's payments and trades; looks at what changed alone."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._payments_seen = 0
        self._trades_seen = 0
        self._seen: defaultdict[IntentId, dict[str, Trade | Payment]] = defaultdict(dict)

    def scan(self) -> list[Trade | Payment]:
        """Look at what changed since the last time, and return it."""
        found: list[Trade | Payment] = []
        more = True
        while more:
            payments = self._store.payments.changes(self._payments_seen)
            trades = self._store.trades.changes(self._trades_seen)
            self._payments_seen, self._trades_seen = payments.version, trades.version
            found += [*payments.rows, *trades.rows]
            more = payments.more or trades.more
        self._note(found)
        return found

    def of(self, entry: Entry) -> dict[str, Trade | Payment]:
        """The objects of its kind that carry an intent's identifier, by their own."""
        wanted = READS[entry.action.becomes].record
        seen = self._seen.get(entry.intent_id, {})
        return {key: record for key, record in seen.items() if isinstance(record, wanted)}

    def _note(self, rows: Iterable[Trade | Payment]) -> None:
        for row in rows:
            for intent_id in tags_of(row.reference):
                self._seen[intent_id][identifier_of(row)] = row
