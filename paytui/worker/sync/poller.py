"""A poller: keeps one table true, for as long as it runs, and says how well it does."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from paytui.api.client import Client
from paytui.api.errors import ApiError, NotOffered
from paytui.api.pages import Page
from paytui.domain.models import Kind, Recipient, Record, State
from paytui.platform.clock import Clock, ServiceTime
from paytui.store.payees import addresses_of
from paytui.store.store import Store
from paytui.worker.sync.freshness import Part, embedded_addresses
from paytui.worker.sync.health import (
    Failure,
    failure_of,
    feed_after,
    feed_after_bug,
    feed_without,
    reading,
    unexpected,
)
from paytui.worker.sync.ingest import ListIngest
from paytui.worker.sync.link import LinkKeeper
from paytui.worker.sync.lists import HEADED, ListReader

# How often: the interval of each kind, and the wait after a failure.

FLOOR = 1.0
"""Seconds: nothing is asked for more often than this, whatever a configuration says."""

UNSEEN_FACTOR = 4.0
"""How many times its interval passes between reads of what nobody looks at."""

REST_FACTOR = 4.0
"""A read is followed by a rest of so many times its own length: it is never the main load."""

JITTER = 0.1
FIRST_RETRY = 1.0
LONGEST_RETRY = 30.0
LONGEST_WISH = 600.0
"""Seconds of `Retry-After` that we heed; a longer one is a mistake or malice."""

NOT_OFFERED_RETRY = 600.0
"""Seconds after which a list that the service does not have is tried again (service.md)."""


@dataclass(slots=True)
class PollSchedule:
    """The intervals at which kinds are read; all of it may change while the worker runs.

    Attributes:
        paused: whether nothing is read before somebody asks for it.
        in_doubt: the kinds that are read all the same: something is looked for in them.
        on_screen: the kinds that somebody looks at; None: all.
    """

    intervals: Mapping[Kind, timedelta]
    paused: bool = False
    in_doubt: Collection[Kind] = ()
    on_screen: Collection[Kind] | None = None

    def pauses(self, kind: Kind) -> bool:
        """Whether a kind is not read before somebody asks for it."""
        return self.paused and kind not in self.in_doubt

    def interval(self, kind: Kind, *, has_open: bool = False) -> float:
        """Seconds from the end of one read to the start of the next.

        What nobody looks at is read more seldom, unless something of it is about to change.
        """
        wanted = max(FLOOR, self.intervals[kind].total_seconds())
        is_seen = self.on_screen is None or kind in self.on_screen
        return wanted if is_seen or has_open else UNSEEN_FACTOR * wanted


def rest(interval: float, took: float, rng: random.Random) -> float:
    """Seconds to wait after a read that took so many; jittered, so that reads spread out."""
    return max(interval, REST_FACTOR * took) * rng.uniform(1 - JITTER, 1 + JITTER)


def longest_rest(took: float) -> float:
    """Seconds from one start to the next where reading takes so many."""
    return took + REST_FACTOR * took * (1 + JITTER)


class Backoff:
    """Seconds to wait after failures in a row: about 1, 2, 4, … 30, or what the service asks for.

    The first ones are short so that a service which was just restarted is soon seen again.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._failures = 0

    def reset(self) -> None:
        """It worked, or somebody wants it tried at once."""
        self._failures = 0

    def after_failure(self, retry_after: float | None) -> float:
        """One more failure; `retry_after` is the service's own wish, never undercut."""
        grown = min(FIRST_RETRY * 2.0**self._failures, LONGEST_RETRY)
        self._failures = min(self._failures + 1, 10)
        wished = min(retry_after or 0.0, LONGEST_WISH) * self._rng.uniform(1, 1 + JITTER)
        return max(grown * self._rng.uniform(0.75, 1.0), wished)


FAN_OUT = 2
"""Lists of one kind that are read at once, so that wallets' own lists leave room for the others."""

MOST_FAILURES = 3
"""Failed lists of a kind after which a round is given up: the service is in trouble."""

LOOK_AROUND = 10.0
"""Seconds at the most between looks for new wallets and recipients, whose lists are then read."""

FOLLOWED = frozenset({Kind.PAYINS, Kind.PAYMENT_ADDRESSES})
"""Kinds whose list is read again as soon as its wallet or recipient changed."""

UNCHANGED_FACTOR: dict[Kind, float] = {Kind.PAYINS: 6.0}
"""How many times its interval the list of an unchanged parent waits for its turn; else once."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The parts that all pollers of a worker share.

    Attributes:
        slots: bounds the reads that are under way at once.
    """

    client: Client
    store: Store
    service_time: ServiceTime
    rng: random.Random
    schedule: PollSchedule
    slots: asyncio.Semaphore
    link: LinkKeeper

    def report_bug(self, kind: Kind, attempted: str, error: Exception) -> None:
        """Say of a feed that a mistake of ours was made beside its reads."""
        failure, now = unexpected(attempted, error), self.service_time.earliest()
        self.store.set_feed(feed_after_bug(self.store.feed(kind), failure, now))
        self.store.notify()


class Poller:
    """Reads one kind again and again.

    Args:
        kind: what to read.
        shared: what it works with.
        upstream: the poller of the kind whose rows tell which lists there are to read, for a kind
            that is listed by wallet or by recipient.
    """

    def __init__(self, kind: Kind, shared: Shared, upstream: Poller | None = None) -> None:
        self.kind = kind
        self.polled = asyncio.Event()
        self._shared = shared
        self._store = shared.store
        self._clock = shared.service_time.clock
        self._upstream = upstream
        self._ingest = ListIngest(kind, shared.store, shared.service_time)
        self._lists = ListReader(kind, shared.client, self._ingest, shared.service_time)
        self._backoff = Backoff(shared.rng)
        self._parts: dict[str | None, Part] = {} if upstream else {None: Part()}
        self._wake = asyncio.Event()

    @property
    def _interval(self) -> float:
        parts = self._parts.values() if self.kind in HEADED else ()
        has_open = any(part.freshness.has_open for part in parts)
        return self._shared.schedule.interval(self.kind, has_open=has_open)

    @property
    def _turn(self) -> float:
        """Seconds after which a part of the kind is read again where nothing changed."""
        return self._interval * UNCHANGED_FACTOR.get(self.kind, 1.0)

    # The loop

    async def run(self) -> None:
        """Poll until cancelled."""
        if self._upstream is not None:
            await self._upstream.polled.wait()
        while True:
            self._wake.clear()
            await self._pause(await self.poll())

    async def _pause(self, seconds: float) -> None:
        """Wait, until somebody wants it read now; where it is told to pause, for that alone."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        if self._shared.schedule.pauses(self.kind):
            await self._wake.wait()

    def poll_now(self) -> None:
        """End the present pause, and forget how often it failed."""
        self._backoff.reset()
        self._wake.set()

    def doubt(self) -> None:
        """Have the next round read everything, however young it is."""
        for part in self._parts.values():
            part.doubt()

    async def poll(self) -> float:
        """Read what is due.

        Returns:
            Seconds to wait before the next time.
        """
        try:
            return await self._poll()
        except Exception as error:  # noqa: BLE001 - a mistake of ours in one feed must not stop others
            self._shared.report_bug(self.kind, reading(self.kind), error)
            self.polled.set()
            return self._backoff.after_failure(None)

    async def _poll(self) -> float:
        upstream = self._store.feed(self._upstream.kind) if self._upstream is not None else None
        if upstream is not None and upstream.unread and not upstream.was_read:
            upstream = None  # which lists there are is known from what was created
        if upstream is not None and not upstream.was_read and upstream.others_read_at is None:
            self._store.set_feed(feed_without(self._store.feed(self.kind), upstream))
            self._store.notify()
            return FLOOR
        began = self._clock.monotonic()
        failures = await self._round()
        took = self._clock.monotonic() - began
        time = self._shared.service_time
        every = max(self._turn, longest_rest(took))
        before, parts = self._store.feed(self.kind), self._parts.values()
        self._store.set_feed(feed_after(before, parts, failures, upstream, time, every=every))
        self._store.notify()
        self.polled.set()
        return self._wait_after(failures, took)

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
            queue = iter(self._due())
            async with asyncio.TaskGroup() as group:
                for _ in range(FAN_OUT):
                    group.create_task(self._work_off(queue, failures))
        except Exception as error:  # noqa: BLE001 - a mistake of ours in one feed must not stop others
            failures.append(unexpected(reading(self.kind), error))
        return failures

    async def _work_off(self, queue: Iterator[Part], failures: list[Failure]) -> None:
        for part in queue:
            try:
                failure = await self._read(part)
            except Exception as error:  # noqa: BLE001 - a mistake of ours with one must not stop others
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
        elif failure := await self._read_list(part):
            return failure
        part.parent_row = row
        if not part.is_cut:
            part.sent = sent - part.age
        part.stale = bool(part.missed) or part.doubts != doubts
        part.trouble, part.embedded = None, embedded is not None
        return None

    async def _read_list(self, part: Part) -> Failure | None:
        link = self._shared.link
        try:
            async with self._shared.slots:
                await self._lists.read(part)
        except ApiError as error:
            link.failed(error)
            part.trouble = None if isinstance(error, NotOffered) else error.problem
            if part.trouble is None:
                part.swept = None
            return failure_of(error)
        link.succeeded()
        return None

    # Which lists there are, and which are due

    async def _follow_upstream(self) -> None:
        """A part for each parent, none for a parent that is gone."""
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
        """The parts to read: those that changed first, those that failed last time at the end."""
        due = [part for part in self._parts.values() if self._is_due(part)]
        return sorted(
            due, key=lambda p: (p.trouble is not None, not self._changed(p), p.sent or 0.0)
        )

    def _is_due(self, part: Part) -> bool:
        if self._upstream is None or part.sent is None or part.trouble or part.stale:
            return True
        if self.kind in FOLLOWED and self._changed(part):
            return True
        waited = self._clock.boot() - part.sent - part.age
        return not part.embedded and waited >= self._turn

    def _changed(self, part: Part) -> bool:
        return self._parent_row(part) != part.parent_row

    def _parent_row(self, part: Part) -> Record | None:
        if self._upstream is None or part.parent is None:
            return None
        return self._store.table(self._upstream.kind).get(part.parent)


async def _alone(page: Page[Record]) -> AsyncGenerator[Page[Record], None]:
    yield page


# New objects that are not active yet: a trader waits for them, so their kind is read often.

LOOK = 3.0
"""Seconds between two reads."""

PATIENCE = 600.0
"""Seconds after which the usual interval of its kind will do."""

NOT_READY = frozenset({"pending", "pending_checks"})
"""Canonical states in which nothing can be done yet with an account, wallet or recipient."""


_WITH_ADDRESSES = (Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES)
PARTS = {Kind.RECIPIENTS: _WITH_ADDRESSES, Kind.PAYMENT_ADDRESSES: _WITH_ADDRESSES}
"""Kinds that are read for one: payment addresses may come within their recipient, and a recipient
is of no use before its payment address is."""


class PendingObjectWatch:
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
        return any(isinstance(state, State) and state.name in NOT_READY for state in states)
