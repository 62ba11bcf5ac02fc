"""Turns what webhooks hint at into reads: soon, together where they are many, never too often."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from paytui.api.errors import ApiError, NotFound, NotOffered, NotSeen, NotSent, Refused
from paytui.api.resources import READS
from paytui.domain.models import Kind, Record, State
from paytui.domain.money import MISSING
from paytui.store.reports import EventRow
from paytui.worker.event_log import EventLog
from paytui.worker.pace import REST_FACTOR, Backoff
from paytui.worker.polling import Shared
from paytui.worker.report import failure_of, reading, unexpected

GAP = 0.2
"""Seconds at the least between two reads that webhooks cause."""

LISTS_GAP = 2.0
"""Seconds at the least between two times that they have lists read."""

MOST_WAITING = 25
"""Objects that wait to be read one by one; with more, the list of their kind is read instead."""

TOUCHED: dict[Kind, tuple[Kind, ...]] = {
    Kind.PAYMENTS: (Kind.WALLETS,),
    Kind.TRADES: (Kind.WALLETS,),
    Kind.PAYINS: (Kind.WALLETS,),
}
"""What else changes with an object: money moves between wallets."""

WAITS = "waits to be read"
LISTED = "its list is read again"
NOTHING_NAMED = "names nothing that can be read"


class EventReads:
    """Reads the objects that events name, and says what came of each.

    Args:
        shared: what pollers work with.
        log: where it is said.
        look: has the list of a kind read now.
    """

    def __init__(self, shared: Shared, log: EventLog, look: Callable[[Kind], None]) -> None:
        self._shared = shared
        self._clock = shared.service_time.clock
        self._log = log
        self._look = look
        self._backoff = Backoff(shared.rng)
        self._waiting: dict[tuple[Kind, str], list[EventRow]] = {}
        self._stale: set[Kind] = set()
        self._looked_at = float("-inf")
        self._wake = asyncio.Event()

    def ask(self, row: EventRow) -> None:
        """Read what an event names; at once returns, and later says in the log what came of it."""
        if row.object_kind is None or row.object_id is None:
            self._log.caused(row, NOTHING_NAMED)
            return
        named = row.object_kind, row.object_id
        if named in self._waiting or len(self._waiting) < MOST_WAITING:
            self._waiting.setdefault(named, []).append(row)
        else:
            self._touch(row.object_kind)
            self._log.caused(row, LISTED)
        self._wake.set()

    async def run(self) -> None:
        """Read what is asked for, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._until_look()):
                    await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                pause = await self._next()
                self._look_again()
                await asyncio.sleep(pause)
            self._look_again()

    async def _next(self) -> float:
        """Read the object that waits longest.

        Returns:
            Seconds to wait before the next one.
        """
        kind, identifier = named = next(iter(self._waiting))
        # Taken now: an event that comes while this is read may tell of what it will not see.
        rows = self._waiting.pop(named)
        began = self._clock.monotonic()
        try:
            words = await self._outcome(kind, identifier)
        except ApiError as error:
            return self._give_up(rows, error)
        for row in rows:
            self._log.caused(row, words)
        self._backoff.reset()
        return max(GAP, REST_FACTOR * (self._clock.monotonic() - began))

    def _give_up(self, rows: list[EventRow], error: ApiError) -> float:
        """Leave all that waits to the polls, which go on by themselves where a service fails."""
        self._shared.link.failed(error)
        failure = failure_of(error)
        for row in chain(rows, *self._waiting.values()):
            self._log.caused(row, f"not read: {failure.problem.what}")
        self._waiting.clear()
        return self._backoff.after_failure(failure.retry_after)

    async def _outcome(self, kind: Kind, identifier: str) -> str:
        """What a read brings, in words.

        Raises:
            ApiError: the service fails, and would with any other object.
        """
        try:
            return await self._read(kind, identifier)
        except (NotFound, NotOffered, NotSeen) as error:
            # A plain 404 does not tell whether it is the object that is not there, or the path.
            self._touch(kind)
            return f"not found, {LISTED}" if isinstance(error, NotFound) else LISTED
        except (NotSent, Refused) as error:
            return f"not read: {error.problem.what}"
        except ApiError:
            raise
        except Exception as error:  # noqa: BLE001 - a mistake of ours must not stop other reads
            return f"not read: {unexpected(reading(kind), error).problem.what}"

    async def _read(self, kind: Kind, identifier: str) -> str:
        """Put the object into the store.

        Returns:
            What is new about it, against what was known before it was asked for.
        """
        shared, table = self._shared, self._shared.store.table(kind)
        before = table.get(identifier)
        async with shared.slots:
            row = await shared.client.get(kind, identifier)
        shared.link.succeeded()
        if table.key(row) != identifier:
            return "the service sent another object"
        row = _with_parent_of(before, row, kind)
        table.put([row])
        shared.store.notify()
        if row != before:
            self._touch(kind)
        return _news(before, row)

    def _touch(self, kind: Kind) -> None:
        """Have lists read, in which other rows may have changed too."""
        self._stale |= {kind, *TOUCHED.get(kind, ())}

    def _until_look(self) -> float | None:
        if not self._stale:
            return None
        return max(0.0, self._looked_at + LISTS_GAP - self._clock.monotonic())

    def _look_again(self) -> None:
        """Have stale lists read, unless that was just done; a list in trouble has its own pace."""
        if self._clock.monotonic() < self._looked_at + LISTS_GAP:
            return
        self._looked_at = self._clock.monotonic()
        for kind in self._stale:
            if self._shared.store.feed(kind).problem is None:
                self._look(kind)
        self._stale.clear()


def _with_parent_of(before: Record | None, row: Record, kind: Kind) -> Record:
    """The row with whose it is, where only the list that it was read from tells that."""
    parent = READS[kind].parameter
    if not parent or before is None or getattr(row, parent) is not None:
        return row
    return replace(row, **{parent: getattr(before, parent)})


def _news(before: Record | None, row: Record) -> str:
    after = _state(row)
    if before is None:
        return f"new: {after}"
    if row == before:
        return "no change"
    return "changed" if (old := _state(before)) == after else f"{old} → {after}"


def _state(row: Record) -> str:
    status: State | None = getattr(row, "status", None)
    return status.name.replace("_", " ") if status else MISSING
