"""The time that a test waits for a condition."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

PATIENCE = "PAYTUI_TESTS_PATIENCE"
"""Names the longest that anything is waited for, in seconds: for tests that are to fail."""


class Deadline:
    """An end to waiting, so that a test in vain fails instead of hanging."""

    def __init__(self, seconds: float) -> None:
        longest = float(os.environ.get(PATIENCE, seconds))
        self._end = time.monotonic() + min(seconds, longest)

    @property
    def left(self) -> float:
        """Seconds left, not less than none."""
        return max(0.0, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        """Return True if no time is left."""
        return self.left == 0

    def pause(self, seconds: float) -> None:
        """Let some of it pass."""
        time.sleep(min(seconds, self.left))


def eventually(condition: Callable[[], bool], seconds: float = 20, step: float = 0.02) -> None:
    """Return as soon as the condition holds; fail if it never does."""
    deadline = Deadline(seconds)
    while not condition():
        assert not deadline.over, f"in vain for {condition}"
        time.sleep(step)
