"""The HTTP server of the sandbox, and the delivery of its events."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import floor
from types import FrameType

import httpx
import uvicorn
from standardwebhooks import Webhook
from uvicorn.protocols.http.h11_impl import H11Protocol

from paytui.platform.clock import Clock
from paytui.sandbox import webhooks
from paytui.sandbox.app import app_of, open_bank
from paytui.sandbox.context import Bank, SandboxOptions, WebhookTarget
from paytui.sandbox.database import transaction
from paytui.sandbox.messages import CUT_STATE
from paytui.sandbox.service.lifecycle import advance

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def serve(
    options: SandboxOptions, clock: Clock, host: str, port: int, announce: Callable[[str], None]
) -> int | None:
    """Serve until SIGTERM or SIGINT.

    The host is an address of this machine; port 0 picks a free one. `announce` is called once with
    the base URL as soon as the service answers.

    Returns:
        The signal that ended it.

    Raises:
        OSError: the address cannot be bound.
    """
    with bind(host, port) as listener:
        server = SandboxServer(options, clock, lambda: announce(base_url(listener)))
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


class SandboxServer(uvicorn.Server):
    """A uvicorn server that announces its start and returns after a signal."""

    def __init__(self, options: SandboxOptions, clock: Clock, ready: Callable[[], None]) -> None:
        self._bank = open_bank(options, clock)
        super().__init__(
            uvicorn.Config(
                app_of(self._bank),
                http=CuttableProtocol,
                lifespan="off",
                log_level="error",
                access_log=False,
                date_header=False,
                server_header=False,
                timeout_graceful_shutdown=0,
            )
        )
        self._ready = ready
        self._deliveries: asyncio.Task[None] | None = None
        self.stopped_by: int | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._bank.options.webhook is not None:
            self._deliveries = asyncio.create_task(deliver(self._bank, self._bank.options.webhook))
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop at once; pending requests are cut off without an error."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        if self._deliveries is not None:
            self._deliveries.cancel()
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


CHECK_INTERVAL = 0.5
"""Seconds between two checks for due steps and events."""

DELIVERY_TIMEOUT = 5.0
"""Timeout of a delivery in seconds."""

_LOG = logging.getLogger(__name__)


class EventSender:
    """The sender of events: at least once, unordered, signed.

    Args:
        client: must not follow redirects; its timeouts limit a delivery.
    """

    def __init__(self, bank: Bank, target: WebhookTarget, client: httpx.AsyncClient) -> None:
        self._bank = bank
        self._url = target.url
        self._signer = Webhook(target.secret)
        self._client = client

    async def run(self) -> None:
        """Deliver until cancelled, and run due steps without a request."""
        while True:
            try:
                await self.deliver_due()
            except sqlite3.Error:
                # The events stay in the table and are sent when it can be read again.
                _LOG.exception("webhooks wait for the database")
            await asyncio.sleep(CHECK_INTERVAL)

    async def deliver_due(self) -> None:
        """Attempt to deliver all due events concurrently."""
        with transaction(self._bank.db):
            now = self._bank.clock.now()
            advance(self._bank, now)
            events = webhooks.due(self._bank, now)
        await asyncio.gather(*(self._deliver(event_id, body) for event_id, body in events))

    async def _deliver(self, event_id: str, body: str) -> None:
        settle = webhooks.delivered if await self._send(event_id, body) else webhooks.refused
        with transaction(self._bank.db):
            settle(self._bank, event_id, self._bank.clock.now())

    async def _send(self, event_id: str, body: str) -> bool:
        """Return True if the listener accepted an event; the body of its answer is not read."""
        now = self._bank.clock.now()
        headers = {
            "content-type": "application/json",
            "webhook-id": event_id,
            "webhook-timestamp": str(floor(now.timestamp())),
            "webhook-signature": self._signer.sign(event_id, now, body),
        }
        request = self._client.stream("POST", self._url, content=body.encode(), headers=headers)
        try:
            async with request as response:
                return response.is_success
        except httpx.HTTPError:
            return False


async def deliver(bank: Bank, target: WebhookTarget) -> None:
    """Deliver the events of a bank over the network until cancelled."""
    async with httpx.AsyncClient(timeout=DELIVERY_TIMEOUT, trust_env=False) as client:
        await EventSender(bank, target, client).run()
