"""The rate that a wizard holds for one pair; only a requote replaces it."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from paytui.config.key_bindings import first_key
from paytui.domain.models import Problem, RateSheet
from paytui.domain.money import Pair, significant
from paytui.domain.rates import QuoteId, sheet_left
from paytui.store.figures import newest_sheets, rate_of
from paytui.tui.ui_context import UiContext

MIN_SHEET_LEFT = timedelta(seconds=60)
"""The minimum time left of a live sheet; else the lock requests its own."""

MARGIN = timedelta(seconds=3)
"""Nothing is sent in the last moments of a locked rate (architecture.md)."""


def requote_key(ui: UiContext) -> str:
    return first_key(ui.settings.keys, "ticket.requote")


class RateLock:
    """A rate sheet that is kept until a requote: the live one, or one requested for the pair.

    Attributes:
        sheet: the sheet that is held; it may have expired.
        before: the rate before the last requote.
    """

    def __init__(self, ui: UiContext, pair: Pair) -> None:
        self._ui = ui
        self.pair = pair
        self.sheet: RateSheet | None = None
        self.before: Decimal | None = None
        self.problem: Problem | None = None
        self._asked: QuoteId | None = None
        live, _ = newest_sheets(ui.store)
        if live and rate_of(live, pair) and sheet_left(ui.time, live) >= MIN_SHEET_LEFT:
            self.sheet = live
        else:
            self.ask()

    @property
    def asking(self) -> bool:
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
        return sheet_left(self._ui.time, self.sheet)

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
            return "requesting a new one" if self.asking else "too late to send"
        return "expired"

    def ask(self) -> None:
        if self.asking:
            return
        self.problem = None
        # Above those of all tickets, as the store keeps the highest.
        known = max(self._ui.store.quotes.keys(), default=0)
        self._asked = QuoteId(max(known, int(self._ui.time.clock.boot() * 1000)) + 1)
        self._ui.port.ask_quote(self._asked, self.pair)

    def poll(self) -> bool:
        """Take the response to a request; return True if there is one."""
        quote = None if self._asked is None else self._ui.store.quotes.get(self._asked)
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
            return "requesting a rate"
        if self.is_good:
            return ""
        if self.rate is not None:
            return f"{self.phase}: press {requote_key(self._ui)} for a new rate"
        if self.problem is not None:
            return str(self.problem)
        missing = self.sheet.unavailable if self.sheet else ()
        said = next((one.reason for one in missing if one.pair == self.pair), None)
        return f"not priced: {said or 'the service gave no reason'}"


def rate_words(pair: Pair, rate: Decimal) -> str:
    """Format a rate in the service's direction, with at least six significant digits."""
    return f"1 {pair.sell} = {significant(rate)} {pair.buy}"
