"""One process with the real worker, client, outbox and store, from start to death."""

from __future__ import annotations

import asyncio
import contextvars
import re
from contextlib import suppress
from datetime import datetime, timedelta

from paytui.api.client import Credentials
from paytui.domain.intent import IntentRow
from paytui.domain.models import Kind
from paytui.outbox.database import Connection
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox, OutboxReader, open_outbox
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.worker.intents.intent_service import SendContext, SendingDisabled
from paytui.worker.intents.retry_rules import RetryRules
from paytui.worker.sync.shared import PollSchedule
from paytui.worker.worker import Worker
from paytui.worker.worker_thread import Inbox
from tests.simulation.disk import PROFILE, Files, wired
from tests.simulation.loop import OWNED, Tasks
from tests.simulation.network import Network
from tests.simulation.power import Crash, Power
from tests.simulation.scenario import dialect_of
from tests.simulation.setup import Setup
from tests.simulation.site import Site
from tests.support.client import known_secret
from tests.support.typed_client import TypedClient

BASE_URL = "http://localhost"
RARELY, OFTEN = timedelta(hours=1), timedelta(seconds=25)
INTERVALS = {kind: OFTEN if kind in (Kind.PAYMENTS, Kind.TRADES) else RARELY for kind in Kind}


class Dashboard:
    """A process as `cli.compose` builds it, on seams that can fail.

    Attributes:
        store, inbox: what a screen has.
        setup: what its user has set.
        may_send: whether it owns the outbox.
        disowned_since: the service's true time at which its lock was taken away.
    """

    def __init__(self, number: int, site: Site, setup: Setup) -> None:
        self.number = number
        self.store = Store()
        self.inbox = Inbox()
        self.may_send = False
        self.disowned_since: datetime | None = None
        self.time = ServiceTime(site.host)
        self._site = site
        self.setup = setup
        self._tasks: Tasks = []
        self._connections: list[Connection] = []
        self._outbox: Outbox | None = None
        self._worker: Worker | None = None
        self._on_disk: Files = {}
        self._mishaps = site.rng(f"mishaps of {number}")
        self.power = Power(self._crash)

    @property
    def alive(self) -> bool:
        """Return True if the process is alive."""
        return self.power.alive

    def rows(self) -> list[IntentRow]:
        """The intents that its screens show."""
        return self.store.intents.rows()

    async def start(self) -> None:
        """Start it; it may die on the way."""
        self._say("starts")
        context = contextvars.copy_context()
        context.run(OWNED.set, self._tasks)
        asyncio.get_running_loop().create_task(self._main(), context=context)
        await asyncio.sleep(0)

    async def close(self) -> None:
        """End it as a person does."""
        self._say("ends")
        self.power.disarm()
        self._tasks[0].cancel()
        await asyncio.wait(self._tasks[:1])
        await self._clear_away()

    async def bury(self) -> None:
        """Take away what a death has left, but for what was on disk at that moment."""
        await self._clear_away()
        for connection in self._connections:
            connection.close()
        if self._outbox is not None:
            self._outbox.close()  # the lock goes with the process
        if self._connections:
            self._site.disk.put_back(self._on_disk)

    def leave_disk_to_another(self) -> None:
        """After a death: another process has gone on with the files since."""
        self._on_disk = self._site.disk.copy()

    # The process itself

    async def _main(self) -> None:
        """Run the worker as `WorkerHost` does."""
        worker = self._worker = self._built()
        try:
            await worker.run(self.inbox)
        finally:
            if self.alive:
                await worker.aclose()

    def _built(self) -> Worker:
        rng = self._site.rng(f"process {self.number}")
        dialect = dialect_of(self._site.scenario, self.setup.edition)
        network = Network(self.number, self.setup.client_id, self.power, self._site)
        client = TypedClient(
            BASE_URL,
            Credentials(self.setup.client_id, known_secret),
            dialect,
            self.time,
            rng,
            transport=network,
        )
        retry_rules = RetryRules(
            profile=PROFILE,
            base_url=BASE_URL,
            client_id=self.setup.client_id,
            idempotency=dialect.idempotency,
            gateway_patience=dialect.gateway_patience,
            time=self.time,
            user="jo",
            host="desk-4",
        )
        return Worker(
            client,
            self.store,
            self.time,
            rng,
            PollSchedule(INTERVALS),
            sending=self._office(retry_rules),
        )

    def _office(self, retry_rules: RetryRules) -> SendContext | SendingDisabled:
        if self.setup.read_only:
            self._say("only reads")
            return SendingDisabled("This profile is read-only.", self._history())
        try:
            self._outbox = open_outbox(
                self._site.disk.path,
                host="desk-4",
                since=self._site.host.now(),
                connect=wired(self.power, self._site.disk, self._connections.append),
            )
        except OutboxError as error:
            # Not which process of ours: a seed is to say the same in each.
            why = re.sub(r"process \d+", "another process", error.problem.what.rpartition("/")[2])
            self._say(f"may not send: {why}")
            return SendingDisabled(str(error.problem), self._history())
        self.may_send = True
        return SendContext(self._outbox, retry_rules)

    def _history(self) -> OutboxReader | None:
        with suppress(OutboxError):
            return OutboxReader(self._site.disk.path)
        return None

    def _crash(self, seam: str) -> None:
        loses_power = self._mishaps.random() < 0.4
        disk = self._site.disk
        self._on_disk = disk.without_power() if loses_power else disk.copy()
        kind = "power loss" if loses_power else "crash"
        self._site.trace.fault(kind, f"of #{self.number}, {seam}")

    async def _clear_away(self) -> None:
        while left := [task for task in self._tasks if not task.done()]:
            for task in left:
                task.cancel()
            await asyncio.wait(left)
        for task in self._tasks:
            self._look_at(task)

    def _look_at(self, task: asyncio.Task[object]) -> None:
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not _is_death(error):
            self._site.trace.say(f"#{self.number} failed: {error!r}")
            raise error

    def _say(self, words: str) -> None:
        self._site.trace.say(f"#{self.number} {words}")


def _is_death(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(_is_death(inner) for inner in error.exceptions)
    return isinstance(error, Crash | asyncio.CancelledError)
