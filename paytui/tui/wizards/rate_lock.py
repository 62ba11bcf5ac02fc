"""The rate that a wizard holds for one pair; only a requote replaces it."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from paytui.config.keys import first_key
from paytui.domain.models import Problem, RateSheet
from paytui.domain.money import Pair
from paytui.domain.rates import QuoteId, sheet_left
from paytui.store.views import newest_sheets
from paytui.store.views.rates import rate_of
from paytui.tui.context import UiContext

MIN_SHEET_LEFT = timedelta(seconds=60)
"""The minimum time left of a live sheet; else the lock requests its own."""

MARGIN = timedelta(seconds=3)
"""Nothing is sent in the last moments of a locked rate (architecture.md)."""


def requote_key(desk: UiContext) -> str:
    """Return the key for a new rate."""
    return first_key(desk.settings.keys, "wizard.requote")


class RateLock:
    """A rate sheet that is kept until a requote: the live one, or one requested for the pair.

    Attributes:
        pair: the pair to trade.
        sheet: the sheet that is held; it may have expired.
        before: the rate before the last requote.
        problem: the failure of the newest request.
    """

    def __init__(self, desk: UiContext, pair: Pair) -> None:
        self._desk = desk
        self.pair = pair
        self.sheet: RateSheet | None = None
        self.before: Decimal | None = None
        self.problem: Problem | None = None
        self._asked: QuoteId | None = None
        live, _ = newest_sheets(desk.store)
        if live and rate_of(live, pair) and sheet_left(desk.time, live) >= MIN_SHEET_LEFT:
            self.sheet = live
        else:
            self.ask()

    @property
    def asking(self) -> bool:
        """Return True if a sheet is on its way."""
        return self._asked is not None

    @property
    def rate(self) -> Decimal | None:
        """Bought units for one sold; None if the sheet does not price the pair."""
        return None if self.sheet is None else rate_of(self.sheet, self.pair)

    @property
    def left(self) -> timedelta | None:
        """Return the remaining time of the sheet; None without a rate."""
        if self.sheet is None or self.rate is None:
            return None
        return sheet_left(self._desk.time, self.sheet)

    @property
    def is_good(self) -> bool:
        """Return True if its rate may be traded at now."""
        return not self.asking and self.left is not None and self.left > MARGIN

    @property
    def phase(self) -> str:
        """Return the state of its rate: `locked`, `too late to send`, `expired`."""
        if self.is_good:
            return "locked"
        if self.left is not None and self.left > timedelta(0):
            return "asking for a new one" if self.asking else "too late to send"
        return "expired"

    def ask(self) -> None:
        """Request a sheet for this pair, unless one is on its way."""
        if self.asking:
            return
        self.problem = None
        self._asked = self._new_id()
        self._desk.port.ask_quote(self._asked, self.pair)

    def poll(self) -> bool:
        """Take the response to a request; return True if there is one."""
        quote = None if self._asked is None else self._desk.store.quotes.get(self._asked)
        if quote is None or (quote.sheet is None and quote.problem is None):
            return False
        self._asked = None
        self.problem = quote.problem
        if quote.sheet is not None:
            self.before, self.sheet = self.rate, quote.sheet
        return True

    def why_not(self) -> str:
        """Return the reason why its rate cannot be traded at now; empty if it can."""
        if self.asking:
            return "asking for a rate"
        if self.is_good:
            return ""
        if self.rate is not None:
            return f"{self.phase}: {requote_key(self._desk)} asks for a new rate"
        if self.problem is not None:
            return str(self.problem)
        return f"not priced: {self._reason()}"

    def _reason(self) -> str:
        missing = self.sheet.unavailable if self.sheet else ()
        said = next((one.reason for one in missing if one.pair == self.pair), None)
        return said or "the service gave no reason"

    def _new_id(self) -> QuoteId:
        """Return an id above those of all wizards: the store keeps the highest."""
        known = max(self._desk.store.quotes.keys(), default=QuoteId(0))
        return QuoteId(max(known, self._asked or 0, int(self._desk.time.clock.boot() * 1000)) + 1)
