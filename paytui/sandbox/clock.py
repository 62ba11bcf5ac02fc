"""The service's one clock: the injected one plus an offset that the control surface moves."""

from __future__ import annotations

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
