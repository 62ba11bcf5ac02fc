"""A clock that moves only when told to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 3, 2, 12, 0, 0, tzinfo=UTC)
"""A Monday."""


class ManualClock:
    """Wall, monotonic and boot time, advanced by hand; the wall clock can be set on its own."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now
        self._elapsed = 0.0
        self._suspended = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return 1_000.0 + self._elapsed

    def boot(self) -> float:
        return 5_000.0 + self._elapsed + self._suspended

    def advance(self, seconds: float) -> None:
        self._elapsed += seconds
        self._now += timedelta(seconds=seconds)

    def suspend(self, seconds: float) -> None:
        """A host that is suspended: only the clock that a loop waits by stands still."""
        self._suspended += seconds
        self._now += timedelta(seconds=seconds)

    def set_wall(self, now: datetime) -> None:
        """A jump of the host's wall clock alone."""
        self._now = now


class WrongClock:
    """A clock of the same host and moment whose wall time is wrong by `ahead`."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self.ahead = timedelta(0)

    def now(self) -> datetime:
        return self._clock.now() + self.ahead

    def monotonic(self) -> float:
        return self._clock.monotonic()

    def boot(self) -> float:
        return self._clock.boot()
