"""A price asked for by one screen, which nothing swaps underneath it (design.md, "rate step")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from paytui.api.models import Problem, RateSheet
from paytui.money import Pair

QuoteId = NewType("QuoteId", int)
"""Made by whoever asks, a new one for every request."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What came of asking for a rate sheet of one pair.

    Attributes:
        sheet: with the pair's rate, or with the reason why there is none.
        problem: why there is no sheet. Both are None until the service has answered.
    """

    quote_id: QuoteId
    pair: Pair
    sheet: RateSheet | None = None
    problem: Problem | None = None
