"""Objects that carry an intent's identifier in their reference, seen as the lists are read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from paytui.api.kinds import READS
from paytui.api.models import Kind, Payment, Trade
from paytui.intent import IntentId, tags_of
from paytui.outbox.entry import Entry
from paytui.store.store import Store
from paytui.worker.booked import identifier_of


class Sightings:
    """Follows the store's payments and trades; looks at what changed alone."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._versions = {Kind.PAYMENTS: 0, Kind.TRADES: 0}
        self._seen: defaultdict[IntentId, dict[str, Trade | Payment]] = defaultdict(dict)

    def scan(self) -> list[Trade | Payment]:
        """Look at what changed since the last time, and return it.

        What only another run has seen proves nothing: it is looked at once the list was read.
        """
        found = [row for kind in self._versions for row in self._changed(kind)]
        self._note(found)
        return found

    def _changed(self, kind: Kind) -> Iterator[Trade | Payment]:
        more = not self._store.feed(kind).cached
        while more:
            changes = self._store.table(kind).changes(self._versions[kind])
            self._versions[kind], more = changes.version, changes.more
            yield from (row for row in changes.rows if isinstance(row, Trade | Payment))

    def of(self, entry: Entry) -> dict[str, Trade | Payment]:
        """The objects of its kind that carry an intent's identifier, by their own."""
        wanted = READS[entry.action.becomes].record
        seen = self._seen.get(entry.intent_id, {})
        return {key: record for key, record in seen.items() if isinstance(record, wanted)}

    def _note(self, rows: Iterable[Trade | Payment]) -> None:
        for row in rows:
            for intent_id in tags_of(row.reference):
                self._seen[intent_id][identifier_of(row)] = row
