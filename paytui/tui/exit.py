"""Starts the dashboard, and ends the process cleanly in every state of the terminal.

A signal or a lost terminal asks the app to end. If it has not within a second (its loop may hang
on a terminal that does not drain), a watchdog restores the terminal and ends the process.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from selectors import DefaultSelector, SelectorKey
from threading import Lock, Thread

from paytui.store.table import UiPriority
from paytui.tui.app import PaytuiApp
from paytui.tui.terminal.tty import Modes

GRACE = 1.0  # Seconds for an orderly end before the watchdog ends the process


def run_dashboard(app: PaytuiApp, *, mouse: bool) -> int:
    """Run the dashboard on this terminal until it ends.

    With `mouse`, the terminal selects no text by itself.

    Returns:
        The exit code of the process: 0, 1 after a crash, 128 + the signal that ended it.
    """
    leaving = ExitGuard(app)

    async def run() -> None:
        leaving.prepare(asyncio.get_running_loop())
        await app.run_async(mouse=mouse)

    loop = partial(ScreenLoop, app.ui.store.ui_priority, app.ui.time.clock.boot)
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(run())
    leaving.restored = True
    if app.crash_words:
        with suppress(OSError):  # the terminal may be gone
            sys.stderr.write(f"{app.crash_words}\n")
    return leaving.code or app.return_code or 0


class ScreenLoop(asyncio.SelectorEventLoop):
    """An event loop that has priority over the worker except while it waits for events."""

    def __init__(self, priority: UiPriority, boot: Callable[[], float]) -> None:
        super().__init__(_Selector(priority, boot))


class _Selector(DefaultSelector):
    def __init__(self, priority: UiPriority, boot: Callable[[], float]) -> None:
        super().__init__()
        self._priority = priority
        self._boot = boot

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        if timeout is None or timeout > 0:
            self._priority.end()
        try:
            return super().select(timeout)
        finally:
            self._priority.begin(self._boot())


class ExitGuard:
    """Ends the process within about a second of a signal or the loss of the terminal.

    Attributes:
        code: the exit code; 0 while nothing asked the process to end.
        restored: True once the app itself has restored the terminal.
    """

    def __init__(self, app: PaytuiApp) -> None:
        self._app = app
        self._asked = Lock()
        self._tty = app.early.tty
        self._modes: Modes | None = None
        self.code = 0
        self.restored = False

    def prepare(self, loop: asyncio.AbstractEventLoop) -> None:
        """Remember the terminal's modes, and watch for signals and for a hang-up."""
        self._loop = loop
        self._modes = self._app.early.found or self._tty.modes()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, lambda number, _: self._leave(128 + number))
        Thread(target=self._watch_terminal, name="paytui-terminal", daemon=True).start()

    def _watch_terminal(self) -> None:
        """Wait for the terminal to hang up. SIGHUP alone is not enough: it may be ignored."""
        poll = select.poll()
        poll.register(self._tty.stdin, 0)
        poll.poll()
        self._leave(128 + signal.SIGHUP)

    def _leave(self, code: int) -> None:
        if not self._asked.acquire(blocking=False):
            return
        self.code = code
        Thread(target=self._watchdog, name="paytui-watchdog", daemon=True).start()
        with suppress(RuntimeError):  # the loop may have ended meanwhile
            self._loop.call_soon_threadsafe(self._app.exit)

    def _watchdog(self) -> None:
        time.sleep(GRACE)
        if not self.restored:
            self._tty.restore(self._modes)
        os._exit(self.code)
