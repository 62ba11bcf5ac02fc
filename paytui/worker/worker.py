"""The worker: pollers, intents and requests of the screens on one event loop."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from paytui.api.client import Client
from paytui.api.resources import KIND_OF, READS, TRACKED, identifier_of
from paytui.config.saved_files import merge_tracked
from paytui.config.settings import TrackedIdentifiers
from paytui.domain.colleagues import AttentionNote, OpenTicket
from paytui.domain.models import Kind, Record
from paytui.platform.clock import Clock, ServiceTime
from paytui.store.store import Store
from paytui.worker.intents.intent_service import (
    READS_ONLY,
    IntentService,
    ReadOnlyIntents,
    SendContext,
    SendingDisabled,
)
from paytui.worker.sync.book_recorder import HistoryRecorder
from paytui.worker.sync.cache_writer import CacheSync
from paytui.worker.sync.ingest import ListIngest
from paytui.worker.sync.list_reads import ListReader
from paytui.worker.sync.on_demand import OnDemandReads, RateSheetKeeper
from paytui.worker.sync.poller import PendingObjectWatch, Poller
from paytui.worker.sync.shared import (
    HealthKeeper,
    LinkKeeper,
    PollSchedule,
    Shared,
    Slots,
    watch_connection,
)
from paytui.worker.sync.tracked import Tracked, TrackedPoller, as_created
from paytui.worker.worker_thread import Inbox

if TYPE_CHECKING:
    from paytui.store.colleagues import ColleagueExchange
    from paytui.store.shared_readings import Exchange
    from paytui.worker.sync.colleagues import ColleagueLink
    from paytui.worker.sync.desk_reads import DeskReads

TRACKED_POLL = 5.0  # Seconds between checks for newly tracked identifiers


class Stages:
    """All pollers of a worker, in the order of the first reads; `first` reads balances.

    There is one poller for each list and one for each kind that is read by identifier. Lists per
    wallet or recipient come after the lists of wallets and recipients.
    """

    def __init__(self, shared: Shared, known: Tracked) -> None:
        self._schedule = shared.schedule
        self._known = known
        self._lists: dict[Kind, Poller] = {}
        for kind, read in READS.items():
            upstream = None if read.parent is None else self._lists[read.parent]
            ingest = ListIngest(kind, shared.store, shared.service_time)
            lists = ListReader(kind, shared.client, ingest, shared.service_time)
            self._lists[kind] = Poller(kind, shared, ingest, lists.read, upstream)
        self._one_by_one = {kind: TrackedPoller(kind, known, shared) for kind in TRACKED}
        self.first = self._lists[Kind.WALLETS]
        pollers: tuple[Mapping[Kind, Poller | TrackedPoller], ...]
        pollers = (self._lists, self._one_by_one)
        self._stages = [
            [one for kind, one in them.items() if (READS[kind].parent is None) is is_whole]
            for is_whole in (True, False)
            for them in pollers
        ]

    def __iter__(self) -> Iterator[Poller | TrackedPoller]:
        return chain.from_iterable(self._stages)

    async def watch(self) -> None:
        """Pass newly tracked identifiers to their pollers, until cancelled.

        One loop serves all of them: a loop for each would wake an idle host more often.
        """
        while True:
            await asyncio.sleep(TRACKED_POLL)
            known = self._known()
            for poller in self._one_by_one.values():
                poller.check(known)

    async def poll_once(self) -> None:
        """Read everything once. Failures are in the feeds' health."""
        self.doubt()
        for stage in self._stages:
            async with asyncio.TaskGroup() as group:
                for poller in stage:
                    group.create_task(poller.poll())

    def doubt(self) -> None:
        """Make the next round read all lists, however recent they are."""
        for lists in self._lists.values():
            lists.doubt()

    def poll_now(self) -> None:
        for poller in self:
            poller.poll_now()

    def poll_soon(self, kind: Kind) -> None:
        """Poll a kind soon, unless polling is paused. Recent reads still count."""
        if self._schedule.paused:
            return
        for poller in self:
            if poller.kind is kind:
                poller.poll_now()

    def read_named(self, kind: Kind) -> None:
        """Read tracked objects now, also while polling is paused."""
        if kind in self._one_by_one:
            self._one_by_one[kind].poll_now()

    def in_doubt(self, kinds: Collection[Kind]) -> None:
        """Keep polling these kinds and their parents, even while polling is paused."""
        parents = {parent for kind in kinds if (parent := READS[kind].parent) is not None}
        self._schedule.in_doubt = {*kinds, *parents}

    def read_now(self, kind: Kind) -> None:
        """Read all lists of a kind now, and the list of its parents."""
        for lists in self._lists.values():
            if lists.kind in (kind, READS[kind].parent):
                lists.doubt()
                lists.poll_now()


RESUME_CHECK = 2.0  # Seconds between checks, and so the maximum delay until a resume is noticed
SUSPENDED = 1.0  # Seconds; shorter suspends are ignored


async def watch_for_resume(clock: Clock, resumed: Callable[[], None]) -> None:
    """Call `resumed` soon after each resume of the host, until cancelled.

    The loop's clock stands still during a suspend. Without this, a pause of five minutes would
    continue after a suspend of an hour, beside data that is an hour old.
    """
    suspended = clock.boot() - clock.monotonic()
    while True:
        await asyncio.sleep(RESUME_CHECK)
        before, suspended = suspended, clock.boot() - clock.monotonic()
        if suspended - before >= SUSPENDED:
            resumed()


class Runs(Protocol):
    """A part of the worker that runs as a task."""

    async def run(self) -> None:
        """Run until cancelled."""


MakeListener = Callable[[Shared, Callable[[Kind], None]], Runs]
"""A factory; its arguments are the parts that pollers share, and a function that polls a kind."""

HEAD_START = 1.0  # Maximum seconds for which only balances are read


class Worker:
    """The worker of one service and one store, on one event loop.

    It reads everything, then polls each kind at its own interval.

    Args:
        tracked: returns the identifiers to read one by one where the service has no list.
        sending: the parts needed for sending, or why nothing may be sent.
        exchange: the desk by which several seats read once; None: this seat reads by itself.
        colleagues: the desk where a dashboard tells what it is about to do; it needs a history.
    """

    def __init__(
        self,
        client: Client,
        store: Store,
        service_time: ServiceTime,
        rng: random.Random,
        schedule: PollSchedule,
        *,
        tracked: Tracked = TrackedIdentifiers,
        sending: SendContext | SendingDisabled = READS_ONLY,
        listener: MakeListener | None = None,
        cache_sync: CacheSync | None = None,
        history: HistoryRecorder | None = None,
        exchange: Exchange | None = None,
        colleagues: ColleagueExchange | None = None,
    ) -> None:
        self._client = client
        self._store = store
        self._tracked = tracked
        self._schedule = schedule
        self._clock = service_time.clock
        self._link = LinkKeeper(client, store, service_time, recovered=self._poll_now)
        self._desk: DeskReads | None = None
        if exchange is not None:
            from paytui.worker.sync.desk_reads import DeskReads

            self._desk = DeskReads(exchange, store, service_time, schedule, self._link)
        shared = Shared(
            client=client,
            store=store,
            service_time=service_time,
            rng=rng,
            schedule=schedule,
            slots=Slots(4),  # reads at once
            link=self._link,
            desk=self._desk,
        )
        self._health = HealthKeeper(shared)
        self.vitals = self._health.vitals
        self._stages = Stages(shared, self._known)
        self.sync_once = self._stages.poll_once
        self._sheets = RateSheetKeeper(shared)
        self._on_demand = on_demand = OnDemandReads(shared, cache_sync)
        self.load_row, self.read_raw = on_demand.load_row, on_demand.read_raw
        self.ask_quote = on_demand.ask_quote
        self.watch_rates = self._sheets.watch
        self._pending_objects = PendingObjectWatch(
            store, service_time.clock, self._stages.poll_soon
        )
        self._cache_sync = cache_sync
        self._history = history
        self._colleagues: ColleagueLink | None = None
        if colleagues is not None and history is not None:
            from paytui.worker.sync.colleagues import ColleagueLink

            self._colleagues = ColleagueLink(colleagues, store, service_time, rng, history)
        self._listener = listener and listener(shared, self._stages.poll_soon)
        self._named: defaultdict[Kind, dict[str, Record]] = defaultdict(dict)
        self._intents = self._intents_of(sending)
        self.submit, self.decide = self._intents.submit, self._intents.decide

    async def run(self, inbox: Inbox) -> None:
        """Keep the store up to date and carry out requests of the inbox, until cancelled."""
        self._intents.open()
        first = self._stages.first
        soon: list[Runs | None] = [self._intents, self._on_demand, self._health]
        soon += [self._pending_objects, self._listener, self._desk, first]
        later: list[Runs | None] = [self._sheets, self._cache_sync, self._history]
        later += [self._colleagues, *(poller for poller in self._stages if poller is not first)]
        async with asyncio.TaskGroup() as group:
            group.create_task(inbox.serve(self))
            group.create_task(watch_for_resume(self._clock, self._poll_now))
            if self._desk is not None:
                group.create_task(watch_connection(self._client, self._link))
            for part in filter(None, soon):
                group.create_task(part.run())
            with suppress(TimeoutError):
                async with asyncio.timeout(HEAD_START):
                    await first.polled.wait()
            group.create_task(self._stages.watch())
            for part in filter(None, later):
                group.create_task(part.run())

    async def aclose(self) -> None:
        """Close the connections to the service, the outbox, the cache and the book."""
        self._intents.close()
        if self._cache_sync is not None:
            self._cache_sync.close()
        if self._history is not None:
            self._history.close()
        if self._colleagues is not None:
            await self._colleagues.leave()
        await self._client.aclose()

    def refresh(self) -> None:
        self._client.try_again()
        self._stages.doubt()
        self._poll_now()

    def read_every(self, intervals: Mapping[Kind, timedelta]) -> None:
        self._schedule.intervals = intervals
        self._poll_now()

    def pause(self, *, paused: bool) -> None:
        self._schedule.paused = paused
        if not paused:
            self._poll_now()

    def on_screen(self, kinds: Collection[Kind]) -> None:
        before, self._schedule.on_screen = self._schedule.on_screen, kinds
        for kind in (kind for kind in kinds if kind in self._schedule.intervals):
            feed = self._store.feed(kind)
            age = self._clock.boot() - (feed.read_at or 0.0)
            is_due = feed.problem is None and age >= self._schedule.interval(kind)
            if before is not None and kind not in before and is_due:
                self._stages.poll_soon(kind)

    def add_object(self, record: Record) -> None:
        kind, identifier = KIND_OF[type(record)], identifier_of(record)
        before, table = self._named[kind].get(identifier), self._store.table(kind)
        if before is not None and table.get(identifier) == as_created(before):
            table.put([as_created(record)])  # it was never read: what is typed corrects it
            self._store.notify()
        self._named[kind][identifier] = record
        self._stages.read_named(kind)

    def note_attention(self, note: AttentionNote) -> None:
        if self._history is not None:
            self._history.note(note)
        if self._colleagues is not None:
            self._colleagues.note_attention(note)

    def tell_ticket(self, ticket: OpenTicket | None) -> None:
        if self._colleagues is not None:
            self._colleagues.tell_ticket(ticket)

    def add_note(self, subject: str, words: str) -> None:
        if self._colleagues is not None:
            self._colleagues.add_note(subject, words)

    def _intents_of(
        self, sending: SendContext | SendingDisabled
    ) -> IntentService | ReadOnlyIntents:
        if isinstance(sending, SendingDisabled):
            return ReadOnlyIntents(self._store, sending, self._clock)
        return IntentService(
            sending,
            self._client.sender,
            self._store,
            read_now=self._stages.read_now,
            in_doubt=self._stages.in_doubt,
            booked=self._booked,
        )

    def _known(self) -> TrackedIdentifiers:
        """Return the tracked identifiers, with the objects that intents became."""
        known = self._tracked()
        made = merge_tracked(known.identifiers, self._intents.made())
        named = {kind: tuple(rows) for kind, rows in self._named.items()}
        return replace(known, identifiers=merge_tracked(made, named), named=self._named)

    def _booked(self, record: Record) -> None:
        """Show at once what an intent became, and poll it."""
        kind = KIND_OF[type(record)]
        self._store.table(kind).announce(record)
        self._store.notify()
        self._pending_objects.wait_for(kind, identifier_of(record))
        self._poll_now()

    def _poll_now(self) -> None:
        """End all pauses: the service or the host is back, or the trader asked for a refresh."""
        self._sheets.poll_now()
        self._stages.poll_now()
