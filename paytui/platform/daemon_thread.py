"""Awaiting a blocking call in a daemon thread, which delays neither event loop nor exit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def run_in_daemon_thread(read: Callable[[], T]) -> T:
    """Return or raise the result of `read`; the process can exit while the thread still runs."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def tell(outcome: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(lambda: None if answer.done() else outcome())

    def ask() -> None:
        try:
            value = read()
        except Exception as error:  # noqa: BLE001 - it is raised where the result is awaited
            tell(partial(answer.set_exception, error))
        else:
            tell(partial(answer.set_result, value))

    Thread(target=ask, name="paytui-waits", daemon=True).start()
    return await answer
