"""A process that can die at any moment and has no effect afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Crash(BaseException):
    """The process is gone. No `except Exception` and no `finally` of it changes anything."""


class Power:
    """The power supply of one process.

    Every seam through which it can have an effect (a statement, a request, an answer) passes here
    first; a crash that is armed happens at one of them.

    Args:
        at_crash: called with the seam's name at the very moment, to keep what is on disk.

    Attributes:
        alive: whether the process still is there.
        ended: set once it is not.
    """

    def __init__(self, at_crash: Callable[[str], None]) -> None:
        self.alive = True
        self.ended = asyncio.Event()
        self._at_crash = at_crash
        self._seams_left: int | None = None

    def arm(self, seams: int) -> None:
        """Crash after so many more seams."""
        self._seams_left = seams

    def disarm(self) -> None:
        """Do not crash after all."""
        self._seams_left = None

    def passes(self, seam: str) -> None:
        """The process is about to pass a seam.

        Raises:
            Crash: it is dead, or dies here.
        """
        if not self.alive:
            raise Crash
        if self._seams_left is None:
            return
        self._seams_left -= 1
        if self._seams_left < 0:
            self.alive = False
            self._at_crash(seam)
            self.ended.set()
            raise Crash
