"""The terms of the intents that created objects, by object."""

from __future__ import annotations

from paytui.domain.intent import IntentId, Terms
from paytui.domain.models import Kind
from paytui.store.store import Store

BY_OUR_RECORD = "by our record"
"""The note on values that were confirmed here and that the service does not tell."""


class OwnRecord:
    """An index of a store's intents by the object that they became; for one thread."""

    def __init__(self, store: Store) -> None:
        self._intents = store.intents
        self._since = 0
        self._became: dict[tuple[Kind, str], IntentId] = {}

    def of(self, kind: Kind, identifier: str) -> Terms | None:
        """Return the terms of the intent that created an object; None without one."""
        more = self._intents.version != self._since
        while more:
            changes = self._intents.changes(self._since)
            for row in changes.rows:
                if row.object_id is not None:
                    self._became[row.action.becomes, row.object_id] = row.intent_id
            self._since, more = changes.version, changes.more
        intent_id = self._became.get((kind, identifier))
        intent = None if intent_id is None else self._intents.get(intent_id)
        return None if intent is None else intent.terms
