"""What happened last, by name alone: for whoever looks into a crash."""

from __future__ import annotations

from collections import deque

KEPT = 30


class Happenings:
    """The newest names, in the order in which they were noted. Any thread may read them."""

    def __init__(self) -> None:
        self._names: deque[str] = deque(maxlen=KEPT)

    def note(self, name: str) -> None:
        """Something happened: `payments failed`. No value from outside is in a name."""
        self._names.append(name)

    def newest(self) -> tuple[str, ...]:
        """The oldest of them first."""
        return tuple(self._names)
