"""The settings of one process; they may change at the next start."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.simulation.clients import KNOWN, OTHER


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A version of a profile.

    Attributes:
        edition: of the dialect: see `dialect_of`.
        client_id: as whom it speaks to the service.
        read_only: whether nothing may be sent.
    """

    edition: int = 0
    client_id: str = KNOWN
    read_only: bool = False

    def edited(self, rng: random.Random) -> Setup:
        """Return the setup after the user's edits before the next start; mostly none."""
        edits = rng.random() < 0.3
        return Setup(
            edition=self.edition + edits,
            client_id=OTHER if rng.random() < 0.06 else KNOWN,
            read_only=rng.random() < 0.03,
        )
