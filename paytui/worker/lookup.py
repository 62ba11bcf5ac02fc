"""An event loop whose DNS look-ups cannot hold up the end of the process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Literal, TypeAlias

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
