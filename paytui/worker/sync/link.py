"""The state of the link to the service, and the metrics of the worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from paytui.api.client import Client
from paytui.api.errors import ApiError, AuthRefused, NotOffered, ServiceUnreachable
from paytui.api.http.limits import Exchange, RequestKind, RequestMetrics
from paytui.domain.models import Problem
from paytui.platform.clock import Clock, ServiceTime
from paytui.store.health import Latency, Link, LinkState, WorkerMetrics
from paytui.store.store import Store

MISSES = 3
"""Consecutive reads of any kind without a response that make the link unreachable."""


class LinkKeeper:
    """A tracker of the store's `Link`, from the outcomes of all reads.

    Args:
        recovered: called when a read succeeds after trouble with the link.

    Attributes:
        back_offs: failed reads so far, each of which causes a back-off.
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
        self.back_offs = 0

    def succeeded(self) -> None:
        """Note a successful read."""
        self._missed = 0
        was_in_trouble = self._store.link.problem is not None
        self._set(LinkState.UP, None)
        if was_in_trouble:
            self._recovered()

    def failed(self, error: ApiError) -> None:
        """Note a failed read."""
        if isinstance(error, NotOffered):
            self._not_offered(error)
            return
        self.back_offs += 1
        if isinstance(error, AuthRefused):
            self._set(LinkState.REFUSED, error.problem)
        elif isinstance(error, ServiceUnreachable):
            self._missed += 1
            if self._missed >= MISSES or self._store.link.state is not LinkState.UP:
                self._set(LinkState.UNREACHABLE, error.problem)
        else:
            self._answered(error)

    def _not_offered(self, error: NotOffered) -> None:
        """Note a missing list: the link works if the service answered."""
        if error.written:
            self.succeeded()

    def _answered(self, error: ApiError) -> None:
        """Note an error response: only a success proves that the link is up."""
        self._missed = 0
        if self._store.link.state is LinkState.UP:
            self._set(LinkState.UP, None)
        else:
            self._set(LinkState.CONNECTING, error.problem)

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


EVERY = 5.0
"""Seconds between updates of the metrics; they wake no screen."""

MINUTES = 5
"""Minutes that the metrics cover."""


class Slots(asyncio.Semaphore):
    """A semaphore that counts its waiters.

    Attributes:
        waiting: number of tasks that wait.
    """

    def __init__(self, value: int) -> None:
        super().__init__(value)
        self.waiting = 0

    async def acquire(self) -> bool:  # type: ignore[override]  # typeshed tells more than it may
        """Wait for a slot."""
        self.waiting += 1
        try:
            return await super().acquire()
        finally:
            self.waiting -= 1


class HealthKeeper:
    """A publisher of the worker's metrics in the store's `vitals`.

    Args:
        meter: metrics of the client's requests.
        slots: counts waiting reads.
        link: counts failures.
    """

    def __init__(
        self, store: Store, clock: Clock, meter: RequestMetrics, slots: Slots, link: LinkKeeper
    ) -> None:
        self._store = store
        self._clock = clock
        self._meter = meter
        self._slots = slots
        self._link = link
        self._began = clock.boot()

    async def run(self) -> None:
        """Publish metrics every few seconds, until cancelled."""
        while True:
            self._store.vitals = self.vitals()
            await asyncio.sleep(EVERY)

    def vitals(self) -> WorkerMetrics:
        """Return the current metrics."""
        meter, now = self._meter, self._clock.boot()
        running = now - self._began
        newest = [each for each in meter.newest if now - each.at < MINUTES * 60]
        minutes = min(max(running / 60, 1 / 60), MINUTES)
        return WorkerMetrics(
            at=now,
            running=running,
            requests=meter.requests,
            unanswered=meter.unanswered,
            sent=meter.sent,
            received=meter.received,
            sign_ins=meter.sign_ins,
            back_offs=self._link.back_offs,
            too_many=meter.too_many,
            waiting=self._slots.waiting,
            wake_ups=self._store.wake_ups,
            requests_a_minute=len(newest) / minutes,
            bytes_a_minute=sum(each.sent + each.received for each in newest) / minutes,
            latencies=tuple(_latencies(newest)),
        )


def _latencies(newest: Collection[Exchange]) -> Iterator[Latency]:
    for work in RequestKind:
        took = sorted(each.took for each in newest if each.work is work)
        if took:
            yield Latency(work.value, len(took), _percentile(took, 50), _percentile(took, 95))


def _percentile(took: list[float], percent: int) -> float:
    """Return a percentile of sorted values by the nearest rank."""
    return took[max(0, -(-len(took) * percent // 100) - 1)]
