"""The newest rate sheet, counting down."""

from __future__ import annotations

from collections.abc import Iterator

from textual.containers import Horizontal
from textual.widget import Widget

from paytui.api.models import Kind
from paytui.money import Pair
from paytui.store.views import newest_sheets
from paytui.tui.countdown import sheet_left
from paytui.tui.desk import Desk
from paytui.tui.feed_words import counted, empty_words
from paytui.tui.panels.panel import Panel
from paytui.tui.tone import Tone, toned
from paytui.tui.widgets.countdown_cell import CountdownCell
from paytui.tui.widgets.rate_list import (
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
        columns = (pair_column(), rate_column(), change_column(), *market_columns())
        super().__init__(desk, "Rates", RateList(desk, columns))
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
        """Whether rates can be had at all, and how much room there is for words."""
        return (self.desk.store.health_version, self.size.width)

    def reckon(self) -> None:
        """Name the panel, tell whether alerts wait, and say why it is empty where it is."""
        waiting = len(self.desk.settings.alerts.when)
        is_told = waiting and self.size.width >= ROOMY
        self.say(toned(f"  {counted(waiting, 'alerts')} set" if is_told else "", Tone.MUTED))
        self.ledger.placeholder(empty_words(self.desk, Kind.RATE_SHEETS))

    def tick(self) -> None:
        """Show the newest sheet as it is now."""
        sheet, _ = newest_sheets(self.desk.store)
        self._countdown.show(None if sheet is None else sheet_left(self.desk.time, sheet))
        assert isinstance(self.ledger, RateList)
        self.ledger.show()
