"""What every operation of the service works on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from paytui.sandbox.answer import JsonObject
from paytui.sandbox.chance import Chance
from paytui.sandbox.clock import SandboxClock
from paytui.sandbox.options import SandboxOptions
from paytui.sandbox.rates import Market


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
