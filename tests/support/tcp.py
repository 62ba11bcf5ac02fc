"""A port of one's own, and a server with a handler for each connection."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextmanager
def own_port(port: int = 0) -> Iterator[int]:
    """A port of this machine on which nobody listens, until a program is told to.

    Meanwhile a bound socket keeps the system from giving it to others. By default a free one.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", port))
        yield held.getsockname()[1]


@asynccontextmanager
async def server(
    handler: Handler, secured: ssl.SSLContext | None = None, port: int = 0
) -> AsyncIterator[str]:
    """A TCP server, on a free port unless one is named; its connections are closed at the end."""
    writers: list[asyncio.StreamWriter] = []
    serving: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            await handler(reader, writer)

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.append(asyncio.create_task(serve(reader, writer)))

    listening = await asyncio.start_server(begin, "127.0.0.1", port, ssl=secured)
    try:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    finally:
        listening.close()
        for writer in writers:
            writer.transport.abort()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
