"""The queue of outgoing events: a table, written in the transaction of the change."""

from __future__ import annotations

from datetime import datetime, timedelta

from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank
from paytui.sandbox.database import insert
from paytui.sandbox.messages import Json, JsonObject, dump, unknown
from paytui.sandbox.service.resources import Resource

RETRY_AFTER = (5, 30, 120, 600, 3600, 7200, 18000, 36000)
"""Seconds to the next attempt after each failed one; after the last one an event is dropped."""

MOST_AT_ONCE = 20
MOST_SHOWN = 500


def announce(bank: Bank, kind: str, resource: Resource, identifier: str, at: datetime) -> None:
    """Queue an event of an object for the listener (service.md §2: Event).

    The kind is `payin.credited`, `trade.exchanged` or `payment.<state>`.
    """
    if bank.options.webhook is None:
        return
    event_id = bank.new_id("event")
    event: JsonObject = {
        "eventId": event_id,
        "eventType": kind,
        "createdAt": iso(at),
        "data": resource.get(bank.db, identifier),
    }
    insert(bank.db, "webhooks", {
        "eventId": event_id,
        "eventType": kind,
        "body": dump(event),
        "createdAt": iso(at),
        "nextAt": iso(at),
    })  # fmt: skip


def due(bank: Bank, now: datetime) -> list[tuple[str, str]]:
    """Return the identifiers and bodies of some due events, unordered (service.md)."""
    query = "SELECT eventId, body FROM webhooks WHERE nextAt <= ? ORDER BY eventId LIMIT ?"
    return [(row[0], row[1]) for row in bank.db.execute(query, (iso(now), MOST_AT_ONCE))]


def delivered(bank: Bank, event_id: str, now: datetime) -> None:
    """Mark an event as delivered."""
    query = (
        "UPDATE webhooks SET attempts = attempts + 1, nextAt = NULL, deliveredAt = ?"
        " WHERE eventId = ?"
    )
    bank.db.execute(query, (iso(now), event_id))


def refused(bank: Bank, event_id: str, now: datetime) -> None:
    """Schedule the next attempt, or drop the event after the last one."""
    query = "UPDATE webhooks SET attempts = attempts + 1 WHERE eventId = ? RETURNING attempts"
    (attempts,) = bank.db.execute(query, (event_id,)).fetchone()
    next_at: str | None = None
    if attempts <= len(RETRY_AFTER):
        spread = 1 + bank.chance.noise("retry", event_id, attempts) / 4
        next_at = iso(now + timedelta(seconds=RETRY_AFTER[attempts - 1] * spread))
    bank.db.execute("UPDATE webhooks SET nextAt = ? WHERE eventId = ?", (next_at, event_id))


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
