"""The state of the link, from the outcomes of all reads."""

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
"""Reads in a row, of whatever kind, that got no answer: then it is the link, not one slow list."""


class LinkKeeper:
    """Keeps the store's `Link` true.

    Args:
        recovered: called when a read succeeds after trouble with the link as a whole.

    Attributes:
        back_offs: reads so far that brought nothing, and are put off for it.
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
        """A read brought what it was to bring."""
        self._missed = 0
        was_in_trouble = self._store.link.problem is not None
        self._set(LinkState.UP, None)
        if was_in_trouble:
            self._recovered()

    def failed(self, error: ApiError) -> None:
        """A read brought nothing."""
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
        """The service speaks; whether it lets us in is not known before a read succeeds."""
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


# The worker's own health: counted as it works, told every few seconds.

EVERY = 5.0
"""Seconds between two looks; nobody is woken for one."""

MINUTES = 5
"""How many of the last ones count."""


class Slots(asyncio.Semaphore):
    """Bounds what is under way at once.

    Attributes:
        waiting: how many wait for their turn.
    """

    def __init__(self, value: int) -> None:
        super().__init__(value)
        self.waiting = 0

    async def acquire(self) -> bool:  # type: ignore[override]  # typeshed tells more than it may
        """Wait for a turn."""
        self.waiting += 1
        try:
            return await super().acquire()
        finally:
            self.waiting -= 1


class HealthKeeper:
    """Keeps the store's `vitals` true.

    Args:
        meter: of the client.
        slots: in which reads wait.
        link: hears of every failure.
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
        """Until cancelled."""
        while True:
            self._store.vitals = self.vitals()
            await asyncio.sleep(EVERY)

    def vitals(self) -> WorkerMetrics:
        """How it stands now."""
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
    """The smallest that so many percent do not exceed (nearest rank)."""
    return took[max(0, -(-len(took) * percent // 100) - 1)]
