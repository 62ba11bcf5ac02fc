"""The clocks of a laptop: a slow quartz, and a wall clock that is set by hand."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.support.clock import ManualClock

RATE = 1 - 20e-6
"""Twenty millionths: an ordinary quartz, and twelve seconds in a week."""


class HostClock:
    """A clock of the same moments as the true one, seen through this machine.

    Its monotonic time is the loop's own, by which pauses are waited for: only what is compared with
    the service's time is slow.

    Attributes:
        ahead: how wrong its wall clock is.
    """

    def __init__(self, true: ManualClock) -> None:
        self._true = true
        self.ahead = timedelta(0)

    def now(self) -> datetime:
        return self._true.now() + self.ahead

    def monotonic(self) -> float:
        return self._true.monotonic()

    def boot(self) -> float:
        return self._true.boot() * RATE
