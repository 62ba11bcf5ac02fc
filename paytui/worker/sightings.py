"""Objects that carry an intent's identifier in their reference, seen as the lists are read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from paytui.api.resources import READS, identifier_of
from paytui.domain.intent import IntentId, tags_of
from paytui.domain.models import Kind, Payment, Record, Trade
from paytui.outbox.entry import Entry
from paytui.store.store import Store


class Sightings:
    """Follows the store's payments and trades; looks at what changed alone.

    What carries an identifier stays in memory until it was looked at, however old it is.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._versions = {Kind.PAYMENTS: 0, Kind.TRADES: 0}
        self._seen: defaultdict[IntentId, dict[str, Trade | Payment]] = defaultdict(dict)
        self._waiting: dict[Kind, set[str]] = {kind: set() for kind in self._versions}
        for kind in self._versions:
            if (retention := store.retention(kind)) is not None:
                retention.hold(self._is_new)

    def scan(self) -> list[Trade | Payment]:
        """Look at what changed since the last time, and return it.

        What only another run has seen proves nothing: it is looked at once it was read.
        """
        found = [row for kind in self._versions for row in self._changed(kind)]
        self._note(found)
        return found

    def _changed(self, kind: Kind) -> Iterator[Trade | Payment]:
        if self._store.feed(kind).cached:
            return
        table, more = self._store.table(kind), True
        unconfirmed = table.unconfirmed()
        rows = [table.get(key) for key in self._waiting[kind] - unconfirmed]
        self._waiting[kind] &= unconfirmed
        while more:
            changes = table.changes(self._versions[kind])
            self._versions[kind], more = changes.version, changes.more
            keyed = {table.key(row): row for row in changes.rows}
            self._waiting[kind] |= keyed.keys() & unconfirmed
            rows += [row for key, row in keyed.items() if key not in unconfirmed]
        yield from (row for row in rows if isinstance(row, Trade | Payment))

    def of(self, entry: Entry) -> dict[str, Trade | Payment]:
        """The objects of its kind that carry an intent's identifier, by their own."""
        wanted = READS[entry.action.becomes].record
        seen = self._seen.get(entry.intent_id, {})
        return {key: record for key, record in seen.items() if isinstance(record, wanted)}

    def _is_new(self, row: Record) -> bool:
        if not isinstance(row, Trade | Payment):
            return False
        seen = (self._seen.get(tag, {}) for tag in tags_of(row.reference))
        return any(identifier_of(row) not in objects for objects in seen)

    def _note(self, rows: Iterable[Trade | Payment]) -> None:
        for row in rows:
            for intent_id in tags_of(row.reference):
                self._seen[intent_id][identifier_of(row)] = row
