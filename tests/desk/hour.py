"""An hour of ten seats in virtual time, by a real PostgreSQL. Not among the tests.

    python -m tests.desk.hour [SEATS [MINUTES]]

Tokens live 300 s. Each seat is a worker on a host of its own; the lists of all are looked at each
second. The requests are compared with those of one seat alone.
"""

# ruff: noqa: T201 - a campaign prints its figures

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from dataclasses import dataclass, field

import psycopg
from psycopg.conninfo import make_conninfo
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paytui.desk.database import install
from paytui.domain.models import Kind
from tests.desk.conftest import TRADERS
from tests.desk.reading import OFTEN, Floor
from tests.desk.server import running_server
from tests.support.clock import ManualClock
from tests.worker.conftest import still_service


@dataclass
class Counted:
    """A service that counts its requests and its refusals of a token."""

    app: ASGIApp
    counts: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.counts["requests"] += 1
                self.counts["401"] += message["status"] == 401
                self.counts["sign-ins"] += scope["path"].endswith("/auth")
            await send(message)

        await self.app(scope, receive, counted)


def live_through(server: str, seats: int, minutes: int) -> tuple[Counter[str], Counter[Kind]]:
    """Return the service's counts, and the greatest age of each list that is read often."""
    name = f"hour_{seats}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    admin = make_conninfo(server, dbname=name)
    install(admin, TRADERS)
    clock, oldest = ManualClock(), Counter[Kind]()
    service = Counted(still_service(clock))
    anna, bob = (make_conninfo(admin, user=trader) for trader in TRADERS)
    floor = Floor(admin, (anna, bob), service, clock, signs_in=True)

    async def scene() -> None:
        async with floor.seats(seats) as them:
            await asyncio.sleep(60)
            service.counts.clear()
            for _ in range(minutes * 60):
                await asyncio.sleep(1)
                for kind in OFTEN:
                    age = max(seat.age(kind) for seat in them)
                    oldest[kind] = max(oldest[kind], round(age))

    floor.run(scene())
    return service.counts, oldest


def main() -> None:
    seats, minutes = (*map(int, sys.argv[1:]), *(10, 60)[len(sys.argv) - 1 :])
    with running_server(TRADERS) as server:
        alone, _ = live_through(server, 1, minutes)
        counts, oldest = live_through(server, seats, minutes)
    most, ages = minutes / 60, {kind.value: f"{age} s" for kind, age in oldest.items()}
    print(f"{seats} seats, {minutes} minutes")
    print(f"sign-ins           {counts['sign-ins']} (at most {17 * most:.0f} are wanted)")
    print(f"401                {counts['401']} (at most {20 * most:.0f})")
    print(f"requests           {counts['requests']}; one seat alone: {alone['requests']}")
    print(f"oldest list        {ages} (at most 10 s)")
    is_well = (
        counts["sign-ins"] <= 17 * most
        and counts["401"] <= 20 * most
        and counts["requests"] <= 1.2 * alone["requests"]
        and max(oldest.values()) <= 10
    )
    sys.exit(not is_well)


if __name__ == "__main__":
    main()
