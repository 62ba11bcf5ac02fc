"""Objects read one by one, from known identifiers, while the service has no list of their kind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from paytui.api.errors import ApiError, NotFound
from paytui.api.kinds import READS
from paytui.api.models import Kind
from paytui.worker.pace import FLOOR, Backoff, longest_rest, rest
from paytui.worker.parts import Part
from paytui.worker.polling import Shared
from paytui.worker.report import Failure, failure_of, feed_after, reading, unexpected

LOOK = 5.0
"""Seconds at the most between two looks at which identifiers are known of."""

Tracked = Callable[[], Mapping[Kind, Sequence[str]]]
"""The identifiers that are known of now, by kind; cheap to ask for."""


class TrackedPoller:
    """Keeps the rows of some identifiers true, unless the service lists them anyway.

    What is said of one identifier concerns that one alone: the others are read all the same.

    Args:
        kind: of the objects; one of `kinds.TRACKED`.
        tracked: the identifiers that are known of.
        shared: what it works with.
    """

    def __init__(self, kind: Kind, tracked: Tracked, shared: Shared) -> None:
        self._kind = kind
        self._tracked = tracked
        self._identifiers: tuple[str, ...] = ()
        self._shared = shared
        self._table = shared.store.table(kind)
        self._interval = shared.pace.interval(kind)
        self._backoff = Backoff(shared.rng)
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            self._wake.clear()
            await self._pause(await self.poll())

    async def _pause(self, seconds: float) -> None:
        """Wait, until somebody wants it read now or other identifiers are known of."""
        clock = self._shared.service_time.clock
        end = clock.monotonic() + seconds
        while (left := end - clock.monotonic()) > 0 and not self._wake.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, LOOK)):
                    await self._wake.wait()
            if self._known() != self._identifiers:
                return

    def _known(self) -> tuple[str, ...]:
        return tuple(self._tracked().get(self._kind, ()))

    def poll_now(self) -> None:
        """End the present pause, and forget how often it failed."""
        self._backoff.reset()
        self._wake.set()

    async def poll(self) -> float:
        """Read each object once, if the service does not list them.

        Returns:
            Seconds to wait before the next time.
        """
        shared = self._shared
        listed = self._is_listed(self._kind)
        self._take_up(self._known(), listed=listed)
        if not self._identifiers:
            return LOOK
        if listed:
            return FLOOR
        clock = shared.service_time.clock
        sent, began = clock.boot(), clock.monotonic()
        missing, failures = await self._round()
        took = clock.monotonic() - began
        self._report(missing, failures, sent, every=max(self._interval, longest_rest(took)))
        if failures:
            return self._backoff.after_failure(max(f.retry_after or 0.0 for f in failures))
        self._backoff.reset()
        return rest(self._interval, took, shared.rng)

    def _take_up(self, known: tuple[str, ...], *, listed: bool) -> None:
        """Go on with these; what is tracked no longer goes, unless the service lists it."""
        gone, self._identifiers = set(self._identifiers) - set(known), known
        if listed or not gone:
            return
        self._table.remove(gone)
        store = self._shared.store
        feed = store.feed(self._kind)
        if not known and feed.tracked:
            store.set_feed(replace(feed, tracked=0, total=None, problem=None, failing_since=None))
        store.notify()

    def _is_listed(self, kind: Kind) -> bool:
        """Whether all objects of a kind are listed: a list a wallet needs the list of wallets."""
        upstream = READS[kind].parent
        offered = self._shared.store.feed(kind).offered
        return offered and (upstream is None or self._is_listed(upstream))

    async def _round(self) -> tuple[list[Failure], list[Failure]]:
        """What is not there, and what could not be read."""
        missing: list[Failure] = []
        failures: list[Failure] = []
        for identifier in self._identifiers:
            try:
                await self._read(identifier)
            except NotFound as error:
                self._table.remove([identifier])
                missing.append(failure_of(error))
            except ApiError as error:
                self._shared.link.failed(error)
                failures.append(failure_of(error))
            except Exception as error:  # noqa: BLE001 - a mistake of ours must not stop other feeds
                failures.append(unexpected(reading(self._kind), error))
            if any(failure.concerns_all for failure in failures):
                break
        return missing, failures

    async def _read(self, identifier: str) -> None:
        shared = self._shared
        async with shared.slots:
            row = await shared.client.get(self._kind, identifier)
        shared.link.succeeded()
        self._table.put([row])
        shared.store.notify()

    def _report(
        self, missing: list[Failure], failures: list[Failure], sent: float, every: float
    ) -> None:
        store, time = self._shared.store, self._shared.service_time
        before = store.feed(self._kind)
        if before.offered:
            return  # lists of some wallets or recipients are read, and tell how that goes
        part = Part(sent=None if failures else sent, total=len(self._identifiers))
        told = [replace(failure, offered=True) for failure in (*failures, *missing)]
        feed = feed_after(before, [part], told, None, time, every=every)
        store.set_feed(replace(feed, offered=False, tracked=len(self._identifiers)))
        store.notify()
