"""A free port, and a server with a handler for each connection."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def free_port() -> int:
    """A port of this machine on which nobody listens by now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


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
