"""The chart of one price: its history, our trades, the levels of alerts, and a new level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from paytui.book.file import BookReader
from paytui.book.history import DAY, HOUR, MINUTE, Bar, Millis, millis, moment, thinned, unbroken
from paytui.domain.money import Pair, inverse
from paytui.domain.rates import (
    Direction,
    Price,
    PriceDigits,
    RateAlert,
    pip,
    price_digits,
    sheet_left,
    sheet_time,
)
from paytui.platform.clock import Zone
from paytui.store.figures import counts
from paytui.store.rate_board import newest_sheets
from paytui.tui.format.cells import Tone, toned
from paytui.tui.rate_history import is_recorded, newer_bars, read_book
from paytui.tui.times import short_time
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.chart import Chart, Level, Mark, Picture, Point, price_ticks
from paytui.tui.widgets.rates import change_cell
from paytui.tui.widgets.text import RuleLine, SplitLine

MOST_TICKS = 12  # Labels on the axis of prices
ROOM_FOR_MARKS = 80  # Cells, for the figures of a period and the meaning of the marks


@dataclass(frozen=True, slots=True)
class Period:
    """A period that a chart shows.

    Attributes:
        bar: the length of a bar: a longer period has about as many points as the screen dots.
        step: the right edge lies at a multiple of it, so that a new sheet seldom moves the line.
        tick: the time between two labels of the axis of times.
        label: their format.
    """

    name: str
    length: Millis
    bar: Millis
    step: Millis
    tick: timedelta
    label: str


def _minutes(count: int) -> Millis:
    return Millis(count * MINUTE)


PERIODS = (
    Period("1 h", HOUR, MINUTE, _minutes(5), timedelta(minutes=10), "%H:%M"),
    Period("1 d", DAY, _minutes(5), _minutes(30), timedelta(hours=3), "%H:%M"),
    Period("1 w", _minutes(7 * 24 * 60), _minutes(30), _minutes(180), timedelta(days=1), "%a %d"),
    Period(
        "1 mo", _minutes(30 * 24 * 60), _minutes(120), _minutes(720), timedelta(days=5), "%d %b"
    ),
)

USUAL = 1  # The place of the period that a chart begins with


class RateChart(Vertical):
    """The chart of one price over a period that ends shortly after the newest sheet.

    Attributes:
        level: the level of an alert that is being set; None if none is.
    """

    DEFAULT_CSS = """
    RateChart { height: 1fr; width: 1fr; }
    """

    def __init__(self, ui: UiContext, *, tells_paused: bool = False) -> None:
        """`tells_paused`: say why the history is paused, where nothing else on screen does."""
        super().__init__()
        self._ui = ui
        self._tells_paused = tells_paused
        self._pair: Pair | None = None
        self._side = Price.BID
        self._place = USUAL
        self._bars: dict[Pair, list[Bar]] = {}
        self._seen: tuple[object, ...] = ()
        self._was_recorded = False
        self._title = RuleLine(classes="title")
        self._figures = SplitLine()
        self._chart = Chart()
        self.level: Decimal | None = None

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._figures
        yield self._chart

    def on_resize(self) -> None:
        self._seen = ()  # more lines have more labels
        self.follow()

    # The price and the period

    def show(self, pair: Pair | None, side: Price) -> None:
        """Show the bid or offer of a pair whose base is sold; None: of none."""
        if (pair, side) != (self._pair, self._side):
            self._pair, self._side, self.level = pair, side, None
            self._bars = {}
            self.read()

    @property
    def period(self) -> Period:
        return PERIODS[self._place]

    def change_period(self, steps: int) -> None:
        self._place = max(0, min(self._place + steps, len(PERIODS) - 1))
        self.read()

    @property
    def direction(self) -> Pair | None:
        """The pair in the service's direction."""
        if self._pair is None or self._side is Price.BID:
            return self._pair
        return self._pair.reverse

    def read(self) -> None:
        """Read the period from the book: the store has only the sheets of the last two hours."""
        self._was_recorded = is_recorded(self._ui.store)
        if self.direction is not None:
            reading = self._read(self.direction, self.period)
            self.run_worker(reading, group="history", exclusive=True)

    async def _read(self, pair: Pair, period: Period) -> None:
        since = Millis(millis(self._ui.time.latest()) - period.length)

        def bars_of(reader: BookReader) -> list[Bar]:
            return thinned(reader.rates([pair], since).get(pair, ()), period.bar)

        self._bars = {pair: await read_book(self._ui.store, bars_of) or []}
        self._seen = ()
        self.follow()

    # The alert that is being set

    def move_level(self, pips: int) -> bool:
        """Move the level of the new alert; return False without a price to begin from."""
        if self._pair is None or (price := self._last()) is None:
            return False
        step = pip(self._pair.buy)
        begin = self.level if self.level is not None else (price / step).to_integral_value() * step
        self.level = max(step, begin + pips * step)
        self.follow()
        return True

    @property
    def alert(self) -> RateAlert | None:
        """The alert at the level, away from the price as it is now."""
        price = self._last()
        if self._pair is None or self.level is None or price is None:
            return None
        way = Direction.BELOW if self.level < price else Direction.ABOVE
        return RateAlert(self._pair, self._side, way, self.level)

    def drop_level(self) -> None:
        self.level = None
        self.follow()

    # The picture

    def follow(self) -> None:
        """Show new sheets, trades and alerts; nothing is painted without any."""
        ui = self._ui
        store = ui.store
        sheet, _ = newest_sheets(store)
        expired = sheet is None or sheet_left(ui.time, sheet) <= timedelta(0)
        history = store.book is None, store.book and store.book.problem
        versions = (store.rate_sheets.version, store.trades.version, *history)
        seen = (*versions, expired, ui.zone, ui.scope, ui.rate_alerts.alerts, self.level)
        if seen == self._seen or self._pair is None:
            return
        if is_recorded(store) and not self._was_recorded:
            self.read()
        self._seen = seen
        pair = self.direction
        assert pair is not None
        bars = self._bars.setdefault(pair, [])
        bars += [bar for of, bar in newer_bars(store, ui.time, self._bars) if of == pair]
        newest = millis(sheet_time(ui.time, sheet) if sheet else ui.time.latest())
        ended = Millis((newest // self.period.step + 1) * self.period.step)
        began = Millis(ended - self.period.length)
        shown = [bar for bar in bars if bar.began >= began]
        if self._side is Price.OFFER:
            shown = [bar.inverted() for bar in shown]
        self._title.say(self._price_words(expired=expired), self._period_words())
        picture = self._picture(shown, began, ended)
        self._chart.show(picture)
        self._figures.say(self._range_words(shown), self._note(picture))

    def _last(self) -> Decimal | None:
        """Return the price on the newest sheet."""
        sheet, _ = newest_sheets(self._ui.store)
        rate = sheet.by_pair.get(self.direction) if sheet and self.direction else None
        return rate if rate is None or self._side is Price.BID else inverse(rate, 12)

    def _digits(self, price: Decimal) -> PriceDigits:
        assert self._pair is not None
        return price_digits(price, self._pair.buy)

    def _price_words(self, *, expired: bool) -> Content:
        assert self._pair is not None
        name = toned(f"{self._pair.sell}/{self._pair.buy} {self._side} ", bold=True)
        price = self._last()
        if price is None:
            return name + toned(" not priced", Tone.CLOSING)
        digits, tone = self._digits(price), Tone.EXPIRED if expired else Tone.INK
        parts = (toned(digits.big, tone), toned(digits.pips, tone, bold=True))
        words = toned("  expired" if expired else "", Tone.EXPIRED)
        return Content("").join([name, *parts, toned(digits.rest, tone), words])

    def _period_words(self) -> Content:
        return Content("").join(
            Content.styled(f" {period.name} ", "bold $background on $accent")
            if period is self.period
            else toned(f" {period.name} ", Tone.MUTED)
            for period in PERIODS
        )

    def _range_words(self, bars: list[Bar]) -> Content:
        """Return change, low and high of the period, as far as it is known."""
        assert self._pair is not None
        if not bars:
            return toned(" no history of this period", Tone.MUTED)
        change = change_cell((bars[-1].last - bars[0].first) / pip(self._pair.buy))
        low, high = min(bar.low for bar in bars), max(bar.high for bar in bars)
        words = f"  low {self._digits(low)}  high {self._digits(high)}"
        since = f"  since {short_time(moment(bars[0].began), self._ui.zone)}"
        moved = toned(f" {change.text} pips", change.tone)
        return Content("").join([moved, toned(words, Tone.MUTED), toned(since, Tone.MUTED)])

    def _note(self, picture: Picture | None) -> Content:
        """Return why the history is paused; else the meaning of the marks, if there is room."""
        book = self._ui.store.book
        if book is not None and book.problem is not None and self._tells_paused:
            return toned(f"history paused: {book.problem.what} ", Tone.CLOSING)
        if picture is None or not picture.marks or self.size.width < ROOM_FOR_MARKS:
            return Content()
        return toned("B bought  S sold ", Tone.MUTED)

    def _picture(self, bars: list[Bar], began: Millis, ended: Millis) -> Picture | None:
        assert self._pair is not None
        marks = tuple(self._marks(began, ended))
        prices = [price for bar in bars for price in (bar.low, bar.high)]
        prices += [Decimal(mark.at[1]) for mark in marks]
        prices += [self.level] if self.level is not None else []
        if not bars:
            return None
        low, high = min(prices), max(prices)
        margin = max((high - low) / 20, pip(self._pair.buy) / 2)
        low, high = low - margin, high + margin
        return Picture(
            runs=tuple(tuple(_points(run)) for run in unbroken(bars)),
            began=float(began),
            ended=float(ended),
            low=float(low),
            high=float(high),
            levels=tuple(self._levels()),
            marks=marks,
            ticks=tuple(
                (float(price), str(self._digits(price)))
                for price in price_ticks(low, high, min(MOST_TICKS, max(2, self.size.height // 3)))
            ),
            times=tuple(_time_labels(began, ended, self.period, self._ui.zone)),
        )

    def _levels(self) -> Iterator[Level]:
        last = self._last()
        if last is not None:
            yield Level(float(last), f"{self._digits(last)}", Tone.FAINT, Tone.MONEY)
        for alert in self._ui.rate_alerts.alerts:
            if alert.pair == self._pair and alert.price in (self._side, Price.MID):
                yield Level(float(alert.level), _level_label(alert), Tone.CLOSING)
            elif alert.needs == (self.direction,) and (level := inverse(alert.level)):
                way = Direction.ABOVE if alert.way is Direction.BELOW else Direction.BELOW
                yield Level(float(level), f"{way} {self._digits(level)}", Tone.CLOSING)
        if (new := self.alert) is not None:
            yield Level(float(new.level), _level_label(new), Tone.INK)

    def _marks(self, began: Millis, ended: Millis) -> Iterator[Mark]:
        """Yield `B` where we bought the base and `S` where we sold it, at the booked rates."""
        pair, since, scope = self._pair, moment(began), self._ui.scope
        for trade in self._ui.store.trades.rows():
            rate, is_ours = trade.rate, scope in (None, trade.account_id)
            if pair is None or not (rate and is_ours and trade.created_at and counts(trade, since)):
                continue
            at = float(min(millis(trade.created_at), ended))
            if (trade.sell_currency, trade.buy_currency) == (pair.sell, pair.buy):
                yield Mark((at, float(rate)), "S", Tone.INK)
            elif (trade.sell_currency, trade.buy_currency) == (pair.buy, pair.sell):
                yield Mark((at, 1 / float(rate)), "B", Tone.INK)


def _level_label(alert: RateAlert) -> str:
    return f"{alert.way} {alert.level:f}"


def _points(run: list[Bar]) -> Iterator[Point]:
    """Yield the points of a line through the bars of a run: first, low, high and last of each."""
    for bar in run:
        ends = (bar.first, bar.last)
        yield float(bar.began), float(bar.first)
        for price in (bar.low, bar.high):
            if price not in ends:
                yield (bar.began + bar.ended) / 2, float(price)
        if bar.ended > bar.began:
            yield float(bar.ended), float(bar.last)


def _time_labels(
    began: Millis, ended: Millis, period: Period, zone: Zone
) -> Iterator[tuple[float, str]]:
    first, last = moment(began).astimezone(zone), moment(ended)
    tick: datetime = first.replace(hour=0, minute=0, second=0, microsecond=0)
    while tick <= last:
        if tick >= first:
            yield float(millis(tick)), f"{tick:{period.label}}"
        tick += period.tick
