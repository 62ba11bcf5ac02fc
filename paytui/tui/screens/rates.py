"""4 Rates: the board of the newest sheet, and the chart of a pair, on which alerts are set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from paytui.config.key_bindings import first_key
from paytui.domain.models import Kind, RateSheet
from paytui.domain.money import Pair, inverse, significant
from paytui.domain.rates import Price, RateAlert, sheet_left
from paytui.store.rate_board import newest_sheets
from paytui.tui import textual_bindings
from paytui.tui.base_screens import FRAME_CSS, BaseScreen, MainPage
from paytui.tui.format.cells import Tone, rate_words, toned
from paytui.tui.times import clock_seconds, dated_seconds, since_time
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.feeds import counted, feed_words
from paytui.tui.widgets.rate_chart import RateChart
from paytui.tui.widgets.rates import CountdownCell, RateLine, RateList
from paytui.tui.widgets.text import SplitLine

BOARD_FRAME, PAGE_FRAME = 2, 4  # Lines of the board and of the page that hold no pair
MIN_CHART = 9  # Lines with which a chart is worth showing
TALL = 32  # Lines from which half are the chart's

ROOMY = 72  # Cells from which there is room beside the rate

SIDES = (Price.BID, Price.OFFER)

LATE = timedelta(minutes=5)
"""Time from the start of the day after which its first known sheet is not the day's first."""


class RatesPage(MainPage):
    """The board of all pairs, and below it, where there is room, a chart."""

    CSS_PATH = [FRAME_CSS, "rates.tcss"]  # noqa: RUF012  (Textual's way; never written to)
    BINDINGS = textual_bindings.groups("Chart beside rates")

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui, "rates")
        self._title = SplitLine(classes="title")
        self._countdown = CountdownCell()
        self._list = RateList(ui, with_held=True, moved=self._show_selected)
        self._deal = SplitLine(classes="deal")
        self._board = Vertical(self._list, self._deal)
        self._chart = RateChart(ui)

    def body(self) -> Iterator[Widget]:
        yield Horizontal(self._title, self._countdown, classes="titles")
        yield self._board
        yield self._chart

    @property
    def selected(self) -> Pair | None:
        return self._list.direction

    def action_period(self, steps: int) -> None:
        self._chart.change_period(steps)

    def visit(self) -> None:
        if self._chart.display:
            self._chart.read()

    def is_quiet(self, action: str) -> bool:
        return action == "sort_next"  # pairs keep their order

    def on_resize(self) -> None:
        self._divide()

    def _divide(self) -> None:
        """Give the board the lines that it needs, and the chart those that are left."""
        needed, room = len(self._list) + BOARD_FRAME, self.size.height - PAGE_FRAME
        lines = min(needed, room - TALL // 2) if room >= TALL else needed
        self._chart.display = len(self._list) > 0 and room - lines >= MIN_CHART
        self._board.styles.height = lines if self._chart.display else "1fr"

    def show_now(self) -> None:
        sheet, _ = newest_sheets(self.ui.store)
        self._countdown.count_down(None if sheet is None else sheet_left(self.ui.time, sheet))
        self._list.show()
        self._title.say(self._sheet_words(sheet), self._note())
        self._divide()
        self._show_selected()

    def _show_selected(self) -> None:
        """Say what enter deals at, with every digit of the service's rate, and chart it."""
        line = self._list.selected
        if line is None:
            self._deal.say(Content())
        else:
            self._deal.say(self._deal_words(line), self._side_words(line.row.day.since))
        if self._chart.display:
            self._chart.show(line.pair if line else None, self._list.side)
            self._chart.follow()

    def _deal_words(self, line: RateLine) -> Content:
        side, row = self._list.side, line.row
        pair, rate = row.direction(side), row.rate(side)
        if rate is None:
            reason = f": {row.reason}" if row.reason else ""
            return toned(f" {pair.sell} > {pair.buy} is not priced{reason}", Tone.CLOSING)
        key = first_key(self.ui.settings.keys, "rates.trade")
        dealt = f"{'Sell' if side is Price.BID else 'Buy'} {row.pair.sell} at the {side}"
        told = f"  {rate_words(pair, rate)}"
        if side is Price.OFFER and (turned := inverse(rate)) is not None:
            told += f" ≈ {significant(turned)}"
        tone = Tone.EXPIRED if line.expired else Tone.INK
        held = "" if row.is_watched else "  held"
        words = (toned(f" {key} {dealt}", bold=True), toned(told, tone))
        return Content("").join([*words, toned(held, Tone.MUTED)])

    def _side_words(self, known: datetime | None) -> Content:
        """Return since when the day is known, if not from its start, and the keys of the sides."""
        ui, words = self.ui, ""
        if self.size.width < ROOMY:
            return Content()  # the rate has the whole line
        if known is not None and known - ui.rate_history.day_began > LATE:
            words = f"today since {since_time(known, ui.time.latest(), ui.zone)}  "
        keys = " ".join(first_key(ui.settings.keys, f"rates.{side}") for side in SIDES)
        return toned(f"{words}{keys} side ", Tone.MUTED)

    def _sheet_words(self, sheet: RateSheet | None) -> Content:
        if sheet is None:
            return toned(" No sheet", Tone.MUTED)
        until = f" until {dated_seconds(sheet.expires_at, self.ui.time.latest(), self.ui.zone)}"
        count = f" · in pips · {counted(len(self._list), 'pairs')}"
        sheet_id = f" · sheet {sheet.rate_sheet_id[:8]}"
        return Content("").join(
            [toned(until), toned(count, Tone.MUTED), toned(sheet_id, Tone.FAINT)]
        )

    def _note(self) -> Content:
        """Return why no sheet comes, or why history is paused."""
        ui, feed = self.ui, self.ui.store.feed(Kind.RATE_SHEETS)
        if feed.problem is not None or not feed.offered:
            words = feed_words(ui, Kind.RATE_SHEETS, 0)
            return toned(words.text, words.tone)
        if (book := ui.store.book) is not None and book.problem is not None:
            return toned(f"history paused: {book.problem.what}", Tone.CLOSING)
        return Content()


# The chart alone


class RateChartScreen(BaseScreen):
    """The chart of the bid or offer of a pair."""

    CSS = "RateChartScreen.-narrow CountdownCell { width: 13; }"  # without the bar
    BINDINGS = textual_bindings.groups("Chart", "Back")
    FINDS = True

    def __init__(self, ui: UiContext, pair: Pair, side: Price) -> None:
        super().__init__(ui)
        self._pair, self._side = pair, side
        self._chart = RateChart(ui, tells_paused=True)
        self._alert = SplitLine()
        self._countdown = CountdownCell()
        self._added: list[RateAlert] = []

    def body(self) -> Iterator[Widget]:
        yield self._chart
        yield Horizontal(self._alert, self._countdown, classes="titles")

    def on_mount(self) -> None:
        self._chart.show(self._pair, self._side)

    @property
    def selected(self) -> Pair | None:
        return self._chart.direction

    @property
    def crumb(self) -> str:
        return f"{self._pair.sell}/{self._pair.buy} {self._side}"

    def is_quiet(self, action: str) -> bool:
        return action in ("payout", "transfer") or (action == "copy" and not self._added)

    def show_now(self) -> None:
        self._chart.follow()
        sheet, _ = newest_sheets(self.ui.store)
        self._countdown.count_down(None if sheet is None else sheet_left(self.ui.time, sheet))
        until = "" if sheet is None else f"until {clock_seconds(sheet.expires_at, self.ui.zone)} "
        self._alert.say(self._alert_words(), toned(until, Tone.MUTED))

    def _alert_words(self) -> Content:
        keys = self.ui.settings.keys
        if (alert := self._chart.alert) is not None:
            return Content("").join(
                [
                    toned(f" New alert: {alert}", bold=True),
                    toned(f"  {first_key(keys, 'chart.save')} sets it", Tone.MUTED),
                ]
            )
        if self._added:
            return toned(f" Alert {self._added[-1]} set until you quit")
        up, down = first_key(keys, "chart.up"), first_key(keys, "chart.down")
        return toned(f" {up} {down} place an alert at a rate", Tone.MUTED)

    def action_period(self, steps: int) -> None:
        self._chart.change_period(steps)

    def action_level(self, pips: int) -> None:
        if not self._chart.move_level(pips):
            self.notify("There is no rate yet to place an alert by.")
        self.show_now()

    def action_save(self) -> None:
        """Set the alert until the session ends: configuration files are never written."""
        if (alert := self._chart.alert) is None:
            up, down = (first_key(self.ui.settings.keys, f"chart.{key}") for key in ("up", "down"))
            self.notify(f"Place the line of an alert with {up} and {down} first.")
            return
        self.ui.rate_alerts.add(alert)
        self._added.append(alert)
        self.refresh_bindings()
        self._chart.drop_level()
        key = first_key(self.ui.settings.keys, "chart.copy")
        self.notify(f"Set until you quit. To keep it, copy it ({key}) into [alerts] when.")
        self.show_now()

    def action_remove(self) -> None:
        """Remove the line that is being placed, or the alert that was set last."""
        if self._chart.level is not None:
            self._chart.drop_level()
        elif self._added:
            self.ui.rate_alerts.remove(self._added.pop())
            self.refresh_bindings()
        else:
            words = "No alert was set here. Those of the configuration stay: edit [alerts] when."
            self.notify(words)
        self.show_now()

    def action_copy(self) -> None:
        self.copy("the alert", f'"{self._added[-1]}"' if self._added else None)
