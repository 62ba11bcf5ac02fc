"""The extent of a measurement and the folder for its files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Plan:
    """Parameters of all measurements.

    Attributes:
        folder: for whatever they write; it is gone afterwards.
        scales: how many payments services hold.
        quick: little of each, to see that it works; the figures mean nothing.
    """

    folder: Path
    scales: tuple[int, ...]
    quick: bool

    def nearest(self, scale: int) -> int:
        """The scale that a budget is about, or the one asked for that comes next to it."""
        return min(self.scales, key=lambda asked: abs(asked - scale))

    def of(self, usual: int, quick: int) -> int:
        """Return the number of rounds, keys or seconds."""
        return quick if self.quick else usual
