"""Whether somebody is there: after a while without a key nothing is created until they say so.

It guards a keyboard that was left alone against a hand that happens on it, and the one who comes
back against going on with what they had forgotten. It is no defence against somebody who means it.
"""

from __future__ import annotations

from datetime import timedelta

from paytui.platform.clock import Clock
from paytui.tui.times import age


class IdleLock:
    """Locks by itself, and is unlocked by nothing but `unlock`.

    Args:
        clock: whose boot time counts: a night in which the host was suspended is idle time too.
        after: how long no key was pressed; None: it never locks.
    """

    def __init__(self, clock: Clock, after: timedelta | None) -> None:
        self._clock = clock
        self._after = after
        self._pressed_at = clock.boot()
        self._locked = False

    def pressed(self) -> None:
        """A key came; one that comes too late finds it locked."""
        if not self.is_locked:
            self._pressed_at = self._clock.boot()

    def unlock(self) -> None:
        """Somebody has proved to be there."""
        self._locked = False
        self._pressed_at = self._clock.boot()

    @property
    def is_locked(self) -> bool:
        """Whether nothing is to be created."""
        idle = timedelta(seconds=self._clock.boot() - self._pressed_at)
        if self._after is not None and idle >= self._after:
            self._locked = True
        return self._locked

    def why(self, key: str) -> str:
        """Why nothing is created, and which key unlocks; empty while it is open."""
        if self._after is None or not self.is_locked:
            return ""
        return f"Locked: no key was pressed for {age(self._after)}. {key} unlocks."
