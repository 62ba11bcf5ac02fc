"""A chart of a price over time in braille, painted line by line, and the sparkline.

It is our own: textual-plotext has had no release since November 2024, plotext keeps its figure in
global state, and Textual's Sparkline draws bars from zero, without gaps, axes or levels.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby, pairwise
from typing import TypeVar

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip

from paytui.tui.format.cells import Tone
from paytui.tui.widgets.text import TonedWidget

T = TypeVar("T")

Point = tuple[float, float]  # A time and a price

DOT_COLUMNS, DOT_ROWS = 2, 4
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))  # Bits by column and row of a cell
_BLANK = 0x2800

_LEVELS = "▁▂▃▄▅▆▇"  # Without the full block, which would touch the line above


def sparkline(prices: Sequence[Decimal | None]) -> str:
    """Return one block for each price, scaled from the lowest to the highest; None is blank."""
    known = [price for price in prices if price is not None]
    low, high = min(known, default=Decimal(0)), max(known, default=Decimal(0))
    if low == high:
        return "".join(" " if price is None else _LEVELS[3] for price in prices)
    top = len(_LEVELS) - 1
    return "".join(
        " " if price is None else _LEVELS[round((price - low) / (high - low) * top)]
        for price in prices
    )


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line at a price, with a label on the axis; `label_tone` is `tone` by default."""

    price: float
    label: str
    tone: Tone
    label_tone: Tone | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign at a time and a price."""

    at: Point
    sign: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Picture:
    """The content of a chart.

    Attributes:
        runs: the points between gaps, in order of time; nothing is drawn across a gap.
        began, ended: the times at the left and right edge.
        levels: lines; of two on one line of the screen, the later one is seen.
        ticks: labels of prices on the axis.
        times: labels of times.
    """

    runs: tuple[tuple[Point, ...], ...]
    began: float
    ended: float
    low: float
    high: float
    levels: tuple[Level, ...] = ()
    marks: tuple[Mark, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    times: tuple[tuple[float, str], ...] = ()


Spot = tuple[str, Tone]
Canvas = list[list[Spot]]


def drawn(picture: Picture, width: int, height: int) -> Canvas:
    """Return a chart as `height` lines of `width` single cells.

    The last line has the times, the right edge the prices. Without room for a line it is blank.
    """
    labels = [label for _, label in picture.ticks] + [level.label for level in picture.levels]
    across = width - max((len(label) for label in labels), default=0) - 3
    if across < 1 or height < MIN_HEIGHT:
        return [[_EMPTY] * width for _ in range(height)]
    return _Drawing(picture, width, height, across).canvas


NO_DATA = "no data"
MIN_HEIGHT = 2
_EMPTY: Spot = (" ", Tone.MUTED)


class _Drawing:
    """One drawing of a picture: the area of the line is `across` cells wide."""

    def __init__(self, picture: Picture, width: int, height: int, across: int) -> None:
        self._picture = picture
        self._width, self._across, self._down = width, across, height - 1
        self._span = picture.ended - picture.began
        self._range = picture.high - picture.low
        self.canvas: Canvas = [[_EMPTY] * width for _ in range(height)]
        self._draw_axis()
        self._draw_levels()
        self._draw_gaps()
        self._draw_line()
        self._draw_marks()
        self._draw_times()

    def _x(self, time: float) -> int | None:
        """Return the column of dots of a time; None outside the frame."""
        share = (time - self._picture.began) / self._span if self._span > 0 else 1.0
        return round(share * (self._across * DOT_COLUMNS - 1)) if 0 <= share <= 1 else None

    def _y(self, price: float) -> int | None:
        share = (self._picture.high - price) / self._range if self._range > 0 else 0.5
        return round(share * (self._down * DOT_ROWS - 1)) if 0 <= share <= 1 else None

    def _rows(self, prices: Iterable[tuple[float, T]]) -> Iterator[tuple[list[Spot], T]]:
        """Yield the line of cells of each price in the frame, with what belongs to the price."""
        for price, what in prices:
            if (y := self._y(price)) is not None:
                yield self.canvas[y // DOT_ROWS], what

    def _draw_axis(self) -> None:
        for line in self.canvas[: self._down]:
            line[self._across] = ("│", Tone.FAINT)
        for line, label in self._rows(self._picture.ticks):
            line[self._across] = ("┤", Tone.FAINT)
            self._write(line, self._across + 2, label, Tone.MUTED)

    def _draw_levels(self) -> None:
        """Dot each line at its height, as the line of the price is drawn."""
        levels = ((level.price, level) for level in self._picture.levels)
        for line, level in self._rows(levels):
            dot = _DOTS[0][(self._y(level.price) or 0) % DOT_ROWS]
            line[: self._across] = [(chr(_BLANK + dot), level.tone)] * self._across
            line[self._across] = ("┤", level.tone)
            label = level.label.ljust(self._width - self._across - 3)
            self._write(line, self._across + 2, label, level.label_tone or level.tone)

    def _draw_gaps(self) -> None:
        """Name the gaps between runs that are wide enough, above the times."""
        for before, after in pairwise(filter(None, self._picture.runs)):
            start, end = self._x(before[-1][0]), self._x(after[0][0])
            if start is not None and end is not None:
                room = (end - start) // DOT_COLUMNS
                if room >= len(NO_DATA) + 2:
                    at = start // DOT_COLUMNS + 1 + (room - len(NO_DATA)) // 2
                    self._write(self.canvas[self._down - 1], at, NO_DATA, Tone.FAINT)

    def _draw_line(self) -> None:
        """Draw each run; points outside the frame are left out."""
        bits: defaultdict[tuple[int, int], int] = defaultdict(int)
        for run in self._picture.runs:
            spots = [(self._x(time), self._y(price)) for time, price in run]
            for x, top, bottom in _strokes(
                [(x, y) for x, y in spots if x is not None and y is not None]
            ):
                for y in range(top, bottom + 1):
                    dot = _DOTS[x % DOT_COLUMNS][y % DOT_ROWS]
                    bits[y // DOT_ROWS, x // DOT_COLUMNS] |= dot
        for (row, column), dots in bits.items():
            self.canvas[row][column] = (chr(_BLANK + dots), Tone.MONEY)

    def _draw_marks(self) -> None:
        marks = ((mark.at[1], mark) for mark in self._picture.marks)
        for line, mark in self._rows(marks):
            if (x := self._x(mark.at[0])) is not None:
                line[x // DOT_COLUMNS] = (mark.sign, mark.tone)

    def _draw_times(self) -> None:
        """Write the times below, those that would touch an earlier one left out."""
        free = 0
        for time, label in self._picture.times:
            if (x := self._x(time)) is None:
                continue
            start = x // DOT_COLUMNS - len(label) // 2
            if free <= start <= self._width - len(label):
                self._write(self.canvas[self._down], start, label, Tone.MUTED)
                free = start + len(label) + 1

    def _write(self, line: list[Spot], start: int, text: str, tone: Tone) -> None:
        for x, character in enumerate(text, start):
            line[x] = (character, tone)


def _strokes(spots: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield the vertical strokes (column, top, bottom) that join spots to a thin line."""
    for x, y in spots[:1]:
        yield x, y, y
    for (x, y), (next_x, next_y) in pairwise(spots):
        steps, before = max(1, next_x - x), y
        for step in range(1, steps + 1):
            after = y + round((next_y - y) * step / steps)
            begin = before + (after > before) - (after < before)
            yield min(x + step, next_x), min(begin, after), max(begin, after)
            before = after


class Chart(TonedWidget):
    """A chart, which repaints only the cells that a new picture changes."""

    DEFAULT_CSS = "Chart { height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self._picture: Picture | None = None
        self._canvas: Canvas = []

    def show(self, picture: Picture | None) -> None:
        if picture == self._picture:
            return
        before, self._canvas, self._picture = self._canvas, [], picture
        if picture is None or len(before) != self.size.height:
            self.refresh()
            return
        self._canvas = drawn(picture, *self.size)
        for y, (was, line) in enumerate(zip(before, self._canvas, strict=True)):
            changed = [x for x, (old, new) in enumerate(zip(was, line, strict=True)) if old != new]
            if changed:
                self.refresh(Region(changed[0], y, changed[-1] - changed[0] + 1, 1))

    def on_resize(self) -> None:
        self._canvas = []

    def render_line(self, y: int) -> Strip:
        width, height = self.size
        if self._picture is None:
            return Strip.blank(width, self.rich_style)
        if len(self._canvas) != height:
            self._canvas = drawn(self._picture, width, height)
        spots = groupby(self._canvas[y], key=lambda spot: spot[1])
        return Strip([Segment("".join(s for s, _ in part), self.look(t)) for t, part in spots])


def price_ticks(low: Decimal, high: Decimal, most: int) -> list[Decimal]:
    """Return the round prices from low to high: at most this many, a step of 1, 2 or 5 apart."""
    steps = (digit.scaleb(power) for power in range(-9, 9) for digit in map(Decimal, (1, 2, 5)))
    step = next((step for step in steps if (high - low) / step < max(1, most)), high - low)
    first = math.ceil(low / step) * step
    return [first + step * count for count in range(math.floor((high - first) / step) + 1)]
