"""Statistics over many measurements of one thing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 do not exceed, of those that were measured (nearest rank)."""
    ordered = sorted(values)
    return ordered[round(0.95 * (len(ordered) - 1))]


def median_ratio(floors: Sequence[float], ours: Sequence[float]) -> float:
    """The median of what each round says: a slow moment of the machine slows both of a round."""
    return median(own / floor for floor, own in zip(floors, ours, strict=True))


def bursts(times: Sequence[float], pause: float) -> int:
    """Count the groups of times that are at most a pause apart."""
    pauses = [later - earlier > pause for earlier, later in pairwise(times)]
    return sum(pauses) + bool(times)
