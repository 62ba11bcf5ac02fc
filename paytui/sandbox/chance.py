"""Randomness without a state: each draw follows from the seed and a label alone.

So a restart, the order of requests and a rolled-back transaction change nothing.
"""

from __future__ import annotations

import hashlib
import random


def happens(rng: random.Random, share: float) -> bool:
    """True in so large a share of the cases."""
    return rng.random() < share


class Chance:
    """All that is random in one sandbox."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def draw(self, *label: object) -> random.Random:
        """A generator of its own for whatever the label names."""
        return random.Random(f"{self._seed}:{label}")  # noqa: S311 - a demo must repeat itself

    def uuid(self, *label: object) -> str:
        """A UUID in the form of version 4 (RFC 9562)."""
        digits = hashlib.blake2b(f"{self._seed}:{label}".encode(), digest_size=16).hexdigest()
        variant = "89ab"[int(digits[16], 16) % 4]
        parts = digits[:8], digits[8:12], f"4{digits[13:16]}", variant + digits[17:20], digits[20:]
        return "-".join(parts)

    def noise(self, *label: object) -> float:
        """A number in [-1, 1), much cheaper than `draw`."""
        digest = hashlib.blake2b(f"{self._seed}:{label}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") / 2**63 - 1
