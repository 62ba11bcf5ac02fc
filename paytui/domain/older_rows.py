"""What somebody looks for that may be older than what is kept in memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class OlderRowsQuery:
    """What to look for.

    Attributes:
        identifier: of one object; empty: those of a time.
        since, until: about when they were made; None: whenever.
    """

    identifier: str = ""
    since: datetime | None = None
    until: datetime | None = None
