"""What came of the wish to see an object as the service sends it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from paytui.domain.models import Kind, Problem, RawObject


@dataclass(frozen=True, slots=True)
class RawRead:
    """The newest read of one object for a person to see; nothing is kept of those before.

    Attributes:
        key: the identifier of the object.
        sent_at: service time just before it was asked for: what came is not older.
        raw: what came; None where nothing did.
        problem: why nothing came.
    """

    kind: Kind
    key: str
    sent_at: datetime
    raw: RawObject | None = None
    problem: Problem | None = None
