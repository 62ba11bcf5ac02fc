"""The last check of an intent's rate, just before its bytes leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from paytui.api.errors import NotSent
from paytui.domain.intent import Intent, Terms
from paytui.domain.models import Problem, RateSheet
from paytui.domain.rates import sheet_left
from paytui.platform.clock import ServiceTime

QUOTE_MARGIN = timedelta(seconds=3)
"""Nothing is sent in a rate's last moments (design.md, "Conventions of a dealing desk")."""

JUST_NOW = timedelta(seconds=60)
"""How long after it was confirmed an intent may leave for the first time: what a suspended host
held back for a night is not what a trader means in the morning."""


def no_check() -> None:
    """For what was sent before, and a trader wants sent once more whatever its rate is now."""


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """Judges rates by the service's clock, and by their age where it is known."""

    time: ServiceTime

    def just_confirmed(self, intent: Intent) -> Callable[[], None]:
        """A check as `of` makes it, and that not much time has passed since this was called."""
        rate_lives = self.of(intent.terms, intent.quote)
        confirmed = self.time.clock.boot()

        def check() -> None:
            if self.time.clock.boot() - confirmed > JUST_NOW.total_seconds():
                raise NotSent(_TOO_LATE, written=False)
            rate_lives()

        return check

    def of(self, terms: Terms, quote: RateSheet | None) -> Callable[[], None]:
        """A check to be made at the last moment; it raises `NotSent`."""

        def check() -> None:
            if terms.rate_sheet_id is not None and terms.rate is None:
                raise NotSent(_NOT_QUOTED, written=False)
            if terms.expires_at is None:
                return
            if not (self.time.known or quote):
                raise NotSent(_TIMELESS, written=False)
            left = terms.expires_at - self.time.latest()
            if quote is not None:
                left = sheet_left(self.time, quote)
            if left <= QUOTE_MARGIN:
                raise NotSent(_EXPIRED, written=False)

        return check


_TOO_LATE = Problem(
    "send what was confirmed",
    "more than a minute has passed since",
    remedy="Nothing was sent. Confirm it again if it is still meant.",
)
_NOT_QUOTED = Problem(
    "book at the rate that was confirmed",
    "its sheet holds no rate for these currencies",
    remedy="Nothing was sent. Ask for a new rate.",
)
_TIMELESS = Problem(
    "book at the rate that was confirmed",
    "the service has not told its time, so that nobody knows whether it lasts",
    remedy="Nothing was sent. Ask for a new rate.",
)
_EXPIRED = Problem(
    "book at the rate that was confirmed",
    "it has expired",
    remedy="Nothing was sent. Ask for a new rate.",
)
