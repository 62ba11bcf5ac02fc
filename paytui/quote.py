"""A price asked for by one screen, which nothing swaps underneath it (design.md, "rate step")."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import NewType

from paytui.api.models import Problem, RateSheet
from paytui.clock import ServiceTime
from paytui.money import Pair

QuoteId = NewType("QuoteId", int)
"""Made by whoever asks, a new one for every request."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The result of a request for a rate sheet of one pair.

    Attributes:
        sheet: with the pair's rate, or with the reason why there is none.
        problem: why there is no sheet. Both are None until the service has answered.
    """

    quote_id: QuoteId
    pair: Pair
    sheet: RateSheet | None = None
    problem: Problem | None = None


def sheet_left(time: ServiceTime, sheet: RateSheet) -> timedelta:
    """Return the time left of a rate sheet, negative once it is over.

    The earliest of three ends holds: the one that the service tells, the lifetime that it tells,
    and the longest lifetime of the dialect, both counted from the request.
    """
    lifetime = sheet.lifetime
    if sheet.created_at is not None and sheet.created_at < sheet.expires_at:
        lifetime = min(lifetime, sheet.expires_at - sheet.created_at)
    return time.remaining(sheet.expires_at, sheet.sent_at, lifetime)
