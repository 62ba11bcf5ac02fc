"""Blocking calls in daemon threads, which do not delay the exit, and child processes."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Awaitable, Callable
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

RunInThread = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs a blocking call, as `run_in_daemon_thread` does."""


def start_daemon_thread(call: Callable[[], T]) -> Future[T]:
    """Run `call` in a thread of its own; the process can exit while the thread still runs."""
    from concurrent.futures import Future

    outcome: Future[T] = Future()

    def run() -> None:
        if not outcome.set_running_or_notify_cancel():
            return
        try:
            value = call()
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is read
            outcome.set_exception(error)
        else:
            outcome.set_result(value)

    Thread(target=run, name="paytui-waits", daemon=True).start()
    return outcome


async def run_in_daemon_thread(call: Callable[[], T]) -> T:
    """Return or raise the result of `call`; the process can exit while its thread still runs."""
    import asyncio  # not needed by commands that only print

    return await asyncio.wrap_future(start_daemon_thread(call))


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the process group of a program; of one that runs as another user, this does nothing."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
