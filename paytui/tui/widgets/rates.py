"""The list of rates of the newest sheet, its columns, and its countdown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget

from paytui.domain.models import Kind, RateSheet
from paytui.domain.money import MISSING, Pair, plain, significant
from paytui.domain.rates import sheet_left
from paytui.store.views import RateRow, newest_sheets, rate_rows
from paytui.tui.context import UiContext
from paytui.tui.format.countdown import BAR, Phase, countdown_bar, countdown_words, phase
from paytui.tui.format.feeds import empty_words
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import DataList
from paytui.tui.theme.themes import Cell, Tone, toned


@dataclass(frozen=True, slots=True)
class RateLine:
    """One pair of the sheet.

    Attributes:
        priced: None if the service does not price the pair.
        reason: the service's reason.
        expired: True if the sheet has ended: its rate stays readable but is void.
    """

    pair: Pair
    priced: RateRow | None
    reason: str | None
    expired: bool


class RateList(DataList[Pair, RateLine]):
    """The newest sheet, which may have ended."""

    def __init__(self, desk: UiContext, columns: Iterable[Column[RateLine]]) -> None:
        super().__init__(tuple(columns), lambda line: line.pair)
        self._desk = desk

    def show(self) -> None:
        """Show the newest sheet, or why there is none."""
        self.placeholder(self._nothing())
        sheet, before = newest_sheets(self._desk.store)
        self.replace(self._lines(sheet, before) if sheet else ())

    def _nothing(self) -> str:
        if not self._desk.settings.rates.watch and not self._desk.rate_alerts.needs:
            return "No pairs are watched. Name some in the configuration: [rates] watch."
        return empty_words(self._desk, Kind.RATE_SHEETS)

    def _lines(self, sheet: RateSheet, before: RateSheet | None) -> Iterable[RateLine]:
        expired = phase(sheet_left(self._desk.time, sheet)) is Phase.EXPIRED
        for row in rate_rows(sheet, before, self._desk.settings.rates.desk_order):
            yield RateLine(row.pair, row, None, expired)
        for missing in sheet.unavailable:
            yield RateLine(missing.pair, None, missing.reason, expired)


def pair_column() -> Column[RateLine]:
    """Return the column of pairs in the service's direction: sold, bought."""
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
        Column(
            title="At",
            cell=lambda line: _number(line, line.priced.market_rate if line.priced else None),
            width=8,
            whole=True,
            right=True,
            gives_way=4,
        ),
        Column(
            title="Inverse",
            cell=lambda line: _number(line, line.priced.inverse if line.priced else None),
            width=8,
            whole=True,
            right=True,
            gives_way=3,
        ),
    )


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


def _number(line: RateLine, number: Decimal | None) -> Cell:
    if number is None:
        return Cell(MISSING, Tone.FAINT)
    return Cell(significant(number), Tone.EXPIRED if line.expired else Tone.MUTED)


WORDS = 14
"""Cells before the bar."""


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
        """Update the time left."""
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
