"""Objects that are read one by one while the service has no list of their kind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from paytui.api.errors import ApiError, NoSuchRead, NotFound, NotOffered
from paytui.api.page_cache import ListCache
from paytui.api.resources import READS
from paytui.config.runtime_settings import TrackedIdentifiers
from paytui.domain.models import Kind, Problem, Record, Wallet
from paytui.store.health import Feed
from paytui.worker.intents.created_objects import (
    as_created,
    is_created_here,
    recollected,
    with_addresses,
)
from paytui.worker.sync.freshness import Part
from paytui.worker.sync.health import Failure, failure_of, feed_after, reading, unexpected
from paytui.worker.sync.poller import NOT_OFFERED_RETRY, Backoff, Shared, longest_rest, rest

Tracked = Callable[[], TrackedIdentifiers]
"""Returns the tracked identifiers; cheap to call."""

IN_VAIN = 6
"""Rounds without any read before the interval becomes `NOT_OFFERED_RETRY`: an object that was just
created may take a while to appear."""


class TrackedPoller:
    """A poller of single objects, for a kind that the service does not list.

    A failure of one identifier does not stop the others. An object without a read stays as its
    creation returned it (`created_objects.py`).

    Args:
        kind: one of `TRACKED`.
        tracked: returns the identifiers.
        shared: the parts that pollers share.
    """

    def __init__(self, kind: Kind, tracked: Tracked, shared: Shared) -> None:
        self._kind = kind
        self._tracked = tracked
        self._identifiers: tuple[str, ...] = ()
        self._parts: dict[str, Part] = {}
        self._unread: dict[str, Problem] = {}
        self._named: Mapping[str, Record] = {}
        self._has_worked = False
        self._in_vain = 0
        self._problem: Problem | None = None
        self._was_listed = False
        self._shared = shared
        self._table = shared.store.table(kind)
        self._backoff = Backoff(shared.rng)
        self._wake = asyncio.Event()
        self._due: float | None = None

    @property
    def _interval(self) -> float:
        return self._shared.schedule.interval(self._kind)

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            self._wake.clear()
            await self._pause(await self.poll())

    async def _pause(self, seconds: float | None) -> None:
        """Wait, or until a read is requested; while paused, only for a request."""
        clock = self._shared.service_time.clock
        self._due = None if seconds is None else clock.monotonic() + seconds
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        if self._pauses:
            await self._wake.wait()

    @property
    def _pauses(self) -> bool:
        return self._shared.schedule.pauses(self._kind)

    def check(self, known: TrackedIdentifiers) -> None:
        """End the current pause if it is over, or if what it was based on has changed."""
        if self._pauses:
            return
        went_by = (self._identifiers, self._problem, self._was_listed)
        is_over = self._due is not None and self._shared.service_time.clock.monotonic() >= self._due
        if is_over or (self._of(known), known.problem, self._is_listed(self._kind)) != went_by:
            self._wake.set()

    def _of(self, known: TrackedIdentifiers) -> tuple[str, ...]:
        return tuple(known.identifiers.get(self._kind, ()))

    def poll_now(self) -> None:
        """End the current pause, and reset the back-off."""
        self._backoff.reset()
        self._in_vain = 0
        self._wake.set()

    async def poll(self) -> float | None:
        """Read each object once, if the service does not list them.

        Returns:
            Seconds to wait before the next time; None: until the identifiers change.
        """
        try:
            return await self._poll()
        except Exception as error:  # noqa: BLE001 - a bug must not stop other feeds
            self._shared.report_bug(self._kind, reading(self._kind), error)
            return self._backoff.after_failure(None)

    async def _poll(self) -> float | None:
        shared = self._shared
        self._was_listed = self._is_listed(self._kind)
        known = self._tracked()
        self._problem = known.problem
        self._named = known.named.get(self._kind, {})
        self._take_up(self._of(known), listed=self._was_listed)
        if not self._identifiers:
            self._report_none()
            return None
        if self._was_listed:
            return None
        clock = shared.service_time.clock
        began = clock.monotonic()
        missing, failures = await self._round()
        took = clock.monotonic() - began
        self._report(missing, failures, every=max(self._interval, longest_rest(took)))
        if failures:
            return self._backoff.after_failure(max(f.retry_after or 0.0 for f in failures))
        if len(self._unread) == len(self._parts):
            self._in_vain += 1
            soon = self._backoff.after_failure(None)
            return soon if self._in_vain <= IN_VAIN else NOT_OFFERED_RETRY
        self._backoff.reset()
        self._in_vain = 0
        return rest(self._interval, took, shared.rng)

    def _take_up(self, known: tuple[str, ...], *, listed: bool) -> None:
        """Replace the identifiers; remove rows no longer tracked, unless the service lists them."""
        gone, self._identifiers = set(self._identifiers) - set(known), known
        unread = set(self._unread)
        self._parts = {each: self._parts.get(each, Part(each, total=1)) for each in known}
        self._unread = {key: why for key, why in self._unread.items() if key in self._parts}
        if listed or not gone:
            return
        # Only the newest created objects are tracked. Older ones without a read stay in the table.
        pushed_out = {one for one in gone & unread if self._is_ours(one)}
        self._table.remove(gone - pushed_out)
        store = self._shared.store
        feed = store.feed(self._kind)
        if not known and feed.tracked:
            feed = replace(feed, tracked=0, unread=0, remark="", total=None)
            store.set_feed(replace(feed, problem=None, failing_since=None))
        store.notify()

    def _report_none(self) -> None:
        """Report the feed of a kind without a list and without tracked identifiers."""
        store = self._shared.store
        feed = store.feed(self._kind)
        if feed.offered or feed.problem == self._problem:
            return
        since = None if self._problem is None else self._shared.service_time.earliest()
        store.set_feed(replace(feed, problem=self._problem, failing_since=since))
        store.notify()

    def _is_listed(self, kind: Kind) -> bool:
        """Return True if all objects are listed; lists per wallet need that of wallets."""
        upstream = READS[kind].parent
        offered = self._shared.store.feed(kind).offered
        return offered and (upstream is None or self._is_listed(upstream))

    async def _round(self) -> tuple[list[Failure], list[Failure]]:
        """Read all; return the missing identifiers, and the failures."""
        missing: list[Failure] = []
        failures: list[Failure] = []
        for identifier, part in self._parts.items():
            sent = self._shared.service_time.clock.boot()
            try:
                part.age = await self._read(identifier)
                part.sent, part.trouble = sent - part.age, None
                self._unread.pop(identifier, None)
            except (NoSuchRead, NotOffered) as error:
                self._unread[identifier] = error.problem
                self._keep_as_created(identifier)
            except NotFound as error:
                if not self._has_worked and self._is_ours(identifier):
                    self._unread[identifier] = error.problem
                    self._keep_as_created(identifier)
                    continue
                self._unread.pop(identifier, None)
                self._table.remove([identifier])
                part.sent, part.trouble = sent, None
                missing.append(failure_of(error))
            except ApiError as error:
                self._shared.link.failed(error)
                failures.append(failure_of(error))
                part.trouble = error.problem
            except Exception as error:  # noqa: BLE001 - a bug must not stop other feeds
                failures.append(unexpected(reading(self._kind), error))
                part.trouble = failures[-1].problem
            if any(failure.concerns_all for failure in failures):
                break
        return missing, failures

    async def _read(self, identifier: str) -> float:
        """Read one object; return the seconds that the response lay in a cache."""
        shared, memory = self._shared, ListCache()
        async with shared.slots:
            row = await shared.client.get(self._kind, identifier, memory)
        shared.link.succeeded()
        self._has_worked = True
        self._table.put([with_addresses(row, self._known(identifier))])
        shared.store.notify()
        return memory.age

    def _keep_as_created(self, identifier: str) -> None:
        if (row := self._known(identifier)) is not None:
            self._table.put([as_created(row)])
            self._shared.store.notify()

    def _is_ours(self, identifier: str) -> bool:
        return is_created_here(self._shared.store, self._kind, identifier)

    def _known(self, identifier: str) -> Record | None:
        known, named = self._table.get(identifier), self._named.get(identifier)
        if isinstance(known, Wallet) and isinstance(named, Wallet):
            return replace(known, currency=known.currency or named.currency)
        return known or named or recollected(self._shared.store, self._kind, identifier)

    def _report(self, missing: list[Failure], failures: list[Failure], every: float) -> None:
        store, time = self._shared.store, self._shared.service_time
        before = store.feed(self._kind)
        if before.offered:
            return  # some lists per wallet or recipient are read, and report their health
        parts = [part for key, part in self._parts.items() if key not in self._unread]
        unread = len(self._unread)
        remark = next((each.happened for each in self._unread.values()), "")
        if not parts and not failures and self._problem is None:
            store.set_feed(
                Feed(
                    self._kind,
                    every=every,
                    offered=False,
                    tracked=unread,
                    unread=unread,
                    remark=remark,
                )
            )
            store.notify()
            return
        if len(missing) == len(parts):
            parts = [Part(part.parent, total=1) for part in parts]
        told = [replace(failure, offered=True) for failure in (*failures, *missing)]
        told += [] if self._problem is None else [Failure(self._problem)]
        feed = feed_after(before, parts, told, None, time, every=every)
        feed = replace(feed, tracked=len(self._identifiers), unread=unread)
        store.set_feed(replace(feed, offered=False, remark=remark or feed.remark))
        store.notify()
