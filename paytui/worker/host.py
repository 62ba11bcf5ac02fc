"""The thread that runs the worker, so that a stuck terminal never stops it."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from paytui.domain.intent import Decision, Intent, SendPermission
from paytui.domain.models import Kind, Problem, Record
from paytui.domain.money import Pair
from paytui.domain.older_rows import OlderRowsQuery
from paytui.domain.rates import QuoteId
from paytui.platform.crash import CrashReporter, no_report
from paytui.port import Port
from paytui.store.health import Link, LinkState
from paytui.store.store import Store
from paytui.store.table import WakeUp

if TYPE_CHECKING:
    from paytui.worker.worker import Worker

Request = Callable[[Port], None]


class Inbox:
    """A thread-safe `Port` that queues requests for the port on the worker's loop.

    Intents, decisions, quotes and names are queued in order. Of every other request only the newest
    is kept. Requests may be made before `serve` runs; it then finds them.
    """

    def __init__(self) -> None:
        self._newest: dict[str, Request] = {}
        self._queue: deque[Request] = deque()
        self._wake: Callable[[], None] = _not_served

    def refresh(self) -> None:
        """See `Port`."""
        self._newest["refresh"] = lambda port: port.refresh()
        self._wake()

    def read_every(self, intervals: Mapping[Kind, timedelta]) -> None:
        """See `Port`."""
        self._newest["pace"] = lambda port: port.read_every(intervals)
        self._wake()

    def pause(self, *, paused: bool) -> None:
        """See `Port`."""
        self._newest["pause"] = lambda port: port.pause(paused=paused)
        self._wake()

    def on_screen(self, kinds: Collection[Kind]) -> None:
        """See `Port`."""
        self._newest["on screen"] = lambda port: port.on_screen(kinds)
        self._wake()

    def watch_rates(self, pairs: tuple[Pair, ...]) -> None:
        """See `Port`."""
        self._newest["rates"] = lambda port: port.watch_rates(pairs)
        self._wake()

    def read_raw(self, kind: Kind, identifier: str) -> None:
        """See `Port`."""
        self._newest["raw"] = lambda port: port.read_raw(kind, identifier)
        self._wake()

    def load_older(self, kind: Kind, query: OlderRowsQuery) -> None:
        """See `Port`."""
        self._newest["older rows"] = lambda port: port.load_older(kind, query)
        self._wake()

    def ask_quote(self, quote_id: QuoteId, pair: Pair) -> None:
        """See `Port`."""
        self._enqueue(lambda port: port.ask_quote(quote_id, pair))

    def add_object(self, record: Record) -> None:
        """See `Port`."""
        self._enqueue(lambda port: port.add_object(record))

    def submit(self, intent: Intent) -> None:
        """See `Port`."""
        self._enqueue(lambda port: port.submit(intent))

    def decide(self, decision: Decision) -> None:
        """See `Port`."""
        self._enqueue(lambda port: port.decide(decision))

    async def serve(self, port: Port) -> None:
        """Forward requests to a port on this loop, until cancelled."""
        wake = WakeUp(asyncio.get_running_loop())
        self._wake = wake
        try:
            while True:
                for request in self._pending():
                    request(port)
                await wake.wait()
        finally:
            self._wake = _not_served

    def _enqueue(self, request: Request) -> None:
        self._queue.append(request)
        self._wake()

    def _pending(self) -> Iterator[Request]:
        while self._newest:
            yield self._newest.popitem()[1]
        while self._queue:
            yield self._queue.popleft()


def _not_served() -> None:
    """Wake nobody: requests wait until `serve` runs."""


SWITCH_INTERVAL = 0.0005
"""Seconds for which one thread may hold the interpreter; short, for the screens' sake."""

RESTART = "Updates have stopped. Quit and restart paytui."


class WorkerHost:
    """A thread that builds a worker and runs it until told to stop.

    Args:
        factory: builds the worker in the new thread, so that its imports do not delay painting.
        store: is told if the worker cannot be built or crashes.
        crashed: writes the crash report.
    """

    def __init__(
        self, factory: Callable[[], Worker], store: Store, crashed: CrashReporter = no_report
    ) -> None:
        self._inbox = Inbox()
        self._factory = factory
        self._store = store
        self._crashed = crashed
        self._lock = Lock()
        self._stopping = False
        self._built = Event()
        self._cancel: Callable[[], object] | None = None
        self._thread = Thread(target=self._main, name="paytui-worker", daemon=True)

    @property
    def port(self) -> Port:
        """Return the port of the worker; it accepts requests before the worker runs."""
        return self._inbox

    def start(self) -> None:
        """Start the thread and return at once."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._thread.start()

    @property
    def is_started(self) -> bool:
        """Return True if the thread was started, even if it has ended since."""
        return self._thread.ident is not None

    def wait_until_built(self, timeout: float) -> None:
        """Wait until the worker is built, for at most `timeout` seconds."""
        self._built.wait(timeout)

    def stop(self, timeout: float = 1.0) -> bool:
        """Cancel the worker and close its connections.

        Args:
            timeout: seconds to wait for it.

        Returns:
            True if it has ended; if not, it ends with the process.
        """
        with self._lock:
            self._stopping = True
            if self._cancel is not None:
                self._cancel()
        if self.is_started:
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _main(self) -> None:
        from paytui.worker.tasks import LookupLoop

        try:
            with (
                suppress(asyncio.CancelledError),
                asyncio.Runner(loop_factory=LookupLoop) as runner,
            ):
                runner.run(self._run())
        except Exception as error:  # noqa: BLE001 - the last place that can report it
            self._report_crash(error)

    def _report_crash(self, error: Exception) -> None:
        """Show that updates stopped, and where the crash report is."""
        from paytui.worker.sync.health import unexpected

        problem = unexpected("keep what is shown up to date", error).problem
        self._show(replace(problem, remedy=RESTART))  # first, since writing a report may fail
        try:
            kept = self._crashed(error, ["worker"])
        except Exception as trouble:  # noqa: BLE001 - reported on the next lines
            kept = f"No report of it could be kept: {type(trouble).__name__}."
        self._show(replace(problem, remedy=f"{RESTART} {kept}"))

    def _show(self, problem: Problem) -> None:
        self._store.set_link(Link(LinkState.STOPPED, problem=problem))
        self._store.set_sending(SendPermission(allowed=False, why=str(problem)))
        self._store.notify()

    async def _run(self) -> None:
        try:
            worker = self._factory()
        finally:
            self._built.set()
        try:
            self._allow_stop(asyncio.current_task())
            await worker.run(self._inbox)
        finally:
            with self._lock:
                self._cancel = None
            await worker.aclose()

    def _allow_stop(self, task: asyncio.Task[None] | None) -> None:
        assert task is not None
        loop = asyncio.get_running_loop()
        with self._lock:
            self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
            if self._stopping:
                self._cancel()
