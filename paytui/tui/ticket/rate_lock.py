"""The rate that is locked for a trade, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from paytui.config.key_bindings import first_key
from paytui.domain.models import Problem, RateSheet
from paytui.domain.money import Pair, inverse, significant
from paytui.domain.rates import Price, QuoteId, pip, sheet_left
from paytui.store.rate_board import newest_sheets
from paytui.tui.format.cells import CAREFUL, Tone, rate_words
from paytui.tui.ticket.model import Line, line
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.rates import change_cell

MIN_SHEET_LEFT = timedelta(seconds=60)
"""The minimum time left of a live sheet; else the lock requests its own."""

MARGIN = timedelta(seconds=3)
"""Nothing is sent in the last moments of a locked rate (architecture.md)."""


class RateLock:
    """A rate sheet that is kept until a requote: the live one, or one requested for the pair.

    Attributes:
        sheet: the sheet that is held; it may have expired.
        before: the rate before the last requote that changed it; before the first, if none did.
    """

    def __init__(self, ui: UiContext, pair: Pair) -> None:
        self._ui = ui
        self.pair = pair
        self.sheet: RateSheet | None = None
        self.before: Decimal | None = None
        self.problem: Problem | None = None
        self._asked: QuoteId | None = None
        live, _ = newest_sheets(ui.store)
        if live and live.by_pair.get(pair) and sheet_left(ui.time, live) >= MIN_SHEET_LEFT:
            self.sheet = live
        else:
            self.ask()

    @property
    def asking(self) -> bool:
        return self._asked is not None

    @property
    def rate(self) -> Decimal | None:
        """Bought units for one sold; None if the sheet does not price the pair."""
        return None if self.sheet is None else self.sheet.by_pair.get(self.pair)

    @property
    def left(self) -> timedelta | None:
        """The remaining time of the sheet; None without a rate."""
        if self.sheet is None or self.rate is None:
            return None
        return sheet_left(self._ui.time, self.sheet)

    @property
    def is_good(self) -> bool:
        """Return True if its rate may be traded at now."""
        return not self.asking and self.left is not None and self.left > MARGIN

    @property
    def phase(self) -> str:
        """The state of its rate, in words."""
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
            before, self.sheet = self.rate, quote.sheet
            # Asked for twice, the same rate must not hide that it has moved.
            if self.before is None or self.rate != before:
                self.before = before
        return True

    def why_not(self) -> str:
        """Return the reason why its rate cannot be traded at now; empty if it can."""
        if self.asking:
            return "requesting …"
        if self.is_good:
            return ""
        if self.rate is not None:
            key = first_key(self._ui.settings.keys, "ticket.requote")
            return f"{self.phase}: press {key} for a new rate"
        if self.problem is not None:
            return str(self.problem)
        missing = self.sheet.unavailable if self.sheet else ()
        said = next((one.reason for one in missing if one.pair == self.pair), None)
        return f"not priced: {said or 'the service gave no reason'}"


# What a review and an outcome show


def locked_lines(ui: UiContext, lock: RateLock) -> Iterator[Line]:
    """Yield the locked rate in each notation, its change by a requote, and why one failed."""
    if lock.sheet is None or lock.rate is None:
        yield line("Rate", lock.why_not(), tone=Tone.CLOSING)
        return
    tone = Tone.INK if lock.is_good else Tone.EXPIRED
    yield line("Rate", rate_words(lock.pair, lock.rate), lock.phase, tone)
    order, turned = ui.settings.rates.desk_order, inverse(lock.rate)
    is_bid = lock.pair.sells_base(order)
    if (quoted := lock.rate if is_bid else turned) is not None:
        side = f" {Price.BID if is_bid else Price.OFFER}"
        both = lock.pair.reverse in lock.sheet.by_pair
        words = f"{lock.pair.market(order)}{side if both else ''} {significant(quoted)}"
        yield line("Quote", words, "", tone)
        if (before := lock.before) and (was := before if is_bid else inverse(before)):
            moved = (quoted - was) / pip(lock.pair.buy if is_bid else lock.pair.sell)
            words = f"was {significant(was)} → now {significant(quoted)}"
            yield line("", words, f"{change_cell(moved).text} pips", Tone.CLOSING)
    if turned is not None:
        yield line("Inverse", rate_words(lock.pair.reverse, turned), "", tone)
    if lock.problem is not None:
        yield Line("New rate", (CAREFUL.cell(str(lock.problem)),))
