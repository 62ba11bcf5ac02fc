"""What is sent to the terminal, counted where it passes."""

from __future__ import annotations

from collections import deque

STEP = 5.0
"""Seconds between two marks."""

MINUTE = 60.0


class Painting:
    """Counts of one terminal.

    Attributes:
        paints: how often something was sent.
        painted: bytes.
    """

    def __init__(self) -> None:
        self.paints = 0
        self.painted = 0
        self._marks: deque[tuple[float, int, int]] = deque()

    def note(self, text: str) -> None:
        """Something is sent."""
        self.paints += 1
        self.painted += len(text) if text.isascii() else len(text.encode())

    def mark(self, now: float) -> None:
        """Remember how it stands; `now` is in seconds of any clock that never goes back."""
        if self._marks and now - self._marks[-1][0] < STEP:
            return
        self._marks.append((now, self.paints, self.painted))
        while now - self._marks[0][0] > MINUTE:
            self._marks.popleft()

    def a_minute(self, now: float) -> tuple[float, float]:
        """Paints and bytes a minute in the last one, or since the first mark."""
        if not self._marks or now <= self._marks[0][0]:
            return 0.0, 0.0
        then, paints, painted = self._marks[0]
        minutes = (now - then) / MINUTE
        return (self.paints - paints) / minutes, (self.painted - painted) / minutes
