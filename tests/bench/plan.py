"""How much is measured, and where its files are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Plan:
    """What all measurements are given.

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
        """How many rounds, keys or seconds."""
        return quick if self.quick else usual
