"""Following what another process does with an outbox, as it writes it down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from paytui.api.models import Problem
from paytui.clock import Clock
from paytui.intent import IntentRow, Standing
from paytui.outbox.errors import OutboxError
from paytui.outbox.history import History
from paytui.store.store import Store
from paytui.worker.intent_rows import row_of

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
            How old what is shown is, and why, where it cannot be read for long; else nothing.
        """
        try:
            self._read()
        except OutboxError as error:
            self._failures += 1
            return self._what_fails(error.problem) if self._failures >= PATIENCE else ""
        self._failures, self._as_of = 0, self._clock.now()
        return ""

    def close(self) -> None:
        """Let go of the outbox."""
        self._history.close()

    def _read(self) -> None:
        owned = self._history.is_owned()  # asked first: what an owner wrote at its end is then seen
        self._is_behind = self._history.changed() or self._is_behind
        if self._is_behind:
            self._take_in([row_of(recorded) for recorded in self._history.read()])
            self._is_behind = False
        left = self._on_their_way if owned else map(_in_doubt, self._on_their_way)
        self._store.intents.put(left)

    def _take_in(self, rows: Sequence[IntentRow]) -> None:
        self._on_their_way = [row for row in rows if row.standing is Standing.SENDING]
        self._store.intents.put(row for row in rows if row.standing is not Standing.SENDING)

    def _what_fails(self, problem: Problem) -> str:
        if self._as_of is None:
            return f"What was sent from here cannot be shown. {problem}"
        return f"What was sent is shown as it was at {self._as_of:%H:%M:%S} UTC. {problem}"


def _in_doubt(row: IntentRow) -> IntentRow:
    """What was on its way when its sender ended, while nobody is there to write that down."""
    what = "paytui ended while it was on its way"
    remedy = "It is looked for once a dashboard sends from this outbox."
    problem = Problem(f"send {row.title}", what, remedy=remedy)
    return replace(row, standing=Standing.IN_DOUBT, problem=problem)
