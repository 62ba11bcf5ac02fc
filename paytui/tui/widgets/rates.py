"""The list of rates of the newest sheet, its columns, and its countdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from enum import Enum

from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget

from paytui.domain.models import Kind, RateSheet
from paytui.domain.money import MISSING, Pair, plain, significant
from paytui.domain.rates import sheet_left
from paytui.store.figures import RateRow, newest_sheets, rate_rows
from paytui.tui import screen_keys
from paytui.tui.format.feeds import empty_words
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import DataList
from paytui.tui.theme.tones import Cell, Tone, toned
from paytui.tui.ui_context import UiContext

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
    seconds = int(left.total_seconds())
    match phase(left):
        case Phase.EXPIRED:
            return "expired"
        case Phase.LAST:
            return f"LAST {_minutes(seconds)}"
        case Phase.CLOSING:
            return f"valid {_minutes(seconds)}"
        case Phase.CALM:
            return f"valid {_minutes(seconds // CALM_STEP * CALM_STEP)}"


def countdown_bar(left: timedelta) -> str:
    """Return a bar of the time left: `███████─────`; while calm, in coarse steps."""
    seconds = left.total_seconds()
    if phase(left) is Phase.CALM:
        seconds = seconds // CALM_STEP * CALM_STEP
    share = max(0.0, min(1.0, seconds / SHEET_LIFETIME.total_seconds()))
    full = math.ceil(share * BAR)
    return "█" * full + "─" * (BAR - full)


def _minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"


@dataclass(frozen=True, slots=True)
class RateLine:
    """One pair of the sheet.

    Attributes:
        priced: None if the service does not price the pair.
        expired: True if the sheet has ended: its rate stays readable but is void.
    """

    pair: Pair
    priced: RateRow | None
    reason: str | None
    expired: bool


class RateList(DataList[Pair, RateLine]):
    """The newest sheet, which may have ended; enter trades the pair under the cursor."""

    BINDINGS = screen_keys.RATES

    def __init__(self, ui: UiContext, columns: Iterable[Column[RateLine]]) -> None:
        super().__init__(
            tuple(columns), lambda line: line.pair, opened=lambda _: self.call_later(self._trade)
        )
        self._ui = ui

    async def _trade(self) -> None:
        await self.app.run_action("trade")

    async def action_trade(self) -> None:
        if self.selected is not None:
            await self._trade()

    def show(self) -> None:
        if self._ui.settings.rates.watch or self._ui.rate_alerts.needs:
            self.placeholder(empty_words(self._ui, Kind.RATE_SHEETS))
        else:
            words = "No pairs are watched. Add some to [rates] watch in the configuration."
            self.placeholder(words)
        sheet, before = newest_sheets(self._ui.store)
        self.replace(self._lines(sheet, before) if sheet else ())

    def _lines(self, sheet: RateSheet, before: RateSheet | None) -> Iterable[RateLine]:
        expired = phase(sheet_left(self._ui.time, sheet)) is Phase.EXPIRED
        for row in rate_rows(sheet, before, self._ui.settings.rates.desk_order):
            yield RateLine(row.pair, row, None, expired)
        for missing in sheet.unavailable:
            yield RateLine(missing.pair, None, missing.reason, expired)


def pair_column() -> Column[RateLine]:
    return Column(
        title="Sell/Buy",
        cell=lambda line: Cell(f"{line.pair.sell} > {line.pair.buy}"),
        width=10,
    )


def rate_column() -> Column[RateLine]:
    """Return the column of rates of one sold unit, with all digits."""
    return Column(title="Rate", cell=_rate, width=10, whole=True, right=True)


def change_column() -> Column[RateLine]:
    """Return the column of changes since the previous sheet; `expired` for an ended sheet."""
    return Column(title="Change", cell=_change, width=10, whole=True, right=True, gives_way=1)


def market_columns() -> tuple[Column[RateLine], ...]:
    """Return the columns of the market's direction, its price and the inverse."""
    return (
        Column(title="Market", cell=_market, width=13, grows=True, most=50, gives_way=2),
        _number_column("Market rate", lambda priced: priced.market_rate, gives_way=4),
        _number_column("Inverse", lambda priced: priced.inverse, gives_way=3),
    )


def _number_column(
    title: str, number: Callable[[RateRow], Decimal | None], *, gives_way: int
) -> Column[RateLine]:
    def cell(line: RateLine) -> Cell:
        if line.priced is None or (found := number(line.priced)) is None:
            return Cell(MISSING, Tone.FAINT)
        return Cell(significant(found), Tone.EXPIRED if line.expired else Tone.MUTED)

    return Column(title=title, cell=cell, width=8, whole=True, right=True, gives_way=gives_way)


def _rate(line: RateLine) -> Cell:
    if line.priced is None:
        return Cell("not priced", Tone.CLOSING)
    tone = Tone.EXPIRED if line.expired else Tone.INK
    return Cell(f"{significant(line.priced.rate)} {line.pair.buy}", tone)


def _change(line: RateLine) -> Cell:
    if line.expired:
        return Cell("expired", Tone.EXPIRED)
    change = line.priced.change if line.priced else None
    if change is None:
        return Cell("new" if line.priced else MISSING, Tone.FAINT)
    if not change:
        return Cell("= 0", Tone.MUTED)
    if change > 0:
        return Cell(f"▲ +{plain(change)}", Tone.UP)
    return Cell(f"▼ {plain(change)}", Tone.DOWN)


def _market(line: RateLine) -> Cell:
    if line.priced is None:
        return Cell(line.reason or "the service gave no reason", Tone.MUTED)
    side = f" {line.priced.side}" if line.priced.side else ""
    return Cell(f"{line.priced.market}{side}", Tone.MUTED)


WORDS = 12  # Cells before the bar


class CountdownCell(Widget):
    """Countdown in words and a bar, in the phase's tone; blank without a sheet.

    It is a small widget of its own, as each tick repaints all of it.
    """

    DEFAULT_CSS = f"""
    CountdownCell {{ width: {WORDS + BAR + 1}; height: 1; }}
    """

    def __init__(self) -> None:
        super().__init__()
        self._shown = Content()

    def show(self, left: timedelta | None) -> None:
        shown = Content() if left is None else _content(left)
        before, self._shown = self._shown, shown
        if not shown[WORDS:].is_same(before[WORDS:]):
            self.refresh()
        elif not shown.is_same(before):
            self.refresh(Region(0, 0, WORDS, 1))

    def render(self) -> Content:
        return self._shown


def _content(left: timedelta) -> Content:
    tone: Tone = phase(left).value
    words = toned(f"{countdown_words(left):>{WORDS - 1}} ", tone, bold=True)
    bar = countdown_bar(left)
    full = bar.rstrip("─")
    return Content("").join([words, toned(full, tone), toned(bar[len(full) :], Tone.FAINT)])
