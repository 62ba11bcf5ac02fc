"""What was made here and is not ready yet: somebody waits for it, so its kind is read often."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from paytui.api.models import Kind, State
from paytui.clock import Clock
from paytui.store.store import Store

LOOK = 3.0
"""Seconds between two reads."""

PATIENCE = 600.0
"""Seconds after which the usual interval of its kind will do."""

UNRIPE = frozenset({"pending", "pending_checks"})
"""Canonical states in which nothing can be done yet with an account, wallet or recipient."""


class Ripening:
    """Has kinds read while objects of theirs are not ready.

    Args:
        store: what is known of them.
        clock: for how long they have been waited for.
        read: ends the pause of what reads a kind.
    """

    def __init__(self, store: Store, clock: Clock, read: Callable[[Kind], None]) -> None:
        self._store = store
        self._clock = clock
        self._read = read
        self._since: dict[tuple[Kind, str], float] = {}

    def wait_for(self, kind: Kind, identifier: str) -> None:
        """Something was made."""
        self._since[kind, identifier] = self._clock.boot()

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await asyncio.sleep(LOOK)
            waited_for = [one for one in self._since if self._is_unripe(*one)]
            self._since = {one: self._since[one] for one in waited_for}
            for kind in {kind for kind, _ in waited_for}:
                self._read(kind)

    def _is_unripe(self, kind: Kind, identifier: str) -> bool:
        row = self._store.table(kind).get(identifier)
        state = getattr(row, "status", None)
        waited = self._clock.boot() - self._since[kind, identifier]
        return isinstance(state, State) and state.name in UNRIPE and waited < PATIENCE
