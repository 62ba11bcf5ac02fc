"""A receiver of the sandbox's webhooks in this process: an ASGI app that records them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import httpx
import time_machine
from standardwebhooks import Webhook
from starlette.types import Receive, Scope, Send

from paytui.sandbox.app import app_of, open_bank
from paytui.sandbox.context import SandboxOptions, WebhookTarget
from paytui.sandbox.webhooks import deliver_due
from tests.support.clock import ManualClock
from tests.support.plain import EMPTY, Item, PlainService

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
LISTENING = replace(EMPTY, webhook=WebhookTarget("http://listener.test/hooks", SECRET))


class Listener:
    """Answers with `status`, and keeps what it was sent, signature verified."""

    def __init__(self, status: int = 204) -> None:
        self.status = status
        self.heard: list[Item] = []
        self.messages: list[tuple[bytes, dict[str, str]]] = []

    @property
    def kinds(self) -> list[str]:
        return [event["eventType"] for event in self.heard]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = (await receive())["body"]
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.messages.append((body, headers))
        # A signature is good for five minutes: it is judged at the time that it was made for.
        with time_machine.travel(float(headers["webhook-timestamp"]), tick=False):
            self.heard.append(Webhook(SECRET).verify(body, headers))
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": b""})


class Notifying:
    """A service that sends webhooks to a listener, when it is told to."""

    def __init__(self, listener: Listener, options: SandboxOptions = LISTENING) -> None:
        self.clock = ManualClock()
        self.listener = listener
        self.start(options)

    def start(self, options: SandboxOptions) -> None:
        self._bank = open_bank(options, self.clock)
        self.service = PlainService(app_of(self._bank), self.clock)
        self.service.sign_in()
        self._target = options.webhook

    def deliver(self) -> None:
        """Make one round of delivery attempts."""
        asyncio.run(self._deliver())

    async def _deliver(self) -> None:
        assert self._target is not None
        transport = httpx.ASGITransport(self.listener)
        async with httpx.AsyncClient(transport=transport) as client:
            await deliver_due(self._bank, self._target, client)
