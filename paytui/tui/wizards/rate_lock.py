"""The rate that one wizard holds for one pair: nothing swaps it underneath."""

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

TAKEN_OVER = timedelta(seconds=60)
"""A live sheet that ends sooner is not taken over: a sheet of our own is asked for."""

MARGIN = timedelta(seconds=3)
"""Nothing is sent in a rate's last moments (architecture.md)."""


def requote_key(desk: UiContext) -> str:
    """Return the key for a new rate."""
    return first_key(desk.settings.keys, "wizard.requote")


class RateLock:
    """Takes the live sheet over, or asks for one of its own; then keeps it until told otherwise.

    Attributes:
        pair: the one that is to be dealt.
        sheet: the one that is held; it may have ended.
        before: the rate of the sheet that was held before it.
        problem: why the newest wish for a sheet came to nothing.
    """

    def __init__(self, desk: UiContext, pair: Pair) -> None:
        self._desk = desk
        self.pair = pair
        self.sheet: RateSheet | None = None
        self.before: Decimal | None = None
        self.problem: Problem | None = None
        self._asked: QuoteId | None = None
        live, _ = newest_sheets(desk.store)
        if live and rate_of(live, pair) and sheet_left(desk.time, live) >= TAKEN_OVER:
            self.sheet = live
        else:
            self.ask()

    @property
    def asking(self) -> bool:
        """Return True if a sheet is on its way."""
        return self._asked is not None

    @property
    def rate(self) -> Decimal | None:
        """1 sold = so many bought; None where the sheet does not price the pair."""
        return None if self.sheet is None else rate_of(self.sheet, self.pair)

    @property
    def left(self) -> timedelta | None:
        """Return how long the sheet is still good for; None without a rate."""
        if self.sheet is None or self.rate is None:
            return None
        return sheet_left(self._desk.time, self.sheet)

    @property
    def good(self) -> bool:
        """Return True if its rate may be dealt at now."""
        return not self.asking and self.left is not None and self.left > MARGIN

    @property
    def phase(self) -> str:
        """Return the state of its rate: `locked`, `too late to send`, `expired`."""
        if self.good:
            return "locked"
        if self.left is not None and self.left > timedelta(0):
            return "asking for a new one" if self.asking else "too late to send"
        return "expired"

    def ask(self) -> None:
        """Want a sheet of this pair alone; once while one is on its way."""
        if self.asking:
            return
        self.problem = None
        self._asked = self._new_id()
        self._desk.port.ask_quote(self._asked, self.pair)

    def look(self) -> bool:
        """Take what came of asking, if anything has by now."""
        quote = None if self._asked is None else self._desk.store.quotes.get(self._asked)
        if quote is None or (quote.sheet is None and quote.problem is None):
            return False
        self._asked = None
        self.problem = quote.problem
        if quote.sheet is not None:
            self.before, self.sheet = self.rate, quote.sheet
        return True

    def why_not(self) -> str:
        """Return why its rate cannot be dealt at now; empty if it can."""
        if self.asking:
            return "asking for a rate"
        if self.good:
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
        """Above all before it, in this wizard and in earlier ones: the store keeps the highest."""
        known = max(self._desk.store.quotes.keys(), default=QuoteId(0))
        return QuoteId(max(known, self._asked or 0, int(self._desk.time.clock.boot() * 1000)) + 1)
