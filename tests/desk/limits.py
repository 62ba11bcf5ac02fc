"""Intents as rows of the log, for limits of a desk, and races for the last of a day's limit."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal

import psycopg
from psycopg.conninfo import make_conninfo

from paytui.desk.database import Database, install
from paytui.desk.log import DeskLog
from paytui.domain.desk_limits import DeskLimits
from paytui.domain.intent import IntentId
from paytui.domain.money import CurrencyCode
from paytui.outbox.shared_log import HandedIn, Refusal, limits_document
from paytui.platform.clock import SystemClock
from tests.desk.server import outbox_at, running_server

CLIENT = "acme"
BODY = '{"amount": 60}'


def set_limits(admin: str, limits: DeskLimits) -> None:
    install(admin, limits=(CLIENT, limits_document(limits)))


def recorded(intent: IntentId, terms: Mapping[str, str], body: str = BODY) -> HandedIn:
    named = {
        "terms": json.dumps(terms),
        "body_hash": hashlib.sha256(body.encode()).hexdigest(),
    }
    return HandedIn(intent, 0, "recorded", json.dumps(named))


def payout(intent: IntentId, amount: str, recipient: str = "R-1") -> HandedIn:
    return recorded(intent, {"amount": amount, "currency": "AUD", "recipient_id": recipient})


def proposed(intent: IntentId, body: str = BODY) -> HandedIn:
    return HandedIn(intent, 1, "proposed", json.dumps({"body": body}))


def sending(intent: IntentId, local: int, body: str = BODY, departure: int = 1) -> HandedIn:
    body_hash = hashlib.sha256(body.encode()).hexdigest()
    return HandedIn(intent, local, "sending", "{}", departure, body_hash)


def log_of(dsn: str, host: str, client: str = CLIENT) -> DeskLog:
    clock = SystemClock()
    return DeskLog(Database(dsn), client, outbox_at(host), patience=timedelta(0), clock=clock)


async def race(logs: list[DeskLog], number: int) -> list[float | Refusal]:
    """Let each outbox send 60 to one recipient at once."""
    them = [IntentId(f"PT-{number}-{seat}") for seat in range(len(logs))]
    rows = [[payout(each, "60", f"R-{number}"), sending(each, 1)] for each in them]
    return list(await asyncio.gather(*map(DeskLog.depart, logs, rows)))


async def races(dsns: list[str], count: int) -> list[list[float | Refusal]]:
    logs = [log_of(dsn, f"host-{seat}") for seat, dsn in enumerate(dsns)]
    for log in logs:
        await log.replayed((await log.look()).epoch)
    found = [await race(logs, number) for number in range(count)]
    for log in logs:
        log.close()
    return found


def main(count: int) -> None:
    """Run many races, and print how many let nobody, one, or both pass."""
    with running_server(("anna", "bob")) as server:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("CREATE DATABASE limits")
        admin = make_conninfo(server, dbname="limits")
        install(admin, ("anna", "bob"))
        set_limits(admin, DeskLimits(per_recipient={CurrencyCode("AUD"): Decimal(100)}))
        found = asyncio.run(
            races([make_conninfo(admin, user=who) for who in ("anna", "bob")], count)
        )
    passed = [sum(isinstance(each, float) for each in answers) for answers in found]
    counts = {number: passed.count(number) for number in range(3)}
    sys.stdout.write(f"{counts}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1000)
