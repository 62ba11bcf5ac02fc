"""4 Rates: the watched pairs in one live sheet, with a countdown."""

from __future__ import annotations

from collections.abc import Iterator

from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget

from paytui.domain.models import Kind, RateSheet
from paytui.domain.money import Pair
from paytui.domain.rates import sheet_left
from paytui.store.figures import newest_sheets
from paytui.tui.base_screens import FRAME_CSS, MainPage
from paytui.tui.format.feeds import counted, feed_words
from paytui.tui.theme.tones import Tone, toned
from paytui.tui.times import dated_seconds
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.rates import (
    CountdownCell,
    RateList,
    change_column,
    market_columns,
    pair_column,
    rate_column,
)
from paytui.tui.widgets.text import SplitLine


class RatesPage(MainPage):
    """A live sheet of the watched pairs, renewed while the screen is visible."""

    CSS_PATH = [FRAME_CSS, "rates.tcss"]  # noqa: RUF012  (Textual's way; never written to)
    WATCHES_RATES = True

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui, "rates")
        self._title = SplitLine(classes="title")
        self._countdown = CountdownCell()
        self._legend = SplitLine(classes="legend")
        columns = (pair_column(), rate_column(), change_column(), *market_columns())
        self._list = RateList(ui, columns)

    def body(self) -> Iterator[Widget]:
        yield Horizontal(self._title, self._countdown, classes="titles")
        yield self._list
        yield self._legend

    def on_mount(self) -> None:
        words = " Market: base/quote; bid and offer if both directions are watched"
        self._legend.say(toned(words, Tone.FAINT))

    @property
    def selected(self) -> Pair | None:
        return line.pair if (line := self._list.selected) else None

    async def pull(self) -> None:
        await super().pull()
        self._show()

    def tick(self) -> None:
        super().tick()
        self._show()

    def _show(self) -> None:
        sheet, _ = newest_sheets(self.ui.store)
        left = None if sheet is None else sheet_left(self.ui.time, sheet)
        self._countdown.show(left)
        self._title.say(self._sheet_words(sheet), self._feed())
        self._list.show()

    def _sheet_words(self, sheet: RateSheet | None) -> Content:
        if sheet is None:
            return toned(" No sheet", Tone.MUTED)
        until = f" · until {dated_seconds(sheet.expires_at, self.ui.time.latest(), self.ui.zone)}"
        count = f" Sheet {sheet.rate_sheet_id[:8]} · {counted(len(sheet.rates), 'pairs')}"
        return Content("").join([toned(count), toned(until, Tone.MUTED)])

    def _feed(self) -> Content:
        feed = self.ui.store.feed(Kind.RATE_SHEETS)
        # The countdown shows the sheet's age; of the feed only failures are shown.
        if feed.problem is None and feed.offered:
            return Content()
        words = feed_words(self.ui, Kind.RATE_SHEETS, 0)
        return toned(words.text, words.tone)
