"""The worker's own health: counted as it works, told every few seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator

from paytui.api.http.limits import Exchange, Meter, Work
from paytui.platform.clock import Clock
from paytui.store.health import Latency, Vitals
from paytui.store.store import Store
from paytui.worker.link import LinkKeeper

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
        self, store: Store, clock: Clock, meter: Meter, slots: Slots, link: LinkKeeper
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

    def vitals(self) -> Vitals:
        """How it stands now."""
        meter, now = self._meter, self._clock.boot()
        running = now - self._began
        newest = [each for each in meter.newest if now - each.at < MINUTES * 60]
        minutes = min(max(running / 60, 1 / 60), MINUTES)
        return Vitals(
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
    for work in Work:
        took = sorted(each.took for each in newest if each.work is work)
        if took:
            yield Latency(work.value, len(took), _percentile(took, 50), _percentile(took, 95))


def _percentile(took: list[float], percent: int) -> float:
    """The smallest that so many percent do not exceed (nearest rank)."""
    return took[max(0, -(-len(took) * percent // 100) - 1)]
