"""The thread that runs the worker, so that a stuck terminal never stops it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from paytui.domain.intent import Sending
from paytui.domain.models import Problem
from paytui.platform.crash import Crashed, without_report
from paytui.port import Port
from paytui.store.health import Link, LinkState
from paytui.store.store import Store
from paytui.worker.inbox import Inbox

if TYPE_CHECKING:
    from paytui.worker.worker import Worker

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
        self, factory: Callable[[], Worker], store: Store, crashed: Crashed = without_report
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
        from paytui.worker.lookup import LookupLoop

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
        from paytui.worker.report import unexpected

        said = unexpected("keep what is shown up to date", error).problem
        self._tell(replace(said, remedy=AGAIN))  # whatever becomes of a report of it
        try:
            kept = self._crashed(error, ["worker"])
        except Exception as trouble:  # noqa: BLE001 - nobody is left to tell, and it is told here
            kept = f"No report of it could be kept: {type(trouble).__name__}."
        self._tell(replace(said, remedy=f"{AGAIN} {kept}"))

    def _tell(self, problem: Problem) -> None:
        self._store.set_link(Link(LinkState.STOPPED, problem=problem))
        self._store.set_sending(Sending(allowed=False, why=str(problem)))
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
