"""The board of rates of the newest sheet, its columns, and its countdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from enum import Enum
from functools import partial

from textual.content import Content
from textual.message import Message

from paytui.domain.models import Kind
from paytui.domain.money import Pair
from paytui.domain.rates import Price, price_digits, sheet_left
from paytui.store.rate_board import BoardRow, board_rows, newest_sheets
from paytui.tui import textual_bindings
from paytui.tui.format.cells import Cell, Tone, text_cell, toned
from paytui.tui.rate_history import TRAIL_PARTS, is_recorded
from paytui.tui.table.columns import Column, figure_column
from paytui.tui.table.data_list import DataList
from paytui.tui.table.viewport import Line
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.chart import sparkline
from paytui.tui.widgets.feeds import empty_words
from paytui.tui.widgets.text import TickingCell, changed_region

# The countdown of a rate sheet: phase, words and bar.

SHEET_LIFETIME = timedelta(seconds=150)  # Rate sheet validity: 2.5 minutes (service.md §8)

CLOSING, LAST, CALM_STEP = 30, 10, 5
"""Seconds left from which a sheet is closing, then in its last moments; step while calm."""

BAR = 16


class Phase(Enum):
    """The urgency of a countdown; the value is the tone."""

    CALM = Tone.ACCENT
    CLOSING = Tone.CLOSING
    LAST = Tone.DOWN
    EXPIRED = Tone.EXPIRED


def phase(left: timedelta) -> Phase:
    """Return the phase for the time left; a rate is good strictly before its end."""
    seconds = left.total_seconds()
    if seconds <= 0:
        return Phase.EXPIRED
    if seconds <= LAST:
        return Phase.LAST
    return Phase.CLOSING if seconds <= CLOSING else Phase.CALM


def countdown_words(left: timedelta) -> str:
    """Return `valid 1:45`; in steps of 5 s while calm, then each second; at last `expired`."""
    seconds, now = int(left.total_seconds()), phase(left)
    if now is Phase.EXPIRED:
        return "expired"
    if now is Phase.CALM:
        seconds = seconds // CALM_STEP * CALM_STEP
    return f"{'LAST' if now is Phase.LAST else 'valid'} {seconds // 60}:{seconds % 60:02d}"


def countdown_bar(left: timedelta) -> str:
    """Return a bar of the time left: `███████─────`; while calm, in coarse steps."""
    seconds = left.total_seconds()
    if phase(left) is Phase.CALM:
        seconds = seconds // CALM_STEP * CALM_STEP
    share = max(0.0, min(1.0, seconds / SHEET_LIFETIME.total_seconds()))
    full = math.ceil(share * BAR)
    return "█" * full + "─" * (BAR - full)


@dataclass(frozen=True, slots=True)
class RateLine:
    """One pair of the board; `expired`: the sheet has ended, so its rates are void."""

    row: BoardRow
    expired: bool

    @property
    def pair(self) -> Pair:
        return self.row.pair


class RateList(DataList[Pair, RateLine]):
    """The board of the newest sheet, which may have ended; enter trades the side that is chosen.

    Args:
        with_held: True to show the pairs of held currencies below those that are watched.
        moved: called after the cursor moved to another pair or side.

    Attributes:
        side: the chosen price: the bid, at which the base is sold, or the offer.
    """

    BINDINGS = textual_bindings.groups("Rates")

    class ChartWanted(Message):
        """A message that the chart of a price is to be opened."""

        def __init__(self, pair: Pair, side: Price) -> None:
            super().__init__()
            self.pair = pair
            self.side = side

    def __init__(
        self,
        ui: UiContext,
        *,
        with_held: bool = False,
        moved: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(
            board_columns(), lambda line: line.pair, opened=lambda _: self.call_later(self._trade)
        )
        self._ui = ui
        self._with_held = with_held
        self._moved = moved
        self._shown: tuple[object, ...] = ()
        self.side = Price.BID

    @property
    def direction(self) -> Pair | None:
        """The pair of the chosen side, in the service's direction."""
        line = self.selected
        return None if line is None else line.row.direction(self.side)

    async def _trade(self) -> None:
        await self.app.run_action("trade")

    async def action_trade(self) -> None:
        if self.selected is not None:
            await self._trade()

    def action_side(self, side: str) -> None:
        self.side = Price(side)
        self.settle_cursor()

    def action_chart(self) -> None:
        """Open the chart of the chosen price."""
        if (line := self.selected) is not None:
            self.post_message(self.ChartWanted(line.pair, self.side))

    def settle_cursor(self) -> None:
        super().settle_cursor()
        self._moved()

    def _compose_line(self, y: int) -> Line:
        line = super()._compose_line(y)
        if not line.selected:
            return line
        cells = (
            replace(cell, chosen=column.title == self.side.title())
            for cell, column in zip(line.cells, self.columns, strict=True)
        )
        return replace(line, cells=tuple(cells))

    def on_mount(self) -> None:
        self.show()

    def show(self) -> None:
        """Show the newest sheet; history that was not read yet is read, and shown then."""
        ui, history = self._ui, self._ui.rate_history
        if watched := (*ui.settings.rates.watch, *ui.rate_alerts.needs):
            self.placeholder(empty_words(ui, Kind.RATE_SHEETS))
        else:
            words = "No pairs are watched. Add some to [rates] watch in the configuration."
            self.placeholder(words)
        sheet, before = newest_sheets(ui.store)
        expired = sheet is not None and phase(sheet_left(ui.time, sheet)) is Phase.EXPIRED
        book = ui.store.book is None, is_recorded(ui.store)
        shown = (sheet, before, expired, history.version, history.day_began, *book)
        if sheet is not None and shown != self._shown:
            self._shown = shown
            pairs = [one.pair for one in sheet.rates] + [one.pair for one in sheet.unavailable]
            self.run_worker(self._read(pairs), group="history", exclusive=False)
            rows = board_rows(sheet, before, watched, ui.settings.rates.desk_order, history.of)
            shown_rows = (row for row in rows if row.is_watched or self._with_held)
            self.replace(RateLine(row, expired) for row in shown_rows)

    async def _read(self, pairs: Iterable[Pair]) -> None:
        if await self._ui.rate_history.read(pairs):
            self.show()


QUARTERS = 12  # Quarters of an hour that the board draws at most widths


def board_columns() -> tuple[Column[RateLine], ...]:
    """Return all columns; 35 cells hold pair, bid, offer and change."""
    return (
        Column(title="Pair", cell=lambda line: Cell(f"{line.pair.sell}/{line.pair.buy}"), width=7),
        # To a tenth of a pip, the two digits of pips in bold
        *(
            figure_column(side.title(), partial(_price, side), width=7)
            for side in (Price.BID, Price.OFFER)
        ),
        figure_column("Spread", _spread, width=7, gives_way=4),
        change_column(),
        figure_column("Today", lambda line: _moved(line, line.row.today), width=7, gives_way=2),
        Column(
            title="3 hours",
            cell=lambda line: _trail(line, line.row.day.trail[-QUARTERS:]),
            width=QUARTERS,
            gives_way=3,
        ),
        figure_column("Day's range", _range, width=7, gives_way=5),
        Column(title="24 hours", cell=_last_day, width=TRAIL_PARTS // 2, gives_way=6),
    )


def change_column() -> Column[RateLine]:
    """Return the column of changes since the previous sheet; `expired` for an ended sheet."""
    return figure_column("Change", _change, width=7, gives_way=1)


def _price(side: Price, line: RateLine) -> Cell:
    """Return the price of a side; `—` if the service does not price it."""
    price = line.row.price(side)
    if price is None:
        return text_cell(None)
    digits = price_digits(price, line.pair.buy)
    start = len(digits.big)
    tone = Tone.EXPIRED if line.expired else Tone.INK
    return Cell(str(digits), tone, strong=(start, start + len(digits.pips)))


def _spread(line: RateLine) -> Cell:
    spread = line.row.spread
    return text_cell(None if spread is None else f"{spread:.1f}", Tone.MUTED)


def _change(line: RateLine) -> Cell:
    row = line.row
    if row.sold is None and row.bought is None:
        return Cell("no rate", Tone.CLOSING)
    if line.expired:
        return Cell("expired", Tone.EXPIRED)
    return Cell("new", Tone.FAINT) if row.change is None else _moved(line, row.change)


def _moved(line: RateLine, change: Decimal | None) -> Cell:
    """Return a change of the base's price in pips."""
    return text_cell(None) if change is None else change_cell(line.row.pips(change))


def change_cell(pips: Decimal) -> Cell:
    """Return a number of pips with a sign and an arrow: `▲ +1.2`."""
    shown = Decimal(f"{pips:.1f}")
    if not pips:
        return Cell("= 0", Tone.MUTED)
    sign, tone = ("▲ +", Tone.UP) if pips > 0 else ("▼ -", Tone.DOWN)
    return Cell(f"{sign}{abs(shown)}", tone)


def _last_day(line: RateLine) -> Cell:
    """Return a sparkline of half hours."""
    quarters = line.row.day.trail
    halves = zip(quarters[::2], quarters[1::2], strict=True)
    return _trail(line, [early if late is None else late for early, late in halves])


def _trail(line: RateLine, trail: Sequence[Decimal | None]) -> Cell:
    if not any(price is not None for price in trail):
        return text_cell(None)
    return Cell(sparkline(trail), Tone.EXPIRED if line.expired else Tone.FAINT)


def _range(line: RateLine) -> Cell:
    day = line.row.day
    if day.low is None or day.high is None:
        return text_cell(None)
    low, high = (price_digits(price, line.pair.buy) for price in (day.low, day.high))
    return Cell(f"{low} – {high}", Tone.MUTED)


WORDS = 12  # Cells before the bar


class CountdownCell(TickingCell):
    """Countdown in words and a bar, in the phase's tone; blank without a sheet.

    Only the cells that change are painted.
    """

    DEFAULT_CSS = f"""
    CountdownCell {{ width: {WORDS + BAR + 1}; }}
    """

    def count_down(self, left: timedelta | None) -> None:
        shown = Content() if left is None else _content(left)
        before, self._shown = self._shown, shown
        if before.cell_length != shown.cell_length:
            self.refresh()
            return
        words = changed_region(before[:WORDS], shown[:WORDS])
        bar = changed_region(before[WORDS:], shown[WORDS:])
        changed = [*([words] if words else []), *([bar.translate((WORDS, 0))] if bar else [])]
        if changed:
            self.refresh(*changed)


def _content(left: timedelta) -> Content:
    tone: Tone = phase(left).value
    words = toned(f"{countdown_words(left):>{WORDS - 1}} ", tone, bold=True)
    bar = countdown_bar(left)
    full = bar.rstrip("─")
    return Content("").join([words, toned(full, tone), toned(bar[len(full) :], Tone.FAINT)])
