"""A worker on a service in this process, in virtual time."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import httpx
from starlette.types import ASGIApp

from paytui.api.client import Credentials
from paytui.api.dialect import Dialect
from paytui.api.http.token import TokenCell
from paytui.config.settings import TrackedIdentifiers
from paytui.domain.models import Kind, Problem, Record
from paytui.platform.clock import Clock, ServiceTime
from paytui.platform.secret import Secret
from paytui.store.shared_readings import Exchange
from paytui.store.store import Store
from paytui.worker.intents.intent_service import READS_ONLY, SendContext, SendingDisabled
from paytui.worker.sync.book_recorder import HistoryRecorder
from paytui.worker.sync.cache_writer import CacheSync
from paytui.worker.sync.shared import PollSchedule
from paytui.worker.worker import MakeListener, Worker
from paytui.worker.worker_thread import Inbox
from tests.support.client import known_secret
from tests.support.documented import documented
from tests.support.network import Network
from tests.support.typed_client import TypedClient
from tests.support.virtual import at_once

INTERVALS = {
    Kind.ACCOUNTS: 60,
    Kind.WALLETS: 5,
    Kind.PAYIN_ADDRESSES: 300,
    Kind.PAYINS: 10,
    Kind.TRADES: 5,
    Kind.RECIPIENTS: 60,
    Kind.PAYMENT_ADDRESSES: 300,
    Kind.PAYMENTS: 5,
}
"""Seconds."""

PAYMENTS_ALONE = {**dict.fromkeys(INTERVALS, 3_600), Kind.PAYMENTS: 5}
"""The same for hours that are about payments; other lists would take most of their CPU."""

LISTED = tuple(INTERVALS)


class Desk:
    """The worker and all that it hangs on, for a test to look at and to disturb.

    Attributes:
        wakes: grows by one entry with each wake-up of the screens.
        tracked: the identifiers that are known of; may be changed at any time, as may
            `tracking_problem`, why they are not what they are meant to be.
        asked_what_is_tracked: how many times the worker has asked for them.
    """

    def __init__(
        self,
        app: ASGIApp | None,
        clock: Clock,
        *,
        secret: Callable[[], Secret] = known_secret,
        intervals: Mapping[Kind, int] = INTERVALS,
        dialect: Dialect | None = None,
        tracked: Mapping[Kind, Sequence[str]] | None = None,
        office: SendContext | SendingDisabled = READS_ONLY,
        service_time: ServiceTime | None = None,
        listener: MakeListener | None = None,
        store: Store | None = None,
        keeping: CacheSync | None = None,
        book: Path | None = None,
        cell: TokenCell | None = None,
        exchange: Exchange | None = None,
    ) -> None:
        self.clock: Clock = clock
        self.network = Network(app)
        self.store = store or Store()
        self.inbox = Inbox()
        self.service_time = service_time or ServiceTime(clock)
        self.wakes: list[float] = []
        rng = random.Random(7)  # noqa: S311 - a test repeats itself
        self.client = TypedClient(
            "http://localhost",
            Credentials("demo", secret),
            dialect or documented(),
            self.service_time,
            rng,
            transport=self.network,
            cell=cell,
        )
        pace = PollSchedule(
            {kind: timedelta(seconds=seconds) for kind, seconds in intervals.items()}
        )
        self.tracked = {**(tracked or {})}
        self.tracking_problem: Problem | None = None
        self.asked_what_is_tracked = 0
        self.worker = Worker(
            self.client,
            self.store,
            self.service_time,
            rng,
            pace,
            tracked=self._known,
            sending=office,
            listener=listener,
            cache_sync=keeping,
            history=None if book is None else self._recorder(book),
            exchange=exchange,
        )
        self.store.subscribe(lambda: self.wakes.append(clock.boot()))

    def _recorder(self, book: Path) -> HistoryRecorder:
        return HistoryRecorder(self.store, self.service_time, book, {}, in_thread=at_once)

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """The worker runs inside, and everything that it began has ended after."""
        before = asyncio.all_tasks()
        task = asyncio.create_task(self.worker.run(self.inbox))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled(), task.exception()
            assert asyncio.all_tasks() <= before

    async def until(self, condition: Callable[[], bool], within: float = 600) -> float:
        """Let virtual time pass until something is so; how many seconds that took."""
        began = self.clock.boot()
        while not condition():
            assert self.clock.boot() - began < within, "in vain"
            await asyncio.sleep(0.05)
        return self.clock.boot() - began

    async def wait(self, seconds: float) -> None:
        """Let so much virtual time pass."""
        await asyncio.sleep(seconds)

    async def control(self, what: str, **body: object) -> None:
        """Use the sandbox's control surface."""
        assert self.network.app is not None
        transport = httpx.ASGITransport(self.network.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answer = await client.post(f"/_sandbox/{what}", content=json.dumps(body))
        assert answer.status_code == 201, answer.text

    async def fault(self, operation: str, kind: str, times: int = 1, seconds: float = 1) -> None:
        """Have the next calls of an operation go wrong."""
        await self.control("faults", operation=operation, kind=kind, times=times, seconds=seconds)

    def count(self, kind: Kind) -> int:
        """Return the number of rows in the store."""
        return len(getattr(self.store, kind.value))

    def rows(self, kind: Kind) -> list[Record]:
        """All rows that the store holds."""
        rows: list[Record] = getattr(self.store, kind.value).rows()
        return rows

    def all_ok(self) -> bool:
        """Return True if every list was read and none fails."""
        return all(self.store.feed(kind).ok for kind in LISTED)

    def versions(self) -> dict[Kind, int]:
        """The version of each table."""
        return {kind: getattr(self.store, kind.value).version for kind in Kind}

    def _known(self) -> TrackedIdentifiers:
        self.asked_what_is_tracked += 1
        identifiers = {kind: tuple(known) for kind, known in self.tracked.items()}
        return TrackedIdentifiers(identifiers, self.tracking_problem)
