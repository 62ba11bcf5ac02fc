"""Screens go before what is long in the worker's thread: the two share one interpreter.

A screen that was first looked at beside a first read took twice as long as alone.
"""

from __future__ import annotations

from math import inf

A_KEY = 0.1
"""Seconds that a key may take until all that it brings is painted."""


class RightOfWay:
    """Claimed by whoever is about to paint; may be asked and claimed from any thread.

    Attributes:
        loading: whether the dashboard is being loaded, beside a read that began before.
    """

    def __init__(self) -> None:
        self.loading = False
        self._until = -inf

    def claim(self, now: float) -> None:
        """A key came, at this boot time."""
        self._until = now + A_KEY

    def is_claimed(self, now: float) -> bool:
        """Whether something is about to be painted, at this boot time."""
        return self.loading or now < self._until
