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

# The worker's side of the port: what screens asked for and the worker has not yet taken.

Wish = Callable[[Port], None]


class Inbox:
    """A `Port` for any thread, which passes on to another one that lives on the worker's loop.

    Of refreshing, intervals, watching, reaching and raw reads the newest wish counts; everything
    else is passed on one by one, in order. It can be called before it is served, which then finds
    what was asked for, and after.
    """

    def __init__(self) -> None:
        self._newest: dict[str, Wish] = {}
        self._each: deque[Wish] = deque()
        self._ring: Callable[[], None] = _nobody

    def refresh(self) -> None:
        """See `Port`."""
        self._newest["refresh"] = lambda port: port.refresh()
        self._ring()

    def read_every(self, intervals: Mapping[Kind, timedelta]) -> None:
        """See `Port`."""
        self._newest["pace"] = lambda port: port.read_every(intervals)
        self._ring()

    def pause(self, *, paused: bool) -> None:
        """See `Port`."""
        self._newest["pause"] = lambda port: port.pause(paused=paused)
        self._ring()

    def on_screen(self, kinds: Collection[Kind]) -> None:
        """See `Port`."""
        self._newest["on screen"] = lambda port: port.on_screen(kinds)
        self._ring()

    def watch_rates(self, pairs: tuple[Pair, ...]) -> None:
        """See `Port`."""
        self._newest["rates"] = lambda port: port.watch_rates(pairs)
        self._ring()

    def read_raw(self, kind: Kind, identifier: str) -> None:
        """See `Port`."""
        self._newest["raw"] = lambda port: port.read_raw(kind, identifier)
        self._ring()

    def reach(self, kind: Kind, reach: OlderRowsQuery) -> None:
        """See `Port`."""
        self._newest["reach"] = lambda port: port.reach(kind, reach)
        self._ring()

    def ask_quote(self, quote_id: QuoteId, pair: Pair) -> None:
        """See `Port`."""
        self._pass_on(lambda port: port.ask_quote(quote_id, pair))

    def name(self, record: Record) -> None:
        """See `Port`."""
        self._pass_on(lambda port: port.name(record))

    def submit(self, intent: Intent) -> None:
        """See `Port`."""
        self._pass_on(lambda port: port.submit(intent))

    def decide(self, decision: Decision) -> None:
        """See `Port`."""
        self._pass_on(lambda port: port.decide(decision))

    async def serve(self, port: Port) -> None:
        """Pass on what is asked for, on this loop, until cancelled."""
        wake = WakeUp(asyncio.get_running_loop())
        self._ring = wake
        try:
            while True:
                for wish in self._taken():
                    wish(port)
                await wake.wait()
        finally:
            self._ring = _nobody

    def _pass_on(self, wish: Wish) -> None:
        self._each.append(wish)
        self._ring()

    def _taken(self) -> Iterator[Wish]:
        while self._newest:
            yield self._newest.popitem()[1]
        while self._each:
            yield self._each.popleft()


def _nobody() -> None:
    """Nobody serves the inbox: what was asked for waits."""


SWITCH_INTERVAL = 0.0005
"""Seconds that one thread may keep the interpreter from the other, the screens'."""

AGAIN = "Nothing is refreshed any more: leave, and start paytui again."


class WorkerHost:
    """Builds a worker in a thread of its own and runs it until it is told to stop.

    Args:
        factory: builds the worker, in the new thread: its imports delay no first paint.
        store: learns it if the worker cannot be built or ends by a mistake of ours.
        crashed: keeps what that was.
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
        """The door to the worker; open before it runs."""
        return self._inbox

    def start(self) -> None:
        """Start the thread; returns at once."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._thread.start()

    @property
    def is_started(self) -> bool:
        """Whether the thread was started, whatever has become of it."""
        return self._thread.ident is not None

    def wait_until_built(self, timeout: float) -> None:
        """Let it load what it needs, for so many seconds at the most."""
        self._built.wait(timeout)

    def stop(self, timeout: float = 1.0) -> bool:
        """End what the worker does, and close its connections.

        Args:
            timeout: seconds to wait for it.

        Returns:
            Whether it has ended; if not, it ends with the process.
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
        except Exception as error:  # noqa: BLE001 - the last place that can say it, and it does
            self._say(error)

    def _say(self, error: Exception) -> None:
        """That nothing is refreshed any more, and where more of it is."""
        from paytui.worker.sync.health import unexpected

        said = unexpected("keep what is shown up to date", error).problem
        self._tell(replace(said, remedy=AGAIN))  # whatever becomes of a report of it
        try:
            kept = self._crashed(error, ["worker"])
        except Exception as trouble:  # noqa: BLE001 - nobody is left to tell, and it is told here
            kept = f"No report of it could be kept: {type(trouble).__name__}."
        self._tell(replace(said, remedy=f"{AGAIN} {kept}"))

    def _tell(self, problem: Problem) -> None:
        self._store.set_link(Link(LinkState.STOPPED, problem=problem))
        self._store.set_sending(SendPermission(allowed=False, why=str(problem)))
        self._store.notify()

    async def _run(self) -> None:
        try:
            worker = self._factory()
        finally:
            self._built.set()
        try:
            self._let_stop(asyncio.current_task())
            await worker.run(self._inbox)
        finally:
            self._never_mind()
            await worker.aclose()

    def _let_stop(self, task: asyncio.Task[None] | None) -> None:
        assert task is not None
        loop = asyncio.get_running_loop()
        with self._lock:
            self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
            if self._stopping:
                self._cancel()

    def _never_mind(self) -> None:
        with self._lock:
            self._cancel = None
