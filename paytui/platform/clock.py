"""Time, injected: wall, monotonic and boot time, and the service's clock as far as we know it.

Nothing in paytui reads the time but through a `Clock`. Deadlines are judged by `ServiceTime`, which
rests on boot time (it runs during suspend and ignores jumps of the host's clock) and on the `Date`
headers of the service, so that a host clock that is minutes off does no harm (service.md,
"Authentication").
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Protocol

Zone = tzinfo | None
"""What times are written in; None is the zone of this machine."""

DATE_RESOLUTION = 1.0
"""Seconds: a `Date` header of 12:00:00 was written somewhere in [12:00:00, 12:00:01)."""


class Clock(Protocol):
    """Where time comes from."""

    def now(self) -> datetime:
        """The host's wall clock, in UTC; may jump."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for intervals within this process."""
        ...

    def boot(self) -> float:
        """Seconds that never go back and run on while the host is suspended."""
        ...


def boot_id() -> str | None:
    """Names the boot that `SystemClock.boot` counts from; None where the system does not tell."""
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
        if hasattr(time, "CLOCK_BOOTTIME"):
            return time.clock_gettime(time.CLOCK_BOOTTIME)
        return time.monotonic()


@dataclass(frozen=True, slots=True)
class Offset:
    """What to add to boot time to get the service's epoch seconds: it lies in [low, high]."""

    low: float
    high: float

    def intersect(self, other: Offset) -> Offset | None:
        """The part that both allow, or None where they contradict each other."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Offset(low, high) if low <= high else None


class ServiceTime:
    """The service's clock, bounded from both sides by the `Date` headers seen so far.

    Written by the worker's thread, read by any: the state is one immutable reference. Before the
    first observation the host's own clock stands in.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._offset: Offset | None = None

    def observe(self, date: datetime, sent: float, received: float) -> None:
        """Learn from a `Date` header of an answer to a request.

        Args:
            date: the header's value; far enough from the ends of `datetime` to be reckoned with.
            sent: boot time just before the request was sent.
            received: boot time just after the answer's head arrived.
        """
        epoch = date.timestamp()
        seen = Offset(low=epoch - received, high=epoch + DATE_RESOLUTION - sent)
        # A contradiction means that one of the clocks was set: only the newest counts then.
        self._offset = (self._offset and self._offset.intersect(seen)) or seen

    @property
    def known(self) -> bool:
        """Whether the service has told its time yet."""
        return self._offset is not None

    def latest(self) -> datetime:
        """The latest time that the service's clock can show now."""
        return self._at(self._offset.high) if self._offset else self.clock.now()

    def earliest(self) -> datetime:
        """The earliest time that the service's clock can show now."""
        return self._at(self._offset.low) if self._offset else self.clock.now()

    def skew(self) -> timedelta:
        """How far the host's clock is ahead of the service's, at the least; negative: behind."""
        now = self.clock.now()
        if now > self.latest():
            return now - self.latest()
        return min(now - self.earliest(), timedelta(0))

    def remaining(self, expires_at: datetime, sent: float, lifetime: timedelta) -> timedelta:
        """How long something of the service still lasts: the smaller of two bounds.

        Args:
            expires_at: when the service says it ends, by its own clock.
            sent: boot time just before the request that created it was sent.
            lifetime: how long it lives at the most, from its creation.

        Returns:
            Time left; negative once it is over (service.md §5.
        """
        by_service = expires_at - self.latest()
        by_age = lifetime - timedelta(seconds=self.clock.boot() - sent)
        return min(by_service, by_age)

    def _at(self, offset: float) -> datetime:
        return datetime.fromtimestamp(self.clock.boot() + offset, UTC)
