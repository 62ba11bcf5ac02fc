"""Following what another process does with an outbox, as it writes it down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from paytui.domain.intent import IntentRow, Standing
from paytui.domain.models import Problem
from paytui.outbox.errors import OutboxError
from paytui.outbox.history import History
from paytui.platform.clock import Clock
from paytui.store.store import Store
from paytui.worker.intent_rows import left_in_doubt, row_of

PATIENCE = 3
"""Looks that may fail one after the other, as beside a busy writer, before it is said."""


class Follower:
    """Shows intents that this process does not send.

    Args:
        history: of the outbox; closed with `close`.
        clock: tells how old what is shown is, where it cannot be read any more.
    """

    def __init__(self, history: History, store: Store, clock: Clock) -> None:
        self._history = history
        self._store = store
        self._clock = clock
        self._on_their_way: Sequence[IntentRow] = ()
        self._is_behind = True
        self._failures = 0
        self._as_of: datetime | None = None

    def look(self) -> str:
        """Show what is new.

        Returns:
            How old what is shown is, and why, where it cannot be read for long; how the outbox is
            damaged; else nothing.
        """
        try:
            self._read()
        except OutboxError as error:
            self._failures += 1
            return self._what_fails(error.problem) if self._failures >= PATIENCE else ""
        self._failures, self._as_of = 0, self._clock.now()
        return str(self._history.damage.problem) if self._history.damage else ""

    @property
    def damaged(self) -> bool:
        """Return True if the outbox is damaged."""
        return self._history.damage is not None

    def close(self) -> None:
        """Let go of the outbox."""
        self._history.close()

    def _read(self) -> None:
        owned = self._history.is_owned()  # asked first: what an owner wrote at its end is then seen
        self._is_behind = self._history.changed() or self._is_behind
        if self._is_behind:
            self._take_in([row_of(recorded) for recorded in self._history.read()])
            self._is_behind = False
        left = self._on_their_way if owned else map(left_in_doubt, self._on_their_way)
        self._store.intents.put(left)

    def _take_in(self, rows: Sequence[IntentRow]) -> None:
        self._on_their_way = [row for row in rows if row.standing is Standing.SENDING]
        self._store.intents.put(row for row in rows if row.standing is not Standing.SENDING)

    def _what_fails(self, problem: Problem) -> str:
        if self._as_of is None:
            return f"What was sent from here cannot be shown. {problem}"
        return f"What was sent is shown as it was at {self._as_of:%H:%M:%S} UTC. {problem}"
