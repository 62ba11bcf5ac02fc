"""A read-only stand-in for orders: says why, and shows what others sent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paytui.api.resources import TRACKED
from paytui.domain.intent import Decision, Intent, Sending
from paytui.domain.models import Kind, Problem
from paytui.outbox.history import History
from paytui.platform.clock import Clock
from paytui.store.store import Store
from paytui.worker.as_created import created
from paytui.worker.follow import Follower
from paytui.worker.intent_rows import row_turned_away
from paytui.worker.journal import FOLLOWED

EVERY = 5.0
"""Seconds between two looks for what another process has written."""


@dataclass(frozen=True, slots=True)
class Closed:
    """Nothing may be sent.

    Attributes:
        why: shown wherever something could be sent.
        history: of the outbox that another process may send from.
        damaged: see `Sending`.
    """

    why: str
    history: History | None = None
    damaged: bool = False


READS_ONLY = Closed("This program only reads.")


class TurnedAway:
    """Takes intents and turns each away."""

    def __init__(self, store: Store, closed: Closed, clock: Clock) -> None:
        self._store = store
        self._closed = closed
        history = closed.history
        self._follower = None if history is None else Follower(history, store, clock)
        self._made: Mapping[Kind, Sequence[str]] = {}
        self._made_at = 0
        self._has_looked = False
        store.set_sending(Sending(allowed=False, why=closed.why, damaged=closed.damaged))

    def submit(self, intent: Intent) -> None:
        """Show that nothing was sent."""
        problem = Problem(f"send {intent.title}", "nothing was sent", remedy=self._closed.why)
        self._store.intents.put([row_turned_away(intent, problem)])
        self._store.notify()

    def decide(self, decision: Decision) -> None:
        """Nothing is decided here."""

    def made(self) -> Mapping[Kind, Sequence[str]]:
        """Return the objects that another process created, to be read one by one."""
        intents = self._store.intents
        if not self._has_looked:
            self.open()
        if intents.version != self._made_at:
            self._made_at = intents.version
            self._made = {kind: created(self._store, kind, FOLLOWED) for kind in TRACKED}
        return self._made

    def open(self) -> None:
        """Show the content of the outbox, if it can be read."""
        self._has_looked = True
        if self._follower is not None:
            words = self._follower.look()
            is_said = self._closed.damaged and self._follower.damaged
            why = f"{self._closed.why} {words}" if words and not is_said else self._closed.why
            damaged = self._closed.damaged or self._follower.damaged
            self._store.set_sending(Sending(allowed=False, why=why, damaged=damaged))
            self._store.notify()

    async def run(self) -> None:
        """Follow what another process does, until cancelled."""
        while self._follower is not None:
            await asyncio.sleep(EVERY)
            self.open()

    def close(self) -> None:
        """Let go of the outbox."""
        if self._follower is not None:
            self._follower.close()
