"""The HTTP server of the sandbox, with everything that depends on undocumented parts of uvicorn.

Written for uvicorn 0.54; `tests/test_private_parts.py` fails if a part of it changes.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from paytui.platform.clock import Clock
from paytui.sandbox.app import app_of, open_bank
from paytui.sandbox.context import Bank, SandboxOptions
from paytui.sandbox.http_messages import CUT_STATE
from paytui.sandbox.webhooks import deliver

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
KEEP_ALIVE = 60  # Seconds until an idle connection is closed, far more than clients keep one


class StoppableServer(uvicorn.Server):
    """A server that returns after a signal, `stopped_by`.

    `start` is called in the server's loop once it answers; its task ends with the loop.
    """

    def __init__(self, app: ASGIApp, start: Callable[[], asyncio.Task[None] | None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=CuttableProtocol,
                lifespan="off",
                log_level="error",
                access_log=False,
                date_header=False,
                server_header=False,
                timeout_graceful_shutdown=0,
                timeout_keep_alive=KEEP_ALIVE,
            )
        )
        self._start = start
        self.stopped_by: int | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._background = self._start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop at once; pending requests are cut off without an error."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        for connection in self.server_state.connections:
            connection.transport.abort()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal; unlike uvicorn, do not raise it again afterwards."""
        before = {number: signal.signal(number, self.handle_exit) for number in STOP_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - a signal handler's shape
        self.stopped_by = sig
        self.should_exit = True


class CuttableProtocol(H11Protocol):
    """An HTTP/1.1 protocol that lets the app end the connection without an answer."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self.app_state = {**self.app_state, CUT_STATE: transport.abort}


def serve(
    options: SandboxOptions,
    clock: Clock,
    host: str,
    port: int,
    announce: Callable[[str, Bank], None],
) -> int | None:
    """Serve until SIGTERM or SIGINT, and return that signal; raise OSError if it cannot bind.

    The host is an address of this machine; port 0 picks a free one. `announce` is called once with
    the base URL and the bank as soon as the service answers.
    """
    with bind(host, port) as listener:
        bank = open_bank(options, clock)

        def start() -> asyncio.Task[None] | None:
            announce(base_url(listener), bank)
            return asyncio.create_task(deliver(bank, options.webhook)) if options.webhook else None

        server = StoppableServer(app_of(bank), start)
        server.run(sockets=[listener])
        return server.stopped_by


def bind(host: str, port: int) -> socket.socket:
    """Bind a socket to an IPv4 or IPv6 address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def base_url(listener: socket.socket) -> str:
    """Return the URL of a socket; an IPv6 address is bracketed (RFC 3986 §3.2.2)."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
