"""The parts that all tasks of the worker share: failures, the link, pace, turns and metrics."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from paytui.api.client import Client
from paytui.api.errors import (
    ApiError,
    AuthRefused,
    NotOffered,
    RateLimited,
    ServiceUnreachable,
    TokenLost,
)
from paytui.api.http.transport import RequestKind
from paytui.domain.models import Kind, Problem
from paytui.platform.clock import Clock, ServiceTime
from paytui.store.health import RETRIED, Latency, Link, LinkState, WorkerMetrics
from paytui.store.store import Store
from paytui.store.table import LONGEST_PRIORITY

if TYPE_CHECKING:
    from paytui.worker.sync.desk_reads import DeskReads

T = TypeVar("T")

MISSES = 3  # Consecutive reads of any kind without a response that make the link unreachable
UNCONNECTED = 2  # The same for connections that carry nothing
_UNANSWERED = Problem("reach the service", "no seat of the desk gets an answer", remedy=RETRIED)


class LinkKeeper:
    """A tracker of the store's `Link`, from the outcomes of all reads, and of idle connections.

    `recovered` is called when either succeeds after trouble; `back_offs` counts the failed reads.
    """

    def __init__(
        self,
        client: Client,
        store: Store,
        service_time: ServiceTime,
        recovered: Callable[[], None],
    ) -> None:
        self._client = client
        self._store = store
        self._time = service_time
        self._recovered = recovered
        self._missed = 0
        self._unconnected = 0
        self._are_others_lost = False
        self._state_before: LinkState | None = None
        self.back_offs = 0

    def succeeded(self) -> None:
        self._missed = self._unconnected = 0
        self._are_others_lost, self._state_before = False, None
        was_in_trouble = self._store.link.problem is not None
        self._set(LinkState.UP, None)
        if was_in_trouble:
            self._recovered()

    def failed(self, error: ApiError) -> None:
        if isinstance(error, NotOffered):
            if error.written:  # a missing list; the link works
                self.succeeded()
            return
        self.back_offs += 1
        if isinstance(error, AuthRefused):
            self._set(LinkState.REFUSED, error.problem)
        elif isinstance(error, ServiceUnreachable):
            self._missed += 1
            if self._missed >= MISSES or self._store.link.state is not LinkState.UP:
                self._set(LinkState.UNREACHABLE, error.problem)
        else:  # only a success proves that the link is up
            self._missed = 0
            is_up = self._store.link.state is LinkState.UP
            self._set(
                LinkState.UP if is_up else LinkState.CONNECTING, None if is_up else error.problem
            )

    @property
    def is_sure(self) -> bool:
        """Return True if own reads succeed, and the idle connection was not lost since."""
        is_up = self._are_others_lost or self._store.link.state is LinkState.UP
        return is_up and not self._unconnected

    def connected(self) -> None:
        """Note that a connection was made; what the reads told before its loss holds again."""
        self._unconnected = 0
        if not self._are_others_lost and self._regain():
            self._recovered()

    def unconnected(self, error: ServiceUnreachable) -> bool:
        """Note that no connection was made, or one died. Return True if that proves the loss."""
        self._unconnected += 1
        is_lost = self._unconnected >= UNCONNECTED
        if is_lost:
            self._lose(error.problem)
        return is_lost

    def note_others(self, *, are_unanswered: bool) -> None:
        """Note that other seats of a desk get no answer, or do again."""
        were_lost, self._are_others_lost = self._are_others_lost, are_unanswered
        if are_unanswered:
            self._lose(_UNANSWERED)
        elif were_lost and self._unconnected < UNCONNECTED:
            self._regain()

    def _lose(self, problem: Problem) -> None:
        state = self._store.link.state
        if state not in (LinkState.REFUSED, LinkState.UNREACHABLE):
            self._state_before = state
            self._set(LinkState.UNREACHABLE, problem)
            self._store.notify()

    def _regain(self) -> bool:
        """Return to the state before a loss that no read has told; return True if there was one."""
        before, self._state_before = self._state_before, None
        if before is None or self._store.link.state is not LinkState.UNREACHABLE:
            return False
        self._set(before, None)
        self._store.notify()
        return True

    def _set(self, state: LinkState, problem: Problem | None) -> None:
        before = self._store.link
        since = before.since if before.state is state else self._time.earliest()
        token = self._client.token_health
        held = token if token.remaining is not None else before  # what the last one listed
        after = Link(
            state,
            since,
            problem,
            superseded=token.contested,
            unshared=token.unshared,
            host_news=self._client.host_news,
            services=held.services,
            missing_services=held.missing_services,
        )
        if replace(after, since=before.since) != before:
            self._store.set_link(after)


RECONNECT = 1.0  # Seconds after a first failure
RECONNECT_LATER = 2.5  # Seconds after others, and after the service has closed a connection


async def watch_connection(
    client: Client, link: LinkKeeper, waits: tuple[float, float] = (RECONNECT, RECONNECT_LATER)
) -> None:
    """Hold an idle connection to the service, until cancelled, so that its loss is soon noticed.

    A seat of a desk that follows others makes no requests, and would not notice it otherwise. With
    a proxy, only the way to the proxy is watched.
    """
    soon, later = waits
    while True:
        wait = later
        try:
            await client.stay_connected(link.connected)
        except ServiceUnreachable as error:
            wait = later if link.unconnected(error) else soon
        await asyncio.sleep(wait)


EVERY = 5.0  # Seconds between updates of the metrics; they wake no screen
MINUTES = 5  # Minutes that the metrics cover


class Slots(asyncio.Semaphore):
    """A semaphore that counts its waiters."""

    def __init__(self, value: int) -> None:
        super().__init__(value)
        self.waiting = 0

    async def acquire(self) -> bool:  # type: ignore[override]  # typeshed tells more than it may
        self.waiting += 1
        try:
            return await super().acquire()
        finally:
            self.waiting -= 1


class HealthKeeper:
    """A publisher of the worker's metrics in the store's `vitals`."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._began = shared.service_time.clock.boot()

    async def run(self) -> None:
        """Publish metrics every few seconds, until cancelled."""
        while True:
            self._shared.store.vitals = self.vitals()
            await asyncio.sleep(EVERY)

    def vitals(self) -> WorkerMetrics:
        meter, now = self._shared.client.metrics, self._shared.service_time.clock.boot()
        running = now - self._began
        newest = [each for each in meter.newest if now - each.at < MINUTES * 60]
        minutes = min(max(running / 60, 1 / 60), MINUTES)
        took = {
            work: sorted(each.took for each in newest if each.work is work) for work in RequestKind
        }
        return WorkerMetrics(
            at=now,
            running=running,
            requests=meter.requests,
            unanswered=meter.unanswered,
            sent=meter.sent,
            received=meter.received,
            sign_ins=meter.sign_ins,
            back_offs=self._shared.link.back_offs,
            too_many=meter.too_many,
            waiting=self._shared.slots.waiting,
            wake_ups=self._shared.store.wake_ups,
            requests_a_minute=len(newest) / minutes,
            bytes_a_minute=sum(each.sent + each.received for each in newest) / minutes,
            latencies=tuple(
                Latency(work.value, len(one), _percentile(one, 50), _percentile(one, 95))
                for work, one in took.items()
                if one
            ),
        )


def _percentile(took: list[float], percent: int) -> float:
    """Return a percentile of sorted values by the nearest rank."""
    return took[max(0, -(-len(took) * percent // 100) - 1)]


# Cooperative tasks on the worker's event loop.


class PollLoop:
    """A loop that polls a kind and can be woken; `polled` is set after the first round."""

    is_paused_with_lists = True

    def __init__(self, kind: Kind, shared: Shared) -> None:
        self.kind = kind
        self.polled = asyncio.Event()
        self._shared = shared
        self._store = shared.store
        self._clock = shared.service_time.clock
        self._backoff = Backoff(shared.rng)
        self._wake = asyncio.Event()
        self._ends_at: float | None = None

    async def run(self) -> None:
        while True:
            self._wake.clear()
            await self._pause(await self.poll())

    async def poll(self) -> float | None:
        """Read what is due. Return the seconds to wait; None: until a read is requested."""
        try:
            return await self._poll()
        except Exception as error:  # noqa: BLE001 - a bug in one feed must not stop others
            self._shared.report_bug(self.kind, reading(self.kind), error)
            self.polled.set()
            return self._backoff.after_failure(None)

    async def _poll(self) -> float | None:
        raise NotImplementedError

    async def _pause(self, seconds: float | None) -> None:
        """Wait, or until a read is requested; while paused, only for a request."""
        self._ends_at = None if seconds is None else self._clock.monotonic() + seconds
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        if self.is_paused_with_lists and self._shared.schedule.pauses(self.kind):
            await self._wake.wait()

    def poll_now(self) -> None:
        """End the current pause, and reset the back-off."""
        self._backoff.reset()
        self._wake.set()


LONG_SLICE = 100  # Rows; a slice of at least this size may delay a screen
YIELD = 0.002  # Seconds between checks of whether the screens are still busy


async def next_turn(store: Store, clock: Clock, rows: int) -> None:
    """Publish changes, and let other tasks and screens run before the next slice of `rows`."""
    store.notify()
    await asyncio.sleep(0)
    if rows < LONG_SLICE:
        return
    end = clock.boot() + LONGEST_PRIORITY  # loading the dashboard takes about 0.4 s
    while store.ui_priority.is_requested(now := clock.boot()) and now < end:  # noqa: ASYNC110 - it knows no loop
        await asyncio.sleep(YIELD)


class Jobs:
    """A group of tasks started on demand and cancelled with the worker."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def run(self) -> None:
        """Sleep until cancelled, then cancel all tasks and wait for them."""
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            left = tuple(self._tasks)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed read, and its meaning for other reads.

    Attributes:
        retry_after: seconds to wait, as told by the service or the token.
        offered: False if the service has no such list.
        concerns_all: True if other lists of the kind would fail likewise.
        is_put_off: True if the service told when it may be asked again.
        is_silent: True if no answer came.
    """

    problem: Problem
    retry_after: float | None = None
    offered: bool = True
    concerns_all: bool = False
    is_put_off: bool = False
    is_silent: bool = False


def failure_of(error: ApiError) -> Failure:
    return Failure(
        error.problem,
        error.retry_after,
        offered=not isinstance(error, NotOffered),
        concerns_all=isinstance(
            error, AuthRefused | NotOffered | RateLimited | ServiceUnreachable | TokenLost
        ),
        is_put_off=isinstance(error, RateLimited) and error.retry_after is not None,
        is_silent=isinstance(error, ServiceUnreachable),
    )


def unexpected(attempted: str, error: BaseException) -> Failure:
    """Return the failure for a bug: only the type, since a message may contain secrets."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    what = f"unexpected {type(error).__name__} in paytui"
    return Failure(Problem(attempted, what, remedy=f"Please report it. {RETRIED}"), None)


def reading(kind: Kind) -> str:
    return f"read {kind.value.replace('_', ' ')}"


def report_bug(store: Store, kind: Kind, attempted: str, error: Exception, now: datetime) -> None:
    """Show a bug in paytui, not in a read, as the problem of a feed; its age does not change."""
    before, problem = store.feed(kind), unexpected(attempted, error).problem
    since = before.failing_since or now
    store.set_feed(replace(before, problem=problem, failing_since=since))
    store.notify()


FLOOR = 1.0  # Minimum interval in seconds, whatever the configuration says
UNSEEN_FACTOR = 4.0  # Factor of the interval for kinds that are not on screen
REST_FACTOR = 4.0  # Minimum pause after a read, in multiples of the duration of the read

JITTER = 0.1

LONGEST_RETRY = 30.0

LONGEST_WISH = 600.0
"""Maximum seconds of `Retry-After` that are respected; a longer value is an error or malice."""

NOT_OFFERED_RETRY = 600.0
"""Seconds until a list that the service does not have is tried again (service.md)."""


@dataclass(slots=True)
class PollSchedule:
    """The intervals at which kinds are read. All fields may change while the worker runs.

    Attributes:
        in_doubt: kinds that are polled even while paused, to find intents in doubt.
        on_screen: the kinds on screen; None: all.
    """

    intervals: Mapping[Kind, timedelta]
    paused: bool = False
    in_doubt: Collection[Kind] = ()
    on_screen: Collection[Kind] | None = None

    def pauses(self, kind: Kind) -> bool:
        return self.paused and kind not in self.in_doubt

    def interval(self, kind: Kind, *, has_open: bool = False) -> float:
        """Return the seconds from the end of one read to the start of the next.

        Kinds that are not on screen and have no open objects are read less often.
        """
        wanted = max(FLOOR, self.intervals[kind].total_seconds())
        is_seen = self.on_screen is None or kind in self.on_screen
        return wanted if is_seen or has_open else UNSEEN_FACTOR * wanted


def rest(interval: float, took: float, rng: random.Random) -> float:
    """Return the seconds to wait after a read, with jitter so that reads spread out."""
    return max(interval, REST_FACTOR * took) * rng.uniform(1 - JITTER, 1 + JITTER)


def longest_rest(took: float) -> float:
    """Return the maximum seconds between the starts of two reads that take `took` seconds."""
    return took + REST_FACTOR * took * (1 + JITTER)


class Backoff:
    """The waits after consecutive failures: about 1, 2, 4, … 30 s, or `Retry-After`.

    The first waits are short, so that a restarted service is soon seen again.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._failures = 0

    def reset(self) -> None:
        """Forget earlier failures, after a success or when a retry is requested."""
        self._failures = 0

    def after_failure(self, retry_after: float | None) -> float:
        """Count a failure and return the seconds to wait: at least `retry_after`."""
        grown = min(2.0**self._failures, LONGEST_RETRY)
        self._failures = min(self._failures + 1, 10)
        wished = min(retry_after or 0.0, LONGEST_WISH) * self._rng.uniform(1, 1 + JITTER)
        return max(grown * self._rng.uniform(0.75, 1.0), wished)


@dataclass(frozen=True, slots=True)
class Shared:
    """The parts that all pollers share.

    Attributes:
        slots: bounds the reads that are under way at once.
        desk: what other seats read; None without a desk.
    """

    client: Client
    store: Store
    service_time: ServiceTime
    rng: random.Random
    schedule: PollSchedule
    slots: Slots
    link: LinkKeeper
    desk: DeskReads | None = None

    async def attempt(self, read: Awaitable[T], attempted: str) -> T | Failure:
        """Return what a read brings, or the reason of its failure; the link hears of both."""
        try:
            found = await read
        except ApiError as error:
            self.link.failed(error)
            return failure_of(error)
        except Exception as error:  # noqa: BLE001 - a bug must not stop the feeds
            return unexpected(attempted, error)
        self.link.succeeded()
        return found

    def report_bug(self, kind: Kind, attempted: str, error: Exception) -> None:
        report_bug(self.store, kind, attempted, error, self.service_time.earliest())
