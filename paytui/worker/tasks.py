"""Cooperative tasks on the worker's event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Literal, TypeAlias

from paytui.platform.clock import Clock
from paytui.store.store import Store

LONG_SLICE = 100
"""Rows; a slice of at least this size may delay a screen."""

YIELD = 0.005
"""Seconds between checks of whether the screens still claim the interpreter."""

MAX_YIELDS = 20
"""Maximum number of such checks, so that a key held down does not stop reads."""


async def next_turn(store: Store, clock: Clock, rows: int) -> None:
    """Publish changes, and let other tasks and screens run before the next slice.

    Args:
        store: the store that received the rows; knows whether screens are about to paint.
        clock: the host's.
        rows: size of the slice, and probably of the next one.
    """
    store.notify()
    await asyncio.sleep(0)
    if rows < LONG_SLICE:
        return
    for _ in range(MAX_YIELDS):
        if not store.ui_priority.is_requested(clock.boot()):
            return
        await asyncio.sleep(YIELD)


class Jobs:
    """A group of tasks started on demand and cancelled with the worker."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start a task on the running loop."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def run(self) -> None:
        """Sleep until cancelled, then cancel all tasks and wait for them."""
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            left = tuple(self._tasks)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)


V4: TypeAlias = tuple[
    Literal[socket.AddressFamily.AF_INET], socket.SocketKind, int, str, tuple[str, int]
]
V6: TypeAlias = tuple[
    Literal[socket.AddressFamily.AF_INET6],
    socket.SocketKind,
    int,
    str,
    tuple[str, int, int, int] | tuple[int, bytes],
]
Found: TypeAlias = list[V4 | V6]


class LookupLoop(asyncio.SelectorEventLoop):
    """An event loop that resolves names in daemon threads.

    The default thread pool is joined at exit: a name server that did not answer delayed it by 8 s.
    """

    async def getaddrinfo(
        self,
        host: bytes | str | None,
        port: bytes | str | int | None,
        *,
        family: int = 0,
        type: int = 0,  # noqa: A002 - the name that the loop's interface has
        proto: int = 0,
        flags: int = 0,
    ) -> Found:
        """See `asyncio.loop.getaddrinfo`."""
        found: asyncio.Future[Found] = self.create_future()

        def look_up() -> None:
            try:
                result = socket.getaddrinfo(host, port, family, type, proto, flags)
            except (OSError, UnicodeError) as error:
                self._tell(found, partial(found.set_exception, error))
            else:
                self._tell(found, partial(found.set_result, result))

        Thread(target=look_up, name="paytui-lookup", daemon=True).start()
        return await found

    def _tell(self, found: asyncio.Future[Found], outcome: Callable[[], None]) -> None:
        """Pass the outcome of a look-up to the future, unless it is done."""
        with suppress(RuntimeError):  # the loop was closed meanwhile
            self.call_soon_threadsafe(lambda: None if found.done() else outcome())
