"""What stands in for the submitter where nothing may be sent: it says why, and keeps nothing."""

from __future__ import annotations

from paytui.api.models import Problem
from paytui.intent import Decision, Intent, IntentRow, Sending, Standing
from paytui.store.store import Store

READS_ONLY = "This program only reads."


class TurnedAway:
    """Takes intents and turns each away: read-only, or the outbox cannot be used.

    Args:
        why: shown on every screen that could send something.
    """

    def __init__(self, store: Store, why: str) -> None:
        self._store = store
        self._why = why
        store.set_sending(Sending(allowed=False, why=why))

    def submit(self, intent: Intent) -> None:
        """Show that nothing was sent."""
        problem = Problem(f"send {intent.title}", "nothing was sent", remedy=self._why)
        self._store.intents.put([row_turned_away(intent, problem)])
        self._store.notify()

    def decide(self, decision: Decision) -> None:
        """Nothing is decided here."""

    def open(self) -> None:
        """There is no outbox."""

    async def run(self) -> None:
        """There is nothing to follow."""

    def close(self) -> None:
        """There is no outbox."""


def row_turned_away(intent: Intent, problem: Problem) -> IntentRow:
    """An intent that was not written down, so that nothing of it was sent."""
    return IntentRow(
        intent_id=intent.intent_id,
        action=intent.action,
        title=intent.title,
        confirmed_at=intent.confirmed_at,
        terms=intent.terms,
        standing=Standing.NOT_RECORDED,
        since=intent.confirmed_at,
        problem=problem,
    )
