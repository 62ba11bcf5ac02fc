"""The queue of outgoing events, a table, and their delivery."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from datetime import datetime, timedelta
from math import floor

import httpx
from standardwebhooks import Webhook

from paytui.sandbox.context import Bank, WebhookTarget, iso, transaction
from paytui.sandbox.http_messages import Json, JsonObject, unknown
from paytui.sandbox.lifecycle import advance

RETRY_AFTER = (5, 30, 120, 600, 3600, 7200, 18000, 36000)
"""Seconds to the next attempt after each failed one; after the last one an event is dropped."""

MOST_AT_ONCE = 20
MOST_SHOWN = 500


def settle(bank: Bank, event_id: str, now: datetime, *, accepted: bool) -> None:
    """Note an attempt; schedule the next if it was refused, but drop the event after the last."""
    query = "UPDATE webhooks SET attempts = attempts + 1 WHERE eventId = ? RETURNING attempts"
    (attempts,) = bank.db.execute(query, (event_id,)).fetchone()
    next_at: str | None = None
    if not accepted and attempts <= len(RETRY_AFTER):
        spread = 1 + bank.chance.noise("retry", event_id, attempts) / 4
        next_at = iso(now + timedelta(seconds=RETRY_AFTER[attempts - 1] * spread))
    query = (
        "UPDATE webhooks SET nextAt = ?, deliveredAt = coalesce(?, deliveredAt) WHERE eventId = ?"
    )
    bank.db.execute(query, (next_at, iso(now) if accepted else None, event_id))


def resend(bank: Bank, event_id: str, now: datetime) -> JsonObject:
    """Queue an event again, with all its retries; raise 404 if it does not exist."""
    query = "UPDATE webhooks SET attempts = 0, nextAt = ? WHERE eventId = ?"
    if not bank.db.execute(query, (iso(now), event_id)).rowcount:
        raise unknown("eventId", event_id)
    return {"eventId": event_id, "nextAt": iso(now)}


def newest(bank: Bank) -> list[Json]:
    """Return the newest events with their delivery status, newest first."""
    names = ("eventId", "eventType", "createdAt", "attempts", "nextAt", "deliveredAt")
    query = f"SELECT {', '.join(names)} FROM webhooks ORDER BY seq DESC LIMIT ?"  # noqa: S608 - our own names
    return [dict(zip(names, row, strict=True)) for row in bank.db.execute(query, (MOST_SHOWN,))]


CHECK_INTERVAL = 0.5  # Seconds between two checks for due steps and events
DELIVERY_TIMEOUT = 5.0  # Timeout of a delivery in seconds

_LOG = logging.getLogger(__name__)


async def deliver_due(bank: Bank, target: WebhookTarget, client: httpx.AsyncClient) -> None:
    """Run the due steps and attempt to deliver some due events concurrently.

    Events are sent at least once, unordered and signed. The client must not follow redirects; its
    timeouts limit a delivery.
    """
    query = "SELECT eventId, body FROM webhooks WHERE nextAt <= ? ORDER BY eventId LIMIT ?"
    with transaction(bank.db):
        now = bank.clock.now()
        advance(bank, now)
        events = bank.db.execute(query, (iso(now), MOST_AT_ONCE)).fetchall()

    async def attempt(event_id: str, body: str) -> None:
        accepted = await _is_accepted(bank, target, client, event_id, body)
        with transaction(bank.db):
            settle(bank, event_id, bank.clock.now(), accepted=accepted)

    await asyncio.gather(*(attempt(event_id, body) for event_id, body in events))


async def _is_accepted(
    bank: Bank, target: WebhookTarget, client: httpx.AsyncClient, event_id: str, body: str
) -> bool:
    """Send an event; the body of the listener's answer is not read."""
    now = bank.clock.now()
    headers = {
        "content-type": "application/json",
        "webhook-id": event_id,
        "webhook-timestamp": str(floor(now.timestamp())),
        "webhook-signature": Webhook(target.secret).sign(event_id, now, body),
    }
    try:
        request = client.stream("POST", target.url, content=body.encode(), headers=headers)
        async with request as response:
            return response.is_success
    except httpx.HTTPError:
        return False


async def deliver(bank: Bank, target: WebhookTarget) -> None:
    """Run the due steps of a bank and deliver its events over the network until cancelled."""
    async with httpx.AsyncClient(timeout=DELIVERY_TIMEOUT, trust_env=False) as client:
        while True:
            try:
                await deliver_due(bank, target, client)
            except sqlite3.Error:
                # The events stay in the table and are sent when it can be read again.
                _LOG.exception("webhooks wait for the database")
            await asyncio.sleep(CHECK_INTERVAL)
