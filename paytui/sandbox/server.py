"""The HTTP server of the sandbox."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from paytui.platform.clock import Clock
from paytui.sandbox.app import app_of, open_bank
from paytui.sandbox.context import Bank, SandboxOptions
from paytui.sandbox.uvicorn_internals import StoppableServer
from paytui.sandbox.webhooks import deliver


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
