"""The context of every operation: options, database, clock, random numbers and market."""

from __future__ import annotations

import hashlib
import math
import random
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_DOWN, Context, Decimal
from functools import lru_cache
from typing import Literal
from uuid import UUID

from paytui.platform.clock import Clock, utc
from paytui.sandbox.http_messages import JsonObject
from paytui.sandbox.ledger import CURRENCIES


def iso(moment: datetime) -> str:
    """Format a time as ISO 8601 in UTC with milliseconds, which sorts as text."""
    return utc(moment, "milliseconds")


class SandboxClock:
    """The injected clock plus an offset, which is in the database and survives a restart."""

    def __init__(self, clock: Clock, db: sqlite3.Connection) -> None:
        self._clock = clock
        self._db = db
        (seconds,) = db.execute("SELECT offsetSeconds FROM clock").fetchone()
        self._offset = timedelta(seconds=seconds)

    def now(self) -> datetime:
        return self._clock.now() + self._offset

    def advance(self, seconds: float) -> None:
        """Move the service's time forward permanently."""
        self._offset += timedelta(seconds=seconds)
        self._db.execute("UPDATE clock SET offsetSeconds = ?", (self._offset.total_seconds(),))


def happens(rng: random.Random, share: float) -> bool:
    return rng.random() < share


class SeededRandom:
    """Stateless random numbers: each follows from the seed and a label alone.

    A restart, the order of requests or a rolled-back transaction does not change them.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def draw(self, *label: object) -> random.Random:
        return random.Random(f"{self._seed}:{label}")  # noqa: S311 - a demo is reproducible

    def uuid(self, *label: object) -> str:
        """Return a UUID in the form of version 4 (RFC 9562)."""
        digest = hashlib.blake2b(f"{self._seed}:{label}".encode(), digest_size=16).digest()
        return str(UUID(bytes=digest, version=4))

    def noise(self, *label: object) -> float:
        """Return a number in [-1, 1), much faster than `draw`."""
        digest = hashlib.blake2b(f"{self._seed}:{label}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") / 2**63 - 1


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@contextmanager
def savepoint(db: sqlite3.Connection) -> Iterator[None]:
    """Run a block in a savepoint; the transaction continues after an error."""
    db.execute("SAVEPOINT attempt")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK TO attempt")
        raise
    finally:
        db.execute("RELEASE attempt")


def insert(db: sqlite3.Connection, table: str, *rows: dict[str, str | None]) -> None:
    """Insert rows with the columns of the first; their names are never a caller's."""
    if not rows:
        return
    names = ", ".join(rows[0])
    marks = ", ".join(f":{name}" for name in rows[0])
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - our own names
    db.executemany(statement, rows)


TICK = 2.0  # Seconds between two rates, at speed 1
STEP = 0.00002  # The move of a currency in one tick, as a fraction of its price

LAYERS = 10
SIGNIFICANT_DIGITS = 6
BASIS_POINT = 0.0001

NOT_QUOTED = frozenset({frozenset({"KWD", "THB"}), frozenset({"PLN", "ZAR"})})
"""Pairs without a market."""

_DOWN = Context(prec=SIGNIFICANT_DIGITS, rounding=ROUND_DOWN)


class Market:
    """The real-time rates of all pairs: one random walk per currency against the dollar.

    A walk is a sum of layers of noise, each smoother and wider than the one before it. Its value
    at any time follows from the seed and the time since `epoch` alone. `speed` divides the time
    between two ticks; 0 stops the market.
    """

    def __init__(self, chance: SeededRandom, epoch: datetime, speed: float) -> None:
        self._epoch = epoch
        self._speed = speed
        self._noise = lru_cache(maxsize=1024)(chance.noise)  # all ends of current periods

    def unavailable(self, sell: str, buy: str) -> str | None:
        """Return why a pair has no rate; None if it has one."""
        if sell == buy:
            return "the two currencies are the same"
        for code in (sell, buy):
            if code not in CURRENCIES:
                return f"{code} is not a currency of this service"
        if {sell, buy} in NOT_QUOTED:
            return "nobody quotes this pair at the moment"
        return None

    def rate(self, sell: str, buy: str, now: datetime) -> Decimal:
        """Return the amount of the bought currency for one unit of the sold one (service.md §2)."""
        cost = (CURRENCIES[sell].half_spread + CURRENCIES[buy].half_spread) * BASIS_POINT
        middle = self._dollars(sell, now) / self._dollars(buy, now)
        return _DOWN.create_decimal_from_float(middle * (1 - cost))

    def _dollars(self, code: str, now: datetime) -> float:
        start = CURRENCIES[code].dollars
        if code == "USD":
            return start
        tick = math.floor((now - self._epoch).total_seconds() * self._speed / TICK)
        walk = math.fsum(self._layer(code, layer, tick) for layer in range(LAYERS))
        return start * math.exp(STEP * walk)

    def _layer(self, code: str, layer: int, tick: int) -> float:
        period: int = 4**layer
        index, offset = divmod(tick, period)
        left, right = self._noise(code, layer, index), self._noise(code, layer, index + 1)
        return math.sqrt(period) * (left + (right - left) * offset / period)


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """A listener for events; the signing secret is `whsec_` and base64 (Standard Webhooks)."""

    url: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """The settings of one sandbox; fixed for its life.

    Attributes:
        client_id, client_secret: the only ones that `POST /auth` accepts.
        seed: determines all random values, together with the elapsed time.
        scale: payments in the history of an empty database; 0 starts without history
            and without simulated activity.
        speed: divides the delays of states, pay-ins and rate ticks, but not the lives of tokens and
            sheets; 0 stops all automatic changes.
        database: a file that survives a restart, or `:memory:`.
        token_lifetime, sheet_lifetime: seconds (service.md §8: 5 minutes, 2.5 minutes).
        accounts: `trusted` accounts are registered at creation; `kyc` ones are checked first.
        strict: refuse to create anything without an idempotency key.
        ignore_idempotency: execute every request, whatever its key.
        awkward: every fifth name, and some references, are hard to show.
        documented_only: serve the fourteen operations of service.md §4 and no other.
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
