"""The newest rate sheet, counting down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual.containers import Horizontal
from textual.widget import Widget

from paytui.domain.models import Kind
from paytui.domain.money import Pair
from paytui.domain.rates import sheet_left
from paytui.store.views import newest_sheets
from paytui.tui.context import Desk
from paytui.tui.format.feeds import counted
from paytui.tui.panels.panel import Panel
from paytui.tui.theme.themes import Tone, toned
from paytui.tui.widgets.rates import (
    CountdownCell,
    RateLine,
    RateList,
    change_column,
    market_columns,
    pair_column,
    rate_column,
)

ROOMY = 50
"""Cells from which on there is room for words beside the countdown."""


class RatesPanel(Panel[Pair, RateLine]):
    """Its rates, and how long they are good for."""

    def __init__(self, desk: Desk) -> None:
        pair = replace(pair_column(), title="Sell>buy", width=9)  # so that 80 cells hold the change
        columns = (pair, rate_column(), change_column(), *market_columns())
        self._rates = RateList(desk, columns)
        super().__init__(desk, "Rates", self._rates)
        self._countdown = CountdownCell()

    def compose(self) -> Iterator[Widget]:
        """The countdown beside the title."""
        yield Horizontal(self._title, self._countdown, classes="titles")
        yield self.ledger

    @property
    def selected(self) -> Pair | None:
        """The pair under the cursor."""
        line = self.ledger.selected
        return None if line is None else line.pair

    def rests_on(self) -> tuple[object, ...]:
        """Return what the title shows; the list compares for itself."""
        return (self._fails,)

    @property
    def _fails(self) -> bool:
        return self.desk.store.feed(Kind.RATE_SHEETS).problem is not None

    def reckon(self) -> None:
        """Set the title: the number of alerts, or that no new sheet comes."""
        waiting = len(self.desk.settings.alerts.when)
        is_roomy = self.size.width >= ROOMY
        if self._fails and is_roomy:
            self.say(toned("  no new sheet, see Rates", Tone.CLOSING))
            return
        is_told = waiting and is_roomy
        self.say(toned(f"  {counted(waiting, 'alerts')} set" if is_told else "", Tone.MUTED))

    def on_resize(self) -> None:
        """There may be room for more words, or less."""
        self.reckon()

    def tick(self) -> None:
        """Show the newest sheet as it is now."""
        sheet, _ = newest_sheets(self.desk.store)
        self._countdown.show(None if sheet is None else sheet_left(self.desk.time, sheet))
        self._rates.show()
