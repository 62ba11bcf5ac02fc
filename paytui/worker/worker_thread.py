"""The thread that runs the worker, so that a stuck terminal never stops it."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from paytui.domain.colleagues import AttentionNote, OpenTicket
from paytui.domain.intent import Decision, Intent, SendPermission
from paytui.domain.models import Kind, Problem, Record
from paytui.domain.money import Pair
from paytui.domain.rates import QuoteId
from paytui.platform.crash import CrashReporter, no_report
from paytui.platform.interpreter import share_interpreter
from paytui.platform.processes import run_in_daemon_thread
from paytui.port import Port
from paytui.store.health import Link, LinkState
from paytui.store.store import Store
from paytui.store.table import WakeUp

if TYPE_CHECKING:
    from paytui.worker.worker import Worker

Request = Callable[[Port], None]


class Inbox:
    """A thread-safe `Port` that queues requests for the port on the worker's loop.

    Intents, decisions, notes, quotes and names are queued in order. Of every other request only
    the newest is kept. Requests may be made before `serve` runs; it then finds them.
    """

    def __init__(self) -> None:
        self._newest: dict[str, Request] = {}
        self._queue: deque[Request] = deque()
        self._wake: Callable[[], None] = _not_served

    def refresh(self) -> None:
        self._replace("refresh", lambda port: port.refresh())

    def read_every(self, intervals: Mapping[Kind, timedelta]) -> None:
        self._replace("pace", lambda port: port.read_every(intervals))

    def pause(self, *, paused: bool) -> None:
        self._replace("pause", lambda port: port.pause(paused=paused))

    def on_screen(self, kinds: Collection[Kind]) -> None:
        self._replace("on screen", lambda port: port.on_screen(kinds))

    def watch_rates(self, pairs: tuple[Pair, ...]) -> None:
        self._replace("rates", lambda port: port.watch_rates(pairs))

    def read_raw(self, kind: Kind, identifier: str) -> None:
        self._replace("raw", lambda port: port.read_raw(kind, identifier))

    def load_row(self, kind: Kind, identifier: str) -> None:
        self._replace("row", lambda port: port.load_row(kind, identifier))

    def ask_quote(self, quote_id: QuoteId, pair: Pair) -> None:
        self._enqueue(lambda port: port.ask_quote(quote_id, pair))

    def add_object(self, record: Record) -> None:
        self._enqueue(lambda port: port.add_object(record))

    def note_attention(self, note: AttentionNote) -> None:
        self._enqueue(lambda port: port.note_attention(note))

    def tell_ticket(self, ticket: OpenTicket | None) -> None:
        self._replace("ticket", lambda port: port.tell_ticket(ticket))

    def add_note(self, subject: str, words: str) -> None:
        self._enqueue(lambda port: port.add_note(subject, words))

    def submit(self, intent: Intent) -> None:
        self._enqueue(lambda port: port.submit(intent))

    def decide(self, decision: Decision) -> None:
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

    def _replace(self, name: str, request: Request) -> None:
        self._newest[name] = request
        self._wake()

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


RESTART = "Updates have stopped. Quit and restart paytui."


class WorkerHost:
    """A thread that builds a worker and runs it until told to stop.

    `factory` builds it in the new thread, so that its imports do not delay painting. The store is
    told if the worker cannot be built or crashes, and `crashed` writes the crash report.
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
        share_interpreter()
        self._thread.start()

    @property
    def is_started(self) -> bool:
        """Return True if the thread was started, even if it has ended since."""
        return self._thread.ident is not None

    def wait_until_built(self, timeout: float) -> None:
        self._built.wait(timeout)

    def stop(self, timeout: float = 1.0) -> bool:
        """Cancel the worker, close its connections and wait `timeout` seconds.

        Return True if it has ended; if not, it ends with the process.
        """
        with self._lock:
            self._stopping = True
            if self._cancel is not None:
                self._cancel()
        if self.is_started:
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _main(self) -> None:
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
        from paytui.worker.sync.shared import unexpected

        problem = unexpected("refresh the screens", error).problem
        self._show(replace(problem, remedy=RESTART))  # first, since writing a report may fail
        try:
            kept = self._crashed(error, ["worker"])
        except Exception as trouble:  # noqa: BLE001 - reported on the next lines
            kept = f"No crash report could be saved: {type(trouble).__name__}."
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
            task, loop = asyncio.current_task(), asyncio.get_running_loop()
            assert task is not None
            with self._lock:
                self._cancel = partial(loop.call_soon_threadsafe, task.cancel)
                if self._stopping:
                    self._cancel()
            await worker.run(self._inbox)
        finally:
            with self._lock:
                self._cancel = None
            await worker.aclose()


class LookupLoop(asyncio.SelectorEventLoop):
    """An event loop that resolves names in daemon threads.

    The default thread pool is joined at exit: a name server that did not answer delayed it by 8 s.
    """

    async def getaddrinfo(self, *asked: Any, **options: Any) -> Any:  # noqa: ANN401 - see `asyncio`
        """See `asyncio.loop.getaddrinfo`."""
        return await run_in_daemon_thread(partial(socket.getaddrinfo, *asked, **options))
