"""What every operation of the service works on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from paytui.sandbox.clock import Chance, SandboxClock, iso
from paytui.sandbox.market import Market
from paytui.sandbox.messages import JsonObject

# What a sandbox is started with.


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """Where events are sent.

    Attributes:
        secret: what they are signed with: `whsec_` and base64 (Standard Webhooks).
    """

    url: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """The settings of one sandbox; fixed for its life.

    Attributes:
        client_secret: the only secret that `POST /auth` accepts.
        client_id: the only client that `POST /auth` knows.
        seed: everything random follows from it and from the time that has passed.
        scale: payments in the history that an empty database starts with; 0 starts with nothing,
            and then nothing happens that was not asked for.
        speed: divides the delays of states, pay-ins and rate ticks, never the lives of tokens and
            sheets; 0 stops all that moves by itself.
        database: a file that survives a restart, or `:memory:`.
        token_lifetime: seconds (service.md §8: 5 minutes).
        sheet_lifetime: seconds (service.md §8: 2.5 minutes).
        accounts: `trusted` accounts are registered at creation; `kyc` ones are checked first.
        strict: refuse to create anything without an idempotency key.
        ignore_idempotency: execute every request, whatever its key.
        awkward: every fifth name, and some references, are hard to show.
        documented_only: serve the fourteen operations of service.md §4 and no other.
        webhook: where events are sent, if they are wanted.
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
    chance: Chance
    market: Market

    def new_id(self, kind: str) -> str:
        """An identifier that follows from the seed and from how many were given before."""
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


# What is to happen by itself, and when: a table instead of timers.

# Seconds at speed 1, give or take a half.
ACTIVATION = 3.0
IDENTITY_CHECKS = 10.0
COMPLIANCE = 6.0
PAY_IN_RECEIPT = 3.0
PAYMENT_CHECK = 2.0
PROCESSING = 6.0
COMPLETION = 20.0
RETURN = 60.0


def later(bank: Bank, kind: str, subject: str, now: datetime, seconds: float) -> None:
    """Note that something is due about so many seconds (at speed 1) from now.

    The kind says what is to be done (`lifecycle` knows how), the subject to which object.
    """
    if not bank.options.speed:
        return
    spread = 1 + bank.chance.noise("delay", kind, subject, iso(now)) / 2
    at = now + timedelta(seconds=seconds * spread / bank.options.speed)
    row = (iso(at), kind, subject)
    bank.db.execute("INSERT INTO due (at, kind, subject) VALUES (?, ?, ?)", row)
