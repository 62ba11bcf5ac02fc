"""What is typed to confirm something, and confirms nothing else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Typed:
    """A text, and what was shown when it was typed."""

    text: str = ""
    under: object | None = None

    def while_shown(self, shown: object | None) -> str:
        """What was typed while this was shown; nothing where that was something else."""
        return self.text if self.under == shown else ""
