"""The service's one clock: the injected one plus an offset that the control surface moves."""

from __future__ import annotations

import hashlib
import random
import sqlite3
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from paytui.platform.clock import Clock


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds: sorts as text in the order of time."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def http_date(moment: datetime) -> str:
    """The form of a `Date` header (RFC 9110 §5.6.7)."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


class SandboxClock:
    """The service's time; its offset is in the database, so that a restart does not undo it."""

    def __init__(self, clock: Clock, db: sqlite3.Connection) -> None:
        self._clock = clock
        self._db = db
        (seconds,) = db.execute("SELECT offsetSeconds FROM clock").fetchone()
        self._offset = timedelta(seconds=seconds)

    def now(self) -> datetime:
        return self._clock.now() + self._offset

    def advance(self, seconds: float) -> None:
        """Move the service's time on for good."""
        self._offset += timedelta(seconds=seconds)
        self._db.execute("UPDATE clock SET offsetSeconds = ?", (self._offset.total_seconds(),))


# Randomness without a state: each draw follows from the seed and a label alone.
#
# So a restart, the order of requests and a rolled-back transaction change nothing.


def happens(rng: random.Random, share: float) -> bool:
    """True in so large a share of the cases."""
    return rng.random() < share


class Chance:
    """All that is random in one sandbox."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def draw(self, *label: object) -> random.Random:
        """A generator of its own for whatever the label names."""
        return random.Random(f"{self._seed}:{label}")  # noqa: S311 - a demo must repeat itself

    def uuid(self, *label: object) -> str:
        """A UUID in the form of version 4 (RFC 9562)."""
        digits = hashlib.blake2b(f"{self._seed}:{label}".encode(), digest_size=16).hexdigest()
        variant = "89ab"[int(digits[16], 16) % 4]
        parts = digits[:8], digits[8:12], f"4{digits[13:16]}", variant + digits[17:20], digits[20:]
        return "-".join(parts)

    def noise(self, *label: object) -> float:
        """A number in [-1, 1), much cheaper than `draw`."""
        digest = hashlib.blake2b(f"{self._seed}:{label}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") / 2**63 - 1
