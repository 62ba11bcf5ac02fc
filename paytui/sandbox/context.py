"""The context of every operation: options, database, clock, random numbers and market."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from paytui.sandbox.clock import SandboxClock, SeededRandom, iso
from paytui.sandbox.market import Market
from paytui.sandbox.messages import JsonObject


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """A listener for events.

    Attributes:
        secret: the signing secret: `whsec_` and base64 (Standard Webhooks).
    """

    url: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """The settings of one sandbox; fixed for its life.

    Attributes:
        client_secret: the only secret that `POST /auth` accepts.
        client_id: the only client that `POST /auth` knows.
        seed: determines all random values, together with the elapsed time.
        scale: payments in the history of an empty database; 0 starts without history
            and without simulated activity.
        speed: divides the delays of states, pay-ins and rate ticks, but not the lives of tokens and
            sheets; 0 stops all automatic changes.
        database: a file that survives a restart, or `:memory:`.
        token_lifetime: seconds (service.md §8: 5 minutes).
        sheet_lifetime: seconds (service.md §8: 2.5 minutes).
        accounts: `trusted` accounts are registered at creation; `kyc` ones are checked first.
        strict: refuse to create anything without an idempotency key.
        ignore_idempotency: execute every request, whatever its key.
        awkward: every fifth name, and some references, are hard to show.
        documented_only: serve the fourteen operations of service.md §4 and no other.
        webhook: the listener for events, if any.
    """

    client_secret: str = field(repr=False)
    client_id: str = "demo"
    seed: int = 1
    scale: int = 200
    speed: float = 1.0
    database: str = ":memory:"
    token_lifetime: float = 300
    sheet_lifetime: float = 150
    accounts: Literal["trusted", "kyc"] = "trusted"
    strict: bool = False
    ignore_idempotency: bool = False
    documented_only: bool = False
    awkward: bool = False
    webhook: WebhookTarget | None = None


@dataclass(frozen=True, slots=True)
class Bank:
    """The parts of one sandbox."""

    options: SandboxOptions
    db: sqlite3.Connection
    clock: SandboxClock
    chance: SeededRandom
    market: Market

    def new_id(self, kind: str) -> str:
        """Return a reproducible identifier, from the seed and a counter."""
        query = "UPDATE counter SET value = value + 1 RETURNING value"
        (number,) = self.db.execute(query).fetchone()
        return self.chance.uuid(kind, number)


@dataclass(frozen=True, slots=True)
class Call:
    """One request to an operation, after authentication."""

    client_id: str
    now: datetime
    params: Mapping[str, str]
    query: Mapping[str, str]
    body: JsonObject


Handler = Callable[[Bank, Call], JsonObject]


# Mean delays in seconds at speed 1.
ACTIVATION = 3.0
IDENTITY_CHECKS = 10.0
COMPLIANCE = 6.0
PAY_IN_RECEIPT = 3.0
PAYMENT_CHECK = 2.0
PROCESSING = 6.0
COMPLETION = 20.0
RETURN = 60.0


def later(bank: Bank, kind: str, subject: str, now: datetime, seconds: float) -> None:
    """Schedule a step in about `seconds` (at speed 1) from now.

    The kind names the step (see `lifecycle`), the subject the object. A table replaces timers.
    """
    if not bank.options.speed:
        return
    spread = 1 + bank.chance.noise("delay", kind, subject, iso(now)) / 2
    at = now + timedelta(seconds=seconds * spread / bank.options.speed)
    row = (iso(at), kind, subject)
    bank.db.execute("INSERT INTO due (at, kind, subject) VALUES (?, ?, ?)", row)
