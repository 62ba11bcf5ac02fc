"""Asking a secret's source, which may be a slow program, without holding up the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread

from paytui.secret import Secret


async def in_a_thread(read: Callable[[], Secret]) -> Secret:
    """What `read` gives or raises; the end of the process does not wait for the thread."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Secret] = loop.create_future()

    def tell(outcome: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(lambda: None if answer.done() else outcome())

    def ask() -> None:
        try:
            secret = read()
        except Exception as error:  # noqa: BLE001 - it is raised where the answer is waited for
            tell(partial(answer.set_exception, error))
        else:
            tell(partial(answer.set_result, secret))

    Thread(target=ask, name="paytui-secret", daemon=True).start()
    return await answer
