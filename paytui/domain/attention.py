"""Notes on items that need attention: when they were first seen, acknowledged or snoozed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

AttentionKey = NewType("AttentionKey", str)
"""Identifies an item and its matter: an item whose matter changes has another key."""


@dataclass(frozen=True, slots=True)
class AttentionNote:
    """A note on one item that needs attention.

    Attributes:
        first_seen: service time at which the item was first seen so.
        acknowledged: the trader knows of it; it counts until the matter changes.
        snoozed_until: service time until which the trader puts it aside.
        by, at: on a desk, the trader who did the last of that, and the service time.
    """

    key: AttentionKey
    first_seen: datetime
    acknowledged: bool = False
    snoozed_until: datetime | None = None
    by: str = ""
    at: datetime | None = None

    def is_set_aside(self, now: datetime) -> bool:
        """Return True if the item is acknowledged, or snoozed at this service time."""
        return self.acknowledged or (self.snoozed_until is not None and now < self.snoozed_until)
