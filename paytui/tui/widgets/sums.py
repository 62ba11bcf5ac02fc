"""The line with the sums of a list: `12 payments · GBP 1,203.50 · USD 20,000.00`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from textual.content import Content
from textual.widget import Widget

from paytui.domain.models import Kind
from paytui.domain.money import format_amount
from paytui.store.fields import Listed
from paytui.store.sums import NOTHING, Sums
from paytui.tui.theme.tones import Tone, toned

GAP = " · "

MEANT: Mapping[object, str] = MappingProxyType({Kind.TRADES: "sold", Kind.WALLETS: "available"})
"""Words before the totals, where a row has several amounts."""


def sum_words(counted: str, meant: str, sums: Sums, width: int) -> str:
    """Return what is counted and the totals by currency, the most frequent first.

    Currencies that do not fit are counted: an amount is never cut.
    """
    totals = [
        f"{one.currency} {format_amount(one.amount, one.currency)}"
        for one in sums.totals
        if one.untold < one.rows
    ]
    if totals and meant:
        totals[0] = f"{meant} {totals[0]}"
    untold = [f"{sums.untold:,} without value"] if sums.untold else []
    for shown in range(len(totals), -1, -1):
        more = len(totals) - shown
        noun = "currency" if more == 1 else "currencies"
        rest = [f"+{more} {f'more {noun}' if shown else noun}"] if more else []
        words = GAP.join(filter(None, [counted, *totals[:shown], *rest, *untold]))
        if len(words) <= width:
            return words
    return counted


class SumLine(Widget):
    """A line with the sums of a list; it is blank while they are not known."""

    DEFAULT_CSS = """
    SumLine { height: 1; width: 1fr; }
    """

    def __init__(self, listed: Listed) -> None:
        super().__init__(classes="title")
        self._meant = MEANT.get(listed, "")
        self._counted, self._sums = "", NOTHING

    def say(self, counted: str, sums: Sums) -> None:
        if (counted, sums) != (self._counted, self._sums):
            self._counted, self._sums = counted, sums
            self.refresh()

    def render(self) -> Content:
        width = self.content_size.width - 2
        words = sum_words(self._counted, self._meant, self._sums, width) if self._sums.rows else ""
        return toned(f" {words}", Tone.MUTED)
