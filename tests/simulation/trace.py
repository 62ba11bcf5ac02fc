"""The events of a run in order, with their virtual times."""

from __future__ import annotations

import hashlib
from collections import Counter

from tests.support.clock import ManualClock


class Trace:
    """Lines for whoever looks at a seed that failed; the same in every process."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._began = clock.boot()
        self._digest = hashlib.sha256()
        self.lines: list[str] = []
        self.faults: Counter[str] = Counter()

    def say(self, words: str) -> None:
        """Something happened that a reader wants to know."""
        self.lines.append(f"{self.elapsed:11.3f}  {words}")
        self.note(words)

    def note(self, words: str) -> None:
        """Something happened that only has to be the same each time."""
        self._digest.update(f"{self.elapsed} {words}\n".encode())

    def fault(self, kind: str, words: str = "") -> None:
        """Something went wrong on purpose."""
        self.faults[kind] += 1
        self.say(f"! {kind} {words}".rstrip())

    @property
    def elapsed(self) -> float:
        """Virtual seconds since the start."""
        return self._clock.boot() - self._began

    @property
    def digest(self) -> str:
        """Tells this trace from another."""
        return self._digest.hexdigest()
