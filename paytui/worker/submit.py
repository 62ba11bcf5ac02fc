"""Carries out what traders confirmed, each intent once."""

from __future__ import annotations

from paytui.api.models import Problem
from paytui.intent import Decision, Intent, IntentRow, Standing
from paytui.store.store import Store


class Submitter:
    """Takes intents from the port; what comes of them stands in the store's `intents`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def submit(self, intent: Intent) -> None:
        """Refuse it: there is no outbox to write it down in."""
        problem = Problem(f"send {intent.title}", "there is no outbox", remedy="Nothing was sent.")
        row = IntentRow(
            intent_id=intent.intent_id,
            action=intent.action,
            title=intent.title,
            confirmed_at=intent.confirmed_at,
            terms=intent.terms,
            standing=Standing.NOT_RECORDED,
            since=intent.confirmed_at,
            problem=problem,
        )
        self._store.intents.put([row])
        self._store.notify()

    def decide(self, decision: Decision) -> None:
        """Nothing is open."""
