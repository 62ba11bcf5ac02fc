"""Between two slices of what is long: others have their turn, and screens that paint go first."""

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

MANY = 100
"""Rows from which on a slice is long enough to be in the way of a screen."""

LOOK = 0.005
"""Seconds between looks at whether the way is free."""

LOOKS = 20
"""So many at the most: a key that is held down puts no read off for long."""


async def next_turn(store: Store, clock: Clock, rows: int) -> None:
    """Tell what came, and let others run before the next slice.

    Args:
        store: what it came to; knows whether something is about to be painted.
        clock: the host's.
        rows: how many the slice had, and the next one may have.
    """
    store.notify()
    await asyncio.sleep(0)
    if rows < MANY:
        return
    for _ in range(LOOKS):
        if not store.ui_priority.is_requested(clock.boot()):
            return
        await asyncio.sleep(LOOK)


# Tasks that are begun as they are asked for, and that end with the worker.


class Jobs:
    """Holds tasks until they end; those that are left are cancelled with `run`."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start a task on the running loop."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def run(self) -> None:
        """Do nothing until cancelled, and then see all tasks to their end."""
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            left = tuple(self._tasks)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)


# An event loop whose DNS look-ups cannot hold up the end of the process.

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
    """Looks names up in threads that nobody waits for.

    The loop's own way is a pool of threads that the interpreter joins at its end: a name server
    that does not answer held the exit for 8 s.
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
        """Pass the outcome of a look-up on, if somebody still waits for it."""
        with suppress(RuntimeError):  # the loop was closed meanwhile
            self.call_soon_threadsafe(lambda: None if found.done() else outcome())
