"""A query for rows that may be older than those in memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class OlderRowsQuery:
    """A query for one object or a period.

    Attributes:
        identifier: of one object; empty for a period.
        since, until: the approximate creation time; None is unbounded.
    """

    identifier: str = ""
    since: datetime | None = None
    until: datetime | None = None
