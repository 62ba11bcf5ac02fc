"""New objects that are not active yet: a trader waits for them, so their kind is read often."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from paytui.domain.models import Kind, Recipient, State
from paytui.platform.clock import Clock
from paytui.store.payees import addresses_of
from paytui.store.store import Store

LOOK = 3.0
"""Seconds between two reads."""

PATIENCE = 600.0
"""Seconds after which the usual interval of its kind will do."""

UNRIPE = frozenset({"pending", "pending_checks"})
"""Canonical states in which nothing can be done yet with an account, wallet or recipient."""


_WITH_ADDRESSES = (Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES)
PARTS = {Kind.RECIPIENTS: _WITH_ADDRESSES, Kind.PAYMENT_ADDRESSES: _WITH_ADDRESSES}
"""Kinds that are read for one: payment addresses may come within their recipient, and a recipient
is of no use before its payment address is."""


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
        self._waits = asyncio.Event()

    def wait_for(self, kind: Kind, identifier: str) -> None:
        """Something was made."""
        self._since[kind, identifier] = self._clock.boot()
        self._waits.set()

    async def run(self) -> None:
        """Look again and again while there is anything to wait for, until cancelled."""
        while True:
            await self._waits.wait()
            await asyncio.sleep(LOOK)
            waited_for = [one for one in self._since if self._is_unripe(*one)]
            self._since = {one: self._since[one] for one in waited_for}
            if not waited_for:
                self._waits.clear()
            kinds = {kind for kind, _ in waited_for}
            for part in {part for kind in kinds for part in PARTS.get(kind, (kind,))}:
                self._read(part)

    def _is_unripe(self, kind: Kind, identifier: str) -> bool:
        if self._clock.boot() - self._since[kind, identifier] >= PATIENCE:
            return False
        row = self._store.table(kind).get(identifier)
        parts = addresses_of(self._store, row) if isinstance(row, Recipient) else ()
        states = [getattr(one, "status", None) for one in (row, *parts)]
        return any(isinstance(state, State) and state.name in UNRIPE for state in states)
