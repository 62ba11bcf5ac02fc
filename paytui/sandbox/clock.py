"""The service's clock, and its reproducible random numbers."""

from __future__ import annotations

import hashlib
import random
import sqlite3
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from paytui.platform.clock import Clock


def iso(moment: datetime) -> str:
    """Format a time as ISO 8601 in UTC with milliseconds, which sorts as text."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def http_date(moment: datetime) -> str:
    """Format a time as in a `Date` header (RFC 9110 §5.6.7)."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


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
    """Return True with the probability `share`."""
    return rng.random() < share


class SeededRandom:
    """Stateless random numbers: each follows from the seed and a label alone.

    A restart, the order of requests or a rolled-back transaction does not change them.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def draw(self, *label: object) -> random.Random:
        """Return a generator for a label."""
        return random.Random(f"{self._seed}:{label}")  # noqa: S311 - a demo is reproducible

    def uuid(self, *label: object) -> str:
        """Return a UUID in the form of version 4 (RFC 9562)."""
        digits = hashlib.blake2b(f"{self._seed}:{label}".encode(), digest_size=16).hexdigest()
        variant = "89ab"[int(digits[16], 16) % 4]
        parts = digits[:8], digits[8:12], f"4{digits[13:16]}", variant + digits[17:20], digits[20:]
        return "-".join(parts)

    def noise(self, *label: object) -> float:
        """Return a number in [-1, 1), much faster than `draw`."""
        digest = hashlib.blake2b(f"{self._seed}:{label}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") / 2**63 - 1
