"""Delivers events: at least once, in no order, signed; the only thing here that has a timer."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from math import floor

import httpx
from standardwebhooks import Webhook

from paytui.sandbox import webhooks
from paytui.sandbox.bank import Bank
from paytui.sandbox.database import transaction
from paytui.sandbox.lifecycle import advance
from paytui.sandbox.options import WebhookTarget

PULSE = 0.5
"""Seconds between two looks at what is due."""

PATIENCE = 5.0
"""Seconds that a listener has to answer."""

_LOG = logging.getLogger(__name__)


class Courier:
    """Sends what stands in the table of events, and notes what became of it.

    Args:
        client: must not follow redirects; its time-outs bound a delivery.
    """

    def __init__(self, bank: Bank, target: WebhookTarget, client: httpx.AsyncClient) -> None:
        self._bank = bank
        self._url = target.url
        self._signer = Webhook(target.secret)
        self._client = client

    async def run(self) -> None:
        """Deliver until cancelled; what happens by itself happens without a request, too."""
        while True:
            try:
                await self.deliver_due()
            except sqlite3.Error:
                # The events stand in the table: they are sent when it can be read again.
                _LOG.exception("webhooks wait for the database")
            await asyncio.sleep(PULSE)

    async def deliver_due(self) -> None:
        """One attempt for each of the events that are due, at the same time."""
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
        """Whether the listener took an event; its answer's body is not read."""
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
    """Deliver the events of a bank over the network, until cancelled."""
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
        await Courier(bank, target, client).run()
