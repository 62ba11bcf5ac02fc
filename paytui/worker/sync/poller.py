"""Polling of one kind: intervals, back-off, rounds of reads, and objects that are not ready."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from dataclasses import replace

from paytui.api.paging import Page
from paytui.api.resources import READS, identifier_of
from paytui.domain.models import Kind, Recipient, Record, State
from paytui.platform.clock import Clock
from paytui.store.payable import addresses_of
from paytui.store.store import Store
from paytui.worker.sync.freshness import HEADED, Part, embedded_addresses
from paytui.worker.sync.health import feed_after
from paytui.worker.sync.ingest import ListIngest
from paytui.worker.sync.shared import (
    FLOOR,
    NOT_OFFERED_RETRY,
    Failure,
    PollLoop,
    Shared,
    longest_rest,
    reading,
    rest,
    unexpected,
)

FAN_OUT = 2  # Concurrent reads of lists of one kind; the other slots are left to other kinds
MOST_FAILURES = 3  # Failed lists of a kind after which a round is aborted
LOOK_AROUND = 10.0  # Maximum seconds between checks for new wallets and recipients

FOLLOWED = frozenset({Kind.PAYINS, Kind.PAYMENT_ADDRESSES})
"""Kinds whose list is read as soon as its wallet or recipient changes."""

UNCHANGED_FACTOR: dict[Kind, float] = {Kind.PAYINS: 6.0}
"""Factor of the interval for the lists of unchanged parents; default 1."""


class Poller(PollLoop):
    """A poller that keeps the table and the feed of one kind up to date.

    Args:
        read: reads a list, and writes it by `ingest`.
        upstream: the poller of wallets or recipients, for a kind with one list for each of them.
    """

    def __init__(
        self,
        kind: Kind,
        shared: Shared,
        ingest: ListIngest,
        read: Callable[[Part], Awaitable[None]],
        upstream: Poller | None = None,
    ) -> None:
        super().__init__(kind, shared)
        self._upstream = upstream
        self._ingest = ingest
        self._read_part = read
        self._parts: dict[str | None, Part] = {} if upstream else {None: Part()}
        self._is_urgent = False
        if shared.desk is not None:
            ingest.tell = shared.desk.join(kind, self._wake.set, self._has_all_parents)

    @property
    def _interval(self) -> float:
        parts = self._parts.values() if self.kind in HEADED else ()
        has_open = any(part.freshness.open for part in parts)
        return self._shared.schedule.interval(self.kind, has_open=has_open)

    @property
    def _turn(self) -> float:
        """Return the seconds after which an unchanged part is read again."""
        return self._interval * UNCHANGED_FACTOR.get(self.kind, 1.0)

    def _has_all_parents(self) -> bool:
        """Return False if the parents are not known, or each seat of a desk tracks its own."""
        if self._upstream is None:
            return True
        upstream = self._store.feed(self._upstream.kind)
        return upstream.offered and upstream.others_read_at is not None

    # The loop

    async def run(self) -> None:
        if self._upstream is not None:
            await self._upstream.polled.wait()
        await super().run()

    def doubt(self) -> None:
        """Make the next round read everything, however recent it is."""
        for part in self._parts.values():
            part.doubt()

    def poll_now(self) -> None:
        super().poll_now()
        self._is_urgent = True

    async def _poll(self) -> float:
        if (wait := await self._follow()) is not None:
            return wait
        upstream = self._store.feed(self._upstream.kind) if self._upstream is not None else None
        if upstream is not None and upstream.unread and not upstream.was_read:
            upstream = None  # the parents are known from what was created
        if upstream is not None and not upstream.was_read and upstream.others_read_at is None:
            before, since = self._store.feed(self.kind), upstream.failing_since
            feed = replace(before, problem=upstream.problem, failing_since=since)
            self._store.set_feed(replace(feed, offered=upstream.offered))
            self._store.notify()
            return FLOOR
        desk, began = self._shared.desk, self._clock.monotonic()
        if desk is not None:
            desk.will_read(self.kind)
        failures = await self._round()
        took = self._clock.monotonic() - began
        time = self._shared.service_time
        every = max(self._turn, longest_rest(took))
        before, parts = self._store.feed(self.kind), self._parts.values()
        feed = feed_after(before, parts, failures, upstream, time, every=every)
        wait = self._wait_after(failures, took)
        if desk is not None:
            feed = desk.was_read(self.kind, feed, failures, took, wait)
        self._store.set_feed(feed)
        self._store.notify()
        self.polled.set()
        return wait

    async def _follow(self) -> float | None:
        """Take in what another seat of the desk has read; None: this seat reads by itself."""
        desk, is_urgent = self._shared.desk, self._is_urgent
        self._is_urgent = False
        if desk is None or any(part.stale for part in self._parts.values()):
            return None
        followed = desk.follow(self.kind, self._interval, is_urgent=is_urgent)
        if followed is None:
            return None
        for each in followed.readings:
            await self._ingest.accept(each.rows, each.gone)
            self._hold(each.rows)
        self._store.set_feed(followed.feed)
        self._store.notify()
        return followed.wait

    def _hold(self, rows: Iterable[Record]) -> None:
        """Count rows as part of their lists, so that a full read notices when they are gone."""
        parent_field = READS[self.kind].parameter
        for row in rows:
            part = self._parts.get(getattr(row, parent_field) if parent_field else None)
            if part is not None:
                part.held.add(identifier_of(row))

    def _wait_after(self, failures: list[Failure], took: float) -> float:
        if any(not failure.offered for failure in failures):
            return NOT_OFFERED_RETRY
        if failures:
            return self._backoff.after_failure(max(f.retry_after or 0.0 for f in failures))
        self._backoff.reset()
        interval = self._interval if self._upstream is None else min(self._interval, LOOK_AROUND)
        return rest(interval, took, self._shared.rng)

    # One round

    async def _round(self) -> list[Failure]:
        failures: list[Failure] = []
        try:
            await self._follow_upstream()
            due = self._due()
            queue = iter(due)
            async with asyncio.TaskGroup() as group:
                for _ in due[:FAN_OUT]:
                    group.create_task(self._work_off(queue, failures))
        except Exception as error:  # noqa: BLE001 - a bug in one feed must not stop others
            failures.append(unexpected(reading(self.kind), error))
        return failures

    async def _work_off(self, queue: Iterator[Part], failures: list[Failure]) -> None:
        for part in queue:
            try:
                failure = await self._read(part)
            except Exception as error:  # noqa: BLE001 - a bug with one list must not stop others
                failure = unexpected(reading(self.kind), error)
                part.trouble = failure.problem
            if failure is not None:
                failures.append(failure)
            given_up = len(failures) >= MOST_FAILURES
            if given_up or any(failure.concerns_all for failure in failures):
                return

    async def _read(self, part: Part) -> Failure | None:
        row = self._parent_row(part)
        embedded = embedded_addresses(row) if self.kind is Kind.PAYMENT_ADDRESSES else None
        sent, doubts = self._clock.boot(), part.doubts
        if embedded is not None:
            await self._ingest.take(part, _alone(embedded))
        else:
            async with self._shared.slots:
                found = await self._shared.attempt(self._read_part(part), reading(self.kind))
            if isinstance(found, Failure):
                part.trouble = found.problem if found.offered else None
                part.swept = part.swept if found.offered else None
                return found
        part.parent_row = row
        if not part.is_cut:
            part.sent = sent - part.age
        part.stale = bool(part.missed) or part.doubts != doubts
        part.trouble, part.embedded = None, embedded is not None
        return None

    # The parts, and those that are due

    async def _follow_upstream(self) -> None:
        """Add a part for each new parent, and remove those of parents that are gone."""
        if self._upstream is None:
            return
        parents = self._store.table(self._upstream.kind).keys()
        for parent in sorted(parents):
            if parent not in self._parts:
                self._parts[parent] = Part(parent)
        for gone in [part for key, part in self._parts.items() if key not in parents]:
            del self._parts[gone.parent]
            await self._ingest.remove(gone.held)

    def _due(self) -> list[Part]:
        """Return the parts to read: changed ones first, those that failed last time at the end."""
        turn = self._turn
        due = [part for part in self._parts.values() if self._is_due(part, turn)]
        return sorted(
            due, key=lambda p: (p.trouble is not None, not self._changed(p), p.sent or 0.0)
        )

    def _is_due(self, part: Part, turn: float) -> bool:
        if self._upstream is None or part.sent is None or part.trouble or part.stale:
            return True
        if self.kind in FOLLOWED and self._changed(part):
            return True
        waited = self._clock.boot() - part.sent - part.age
        return not part.embedded and waited >= turn

    def _changed(self, part: Part) -> bool:
        return self._parent_row(part) != part.parent_row

    def _parent_row(self, part: Part) -> Record | None:
        if self._upstream is None or part.parent is None:
            return None
        return self._store.table(self._upstream.kind).get(part.parent)


async def _alone(page: Page[Record]) -> AsyncGenerator[Page[Record], None]:
    yield page


PENDING_INTERVAL = 3.0  # Seconds between two reads while an object is pending
PENDING_TIMEOUT = 600.0  # Seconds after which the usual interval of the kind applies

NOT_READY = frozenset({"pending", "pending_checks"})
"""Canonical states in which an account, wallet or recipient cannot be used yet."""

_WITH_ADDRESSES = (Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES)
PARTS = {Kind.RECIPIENTS: _WITH_ADDRESSES, Kind.PAYMENT_ADDRESSES: _WITH_ADDRESSES}
"""Kinds that are read for one kind. Payment addresses may be embedded in their recipient, and a
recipient is not usable before its payment address is."""


class PendingObjectWatch:
    """A watch that polls new objects often until they are ready, since a trader waits for them."""

    def __init__(self, store: Store, clock: Clock, read: Callable[[Kind], None]) -> None:
        self._store = store
        self._clock = clock
        self._read = read
        self._since: dict[tuple[Kind, str], float] = {}
        self._waits = asyncio.Event()

    def wait_for(self, kind: Kind, identifier: str) -> None:
        self._since[kind, identifier] = self._clock.boot()
        self._waits.set()

    async def run(self) -> None:
        """Poll while any object is pending, until cancelled."""
        while True:
            await self._waits.wait()
            await asyncio.sleep(PENDING_INTERVAL)
            pending = [one for one in self._since if self._is_pending(*one)]
            self._since = {one: self._since[one] for one in pending}
            if not pending:
                self._waits.clear()
            kinds = {kind for kind, _ in pending}
            for part in {part for kind in kinds for part in PARTS.get(kind, (kind,))}:
                self._read(part)

    def _is_pending(self, kind: Kind, identifier: str) -> bool:
        if self._clock.boot() - self._since[kind, identifier] >= PENDING_TIMEOUT:
            return False
        row = self._store.table(kind).get(identifier)
        parts = addresses_of(self._store, row) if isinstance(row, Recipient) else ()
        states = [getattr(one, "status", None) for one in (row, *parts)]
        return any(isinstance(state, State) and state.name in NOT_READY for state in states)
