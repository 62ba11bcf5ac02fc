"""Final checks of rates and of the time since confirmation, just before sending."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from paytui.api.errors import NotSent
from paytui.domain.intent import Intent, IntentTerms
from paytui.domain.models import Problem, RateSheet
from paytui.domain.rates import sheet_left
from paytui.platform.clock import ServiceTime

QUOTE_MARGIN = timedelta(seconds=3)
"""Nothing is sent within this time before a rate expires (architecture.md)."""

MAX_SEND_DELAY = timedelta(seconds=60)
"""Maximum time from confirmation to the first attempt. After a night's suspend, a trader may no
longer mean what was confirmed the evening before."""


def no_check() -> None:
    """Accept any rate: the trader asked to repeat the request."""


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """A check of rates by the service's clock, and by their age if it is known."""

    time: ServiceTime

    def just_confirmed(self, intent: Intent) -> Callable[[], None]:
        """Return the check that `of` returns, with `MAX_SEND_DELAY` from this call."""
        rate_lives = self.of(intent.terms, intent.quote)
        confirmed = self.time.clock.boot()

        def check() -> None:
            if self.time.clock.boot() - confirmed > MAX_SEND_DELAY.total_seconds():
                raise NotSent(_TOO_LATE, written=False)
            rate_lives()

        return check

    def of(self, terms: IntentTerms, quote: RateSheet | None) -> Callable[[], None]:
        """Return a check for just before sending; it raises `NotSent`."""

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
    "send the intent",
    "more than a minute has passed since",
    remedy="Nothing was sent. Confirm it again if you still want it.",
)
_NOT_QUOTED = Problem(
    "book at the rate that was confirmed",
    "its sheet holds no rate for these currencies",
    remedy="Nothing was sent. Request a new rate.",
)
_TIMELESS = Problem(
    "book at the rate that was confirmed",
    "the service's time is unknown, so its expiry cannot be checked",
    remedy="Nothing was sent. Request a new rate.",
)
_EXPIRED = Problem(
    "book at the rate that was confirmed",
    "it has expired",
    remedy="Nothing was sent. Request a new rate.",
)
