"""How a service was seen to go on in its lists, by all reads of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Habits:
    """What one list shows is held against the others: a service caps all of them alike.

    Attributes:
        longest: records of the longest answer that was all that came of its list.
        leads_on: whether any answer told where its list goes on.
    """

    longest: int = 0
    leads_on: bool = False

    def note_alone(self, length: int) -> None:
        """An answer of so many records was all that came of its list."""
        self.longest = max(self.longest, length)

    def allow_more(self, length: int) -> bool:
        """Whether a longer answer came of another list, so that nothing caps one of this length."""
        return length < self.longest
