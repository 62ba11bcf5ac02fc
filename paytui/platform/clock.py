"""Injected clocks, and an estimate of the service's clock.

All code reads the time through a `Clock`. Deadlines use `ServiceTime`, which combines boot time
with the service's `Date` headers. Boot time runs during suspend and ignores changes of the host's
clock, so a host clock that is minutes off does no harm (service.md, "Authentication").
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Protocol

Zone = tzinfo | None  # The time zone of displayed times; None is the zone of this machine
DATE_RESOLUTION = 1.0  # Seconds: a `Date` header of 12:00:00 was written in [12:00:00, 12:00:01)


def utc(time: datetime, timespec: str = "auto") -> str:
    """Format a time as ISO 8601 in UTC, with `Z`: 2026-03-02T12:00:00Z."""
    return time.astimezone(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")


class Clock(Protocol):
    """A source of wall, monotonic and boot time."""

    def now(self) -> datetime:
        """Return the host's wall clock time in UTC; it may jump."""

    def monotonic(self) -> float:
        """Return seconds that never go back, for intervals within this process."""

    def boot(self) -> float:
        """Return seconds that never go back and include the time suspended."""


def boot_id() -> str | None:
    """Return the id of the boot that `SystemClock.boot` counts from; None if unavailable."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None


class SystemClock:
    """The clocks of the operating system."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    def boot(self) -> float:
        return time.clock_gettime(_BOOT_TIME)


_BOOT_TIME: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


@dataclass(frozen=True, slots=True)
class Offset:
    """The offset from boot time to the service's epoch seconds; it lies in [low, high]."""

    low: float
    high: float

    def intersect(self, other: Offset) -> Offset | None:
        """Return the overlap of both ranges, or None if they contradict each other."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Offset(low, high) if low <= high else None


class ServiceTime:
    """The service's clock, bounded on both sides by the `Date` headers received so far.

    The worker's thread writes it and any thread reads it: the state is one immutable reference.
    The host's clock is used until the first observation.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._offset: Offset | None = None

    def observe(self, date: datetime, sent: float, received: float) -> None:
        """Narrow the estimate by the `Date` header of a response.

        Args:
            date: far enough from the limits of `datetime` for arithmetic.
            sent: boot time just before the request was sent.
            received: boot time just after the response headers arrived.
        """
        epoch = date.timestamp()
        seen = Offset(low=epoch - received, high=epoch + DATE_RESOLUTION - sent)
        # A contradiction means that a clock was set: use only the newest observation.
        self._offset = (self._offset and self._offset.intersect(seen)) or seen

    @property
    def known(self) -> bool:
        return self._offset is not None

    def latest(self) -> datetime:
        """Return the latest time that the service's clock can show now."""
        return self._at(self._offset.high) if self._offset else self.clock.now()

    def earliest(self) -> datetime:
        """Return the earliest time that the service's clock can show now."""
        return self._at(self._offset.low) if self._offset else self.clock.now()

    def skew(self) -> timedelta:
        """Return the least amount by which the host's clock is ahead; negative if it is behind."""
        now = self.clock.now()
        if now > self.latest():
            return now - self.latest()
        return min(now - self.earliest(), timedelta(0))

    def remaining(self, expires_at: datetime, sent: float, lifetime: timedelta) -> timedelta:
        """Return the time that an object has left, negative once it is over (service.md §5).

        The smaller of two bounds counts: the stated end, by the service's clock, and the longest
        lifetime, from the boot time just before the request that created it was sent.
        """
        by_service = expires_at - self.latest()
        by_age = lifetime - timedelta(seconds=self.clock.boot() - sent)
        return min(by_service, by_age)

    def _at(self, offset: float) -> datetime:
        return datetime.fromtimestamp(self.clock.boot() + offset, UTC)
