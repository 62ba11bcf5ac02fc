"""1 Overview: how the desk is, what needs attention, balances, rates, and the day's trades."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from itertools import chain
from typing import Any

from textual.containers import Container, Horizontal
from textual.content import Content
from textual.widget import Widget

from paytui.domain.models import Kind, RateSheet
from paytui.domain.money import Pair
from paytui.domain.rates import sheet_left
from paytui.store import figures
from paytui.store.needs_attention import AttentionTarget
from paytui.store.rate_board import newest_sheets
from paytui.tui.base_screens import FRAME_CSS, MainPage
from paytui.tui.format.cells import Tone, rounded, toned
from paytui.tui.screens.overview_attention import AttentionPanel
from paytui.tui.screens.overview_balances import (
    ABOUT,
    ROOM_FOR_WORDS,
    BalancesPanel,
    DayHistory,
    FiguresPanel,
)
from paytui.tui.screens.overview_today import TodayPanel
from paytui.tui.times import clock_seconds
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets import rates
from paytui.tui.widgets.feeds import FeedHealth, counted
from paytui.tui.widgets.rate_chart import RateChart
from paytui.tui.widgets.text import SplitLine, TickingCell


class RatesPanel(FiguresPanel[Pair, rates.RateLine]):
    """The newest rates, with the countdown to their expiry."""

    def __init__(self, ui: UiContext) -> None:
        self.chart = RateChart(ui)
        self._rates = rates.RateList(ui, moved=self._show_chart)
        super().__init__(ui, "Rates", self._rates)

    @property
    def selected(self) -> Pair | None:
        return self._rates.direction

    def tick(self) -> None:
        """Show until when the sheet is valid, the number of alerts, or that no sheet comes."""
        ui = self.ui
        sheet, _ = newest_sheets(ui.store)
        alerts = len(ui.rate_alerts.alerts)
        words = toned(f"  {counted(alerts, 'alerts')} set" if alerts else "", Tone.MUTED)
        if ui.store.feed(Kind.RATE_SHEETS).problem is not None:
            words = toned("  no new sheet, see Rates", Tone.CLOSING)
        is_roomy = self.size.width >= ROOM_FOR_WORDS
        self.say(words if is_roomy else Content(), right=self._validity(sheet))
        self._rates.show()
        self._show_chart()

    def _validity(self, sheet: RateSheet | None) -> Content:
        """Return the time at which a sheet ends: it does not tick, as the first line does."""
        if sheet is None:
            return Content()
        left = sheet_left(self.ui.time, sheet)
        if left <= timedelta():
            return toned("expired", Tone.EXPIRED, bold=True)
        return toned(f"until {clock_seconds(sheet.expires_at, self.ui.zone)}", Tone.MUTED)

    def _show_chart(self) -> None:
        """Chart the pair under the cursor, if there is room."""
        if self.chart.parent is not None and self.chart.is_on_screen:
            line = self._rates.selected
            self.chart.show(line.pair if line else None, self._rates.side)
            self.chart.follow()


# The first line


Part = tuple[str, tuple[Content, ...]]
"""The name of a part of the first line, and its forms, from the longest to the shortest."""


class Headline(Horizontal):
    """The state of the desk in one line: total, change, exposure, shorts, expiry, items that wait.

    If the line is short, words are dropped first, then what matters least.
    """

    def __init__(self) -> None:
        self._words, self._ends, self._items = SplitLine(), TickingCell(), TickingCell()
        super().__init__(self._words, self._ends, self._items, classes="headline")
        self._parts: dict[str, tuple[Content, ...]] = {}
        self._left = Content()

    def tell(self, parts: dict[str, tuple[Content, ...]], left: Content) -> None:
        """Show parts by name, each from its longest form to its shortest; `left` is of `expiry`."""
        if not (left.is_same(self._left) and _is_same(parts, self._parts)):
            self._parts, self._left = parts, left
            self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        width = self.size.width - self._left.cell_length
        shown = {name: forms[-1] for name, forms in self._parts.items()}
        for name in _LEAST_FIRST:
            if name in shown and _length(shown) > width:
                del shown[name]
        for name in reversed(_LEAST_FIRST):  # the longest form that there is room for
            for words in reversed(self._parts[name] if name in shown else ()):
                if _length(longer := {**shown, name: words}) <= width:
                    shown = longer
        left = [words for name, words in shown.items() if name not in _AT_THE_RIGHT]
        right = [shown[name] for name in ("feeds", "expiry") if name in shown]
        self._words.say(" " + _joined(left), _joined(right))
        self._ends.show(self._left if "expiry" in shown else Content())
        self._items.show(_BETWEEN + shown["items"] + " " if "items" in shown else Content())


_LEAST_FIRST = ("feeds", "exposure", "change", "total", "expiry", "trouble", "shorts", "items")
_AT_THE_RIGHT = frozenset({"feeds", "expiry", "items"})
_BETWEEN = "   "


def _is_same(one: dict[str, tuple[Content, ...]], other: dict[str, tuple[Content, ...]]) -> bool:
    forms, others = (list(chain(*parts.values())) for parts in (one, other))
    return (
        [*one] == [*other]
        and len(forms) == len(others)
        and all(map(Content.is_same, forms, others))
    )


def _joined(parts: Iterable[Content]) -> Content:
    """Join parts; Textual 8.2.8 would count a separator that was measured before once too often."""
    return Content(_BETWEEN).join(parts)


def _length(shown: dict[str, Content]) -> int:
    words = sum(part.cell_length for part in shown.values())
    return words + len(_BETWEEN) * (len(shown) - 1) + 2


NARROW, WIDE, WIDEST = 72, 116, 176
"""Cells from which panels stand side by side, are framed, and have the same width."""

_LEFT = (45, 55)  # Cells of balances, without and with frames
TITLES, FRAMED = 2, 3  # Lines of a panel beside its rows
FEWEST = 4  # Lines of a panel, at least
CHART = 12  # Lines that are left from which a chart fills them
FIGURES = 6  # Lines of balances, at least: the total and three currencies


class PanelGrid(Container):
    """The panels, each with as many lines as it fills, the most important first.

    Below other sizes, `-narrow` has them one below the other, and without rates. While the cursor
    is in a lower panel nothing moves.
    """

    def __init__(self, panels: Sequence[FiguresPanel[Any, Any]], chart: RateChart) -> None:
        super().__init__(*panels, chart, id="panels")
        self._panels, self._chart = panels, chart
        self._arranged: tuple[object, ...] = ()

    def on_resize(self) -> None:
        self._arranged = ()
        self.share_out()

    def share_out(self) -> None:
        """Share out the lines again, if the panels need others."""
        panels = self._panels
        wanted = tuple(panel.rows_wanted for panel in panels)
        is_below = any(panel.ledger.has_focus for panel in panels[1:])
        if wanted == self._arranged or (is_below and self._arranged) or not self.size.height:
            return
        self._arranged = wanted
        width, height = self.screen.size.width, self.size.height
        if width < NARROW:
            self._stack(wanted, height)
            return
        over = TITLES if width < WIDE else FRAMED
        attention, balances, board, today = (max(FEWEST, rows + over) for rows in wanted)
        if width < WIDE:
            attention = min(attention, height - FIGURES - FEWEST)
            rest = height - attention
            needed = max(balances, board, FIGURES)
            below = max(min(today, rest - FIGURES), rest - needed)
            rows: tuple[int, ...] = (attention, rest - below, below)
        else:
            attention = min(attention, height - 2 * (FIGURES + 1))
            rest = height - attention
            upper = min(max(board, FIGURES + 1), rest - FIGURES)
            rows = (attention, upper, min(rest - upper, max(today, balances - upper)))
        self._chart.display = height - sum(rows) >= CHART
        rows = (*rows, height - sum(rows)) if self._chart.display else rows
        self.styles.grid_rows = " ".join(map(str, rows))
        self.styles.grid_columns = "1fr 1fr" if width >= WIDEST else f"{_LEFT[width >= WIDE]} 1fr"
        for panel in panels:
            panel.display, panel.styles.height = True, "1fr"

    def _stack(self, wanted: tuple[int, ...], height: int) -> None:
        attention, balances, _, today = (rows + TITLES for rows in wanted)
        upper = min(max(attention, FEWEST), height)
        below = min(today, max(0, height - upper - balances))
        middle = height - upper - below
        heights = (upper, middle, 0, below if below >= FEWEST else 0)
        if not heights[3]:
            heights = (upper, height - upper, 0, 0)
        for panel, lines in zip(self._panels, heights, strict=True):
            panel.display = lines > TITLES
            panel.styles.height = lines
        self._chart.display = False


class OverviewPage(MainPage):
    """Panels of figures; each recomputes only after its inputs changed."""

    CSS_PATH = [FRAME_CSS, "overview.tcss"]  # noqa: RUF012  (Textual's way; never written to)
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  (Textual's way; never written to)
        (0, "-narrow"),
        (NARROW, "-normal"),
        (WIDE, "-wide"),
    ]

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui, "overview")
        self._headline = Headline()
        self._day = DayHistory(ui)
        self._attention = AttentionPanel(ui, self.dashboard.open_link)
        self._balances = BalancesPanel(ui, self._day)
        self._rates = RatesPanel(ui)
        self._today = TodayPanel(ui, self._day)
        self._panels = (self._attention, self._balances, self._rates, self._today)
        self._feeds = FeedHealth(ui)
        self._did_decide = False
        self._page = PanelGrid(self._panels, self._rates.chart)

    def body(self) -> Iterator[Widget]:
        yield self._headline
        yield self._page
        yield self._feeds

    @property
    def selected(self) -> object | None:
        for panel in self._panels:
            if panel.ledger.has_focus:
                return panel.selected
        return None

    def is_quiet(self, action: str) -> bool:
        """Return True for `decide` without an intent to decide."""
        is_quiet = action == "decide" and not self._decides
        return is_quiet or super().is_quiet(action)

    @property
    def _decides(self) -> bool:
        return any(item.place is AttentionTarget.INTENT for item in self._attention.items)

    def visit(self) -> None:
        self._attention.put_away()

    async def pull(self) -> None:
        await super().pull()
        await self._pull_panels()
        if await self._day.pull(self._today.traded):
            await self._pull_panels()
        self._follow()

    async def _pull_panels(self) -> None:
        for panel in self._panels:
            await panel.pull()

    def tick(self) -> None:
        super().tick()
        for panel in self._panels:
            panel.tick()
        self._follow()

    def _follow(self) -> None:
        """Show what follows from the panels: first line, feeds, and the room for each panel."""
        self._feeds.show()
        if self._decides != self._did_decide:
            self._did_decide = self._decides
            self.refresh_bindings()
        parts, ends = dict(self._parts()), Content()
        if (expiry := self._next_expiry()) is not None:
            left, what = expiry
            tone: Tone = rates.phase(left).value
            words = rates.countdown_words(left).removeprefix("valid ")
            ends_in = f"{what} {'end' if what.endswith('s') else 'ends'} in "
            parts["expiry"] = (toned(ends_in, Tone.MUTED), toned(f"{what} ", Tone.MUTED))
            ends = toned(words, tone, bold=True)
        self._headline.tell(parts, ends)
        self._page.share_out()

    # The first line

    def _parts(self) -> Iterator[Part]:
        feeds = self._feeds.phrase
        is_trouble = any(form.tone is not Tone.MUTED for form in feeds)
        state = tuple(toned(form.text, form.tone, bold=is_trouble) for form in feeds)
        if is_trouble:  # first, for all figures depend on it
            yield "trouble", state
        yield from self._worth_parts()
        yield from self._position_parts()
        if feeds and not is_trouble and not self._feeds.display:
            yield "feeds", state
        count = self._attention.open_count
        if count:
            number = f"{count:,}+ items" if is_trouble else counted(count, "items")
            items = toned(number, Tone.CLOSING, bold=True)
            verb = "needs" if number == "1 item" else "need"
            yield "items", (items + toned(f" {verb} attention", Tone.CLOSING), items)
        elif count == 0 and is_trouble:
            yield "items", (toned("0+ items", Tone.MUTED),)
        elif count == 0:
            yield "items", (toned("nothing needs attention", Tone.UP), toned("0 items", Tone.UP))

    def _worth_parts(self) -> Iterator[Part]:
        balances = self._balances
        worth, change = balances.worth, balances.change
        if worth is None or worth.available is None:
            return
        total = toned(f"{ABOUT}{rounded(worth.available)} {worth.currency}", bold=True)
        ccys = len(balances.positions)
        priced = part = Content()
        if worth.unpriced:
            priced = toned(f" in {ccys - worth.unpriced} of {ccys} ccys", Tone.CLOSING)
            part = toned(f" +{counted(worth.unpriced, 'ccys')}", Tone.CLOSING)
        available = toned(" available", Tone.MUTED)
        plus = toned(f" +{worth.unpriced:,}" if worth.unpriced else "", Tone.CLOSING)
        yield "total", (total + available + priced, total + priced, total + part, total + plus)
        if change is not None:
            sign = f"{'▲ +' if change > 0 else '▼ ' if change < 0 else '= '}{rounded(change)}"
            tone = Tone.UP if change > 0 else Tone.DOWN if change < 0 else Tone.MUTED
            since = self._day.since_words or "today"
            told = (toned(f" {word} {since}", Tone.MUTED) for word in ("available", "avail."))
            yield "change", tuple(toned(sign, tone) + words for words in told)

    def _position_parts(self) -> Iterator[Part]:
        """Yield the largest exposure, and the currencies that are short."""
        balances = self._balances
        if not balances.are_known or not balances.positions:
            return
        worth = None if balances.lacking else balances.worth
        largest = figures.largest_exposure(balances.positions, worth)
        if (
            largest is not None
            and worth is not None
            and largest.net is not None
            and largest.net > 0
        ):
            value = rounded(worth.worth[largest.currency])
            long = toned(f"{rounded(largest.net)} {largest.currency}")
            yield (
                "exposure",
                (
                    toned("largest exposure ", Tone.MUTED)
                    + long
                    + toned(f" {ABOUT}{value}", Tone.MUTED),
                    toned("largest exposure ", Tone.MUTED) + long,
                ),
            )
        short = figures.shorts(balances.positions)
        if not short:
            yield "shorts", self._no_shorts()
            return
        amounts = [f"{rounded(-(one.net or Decimal(0)))} {one.currency}" for one in short]
        codes = [one.currency for one in short]
        yield (
            "shorts",
            (
                toned(f"net short {', '.join(amounts)}", Tone.DOWN, bold=True),
                toned(f"short {', '.join(amounts)}", Tone.DOWN, bold=True),
                toned(f"short {', '.join(codes)}", Tone.DOWN, bold=True),
                toned(f"short {_first(codes)}", Tone.DOWN, bold=True),
            ),
        )

    def _no_shorts(self) -> tuple[Content, ...]:
        """Return that nothing is short, unless net positions leave something out."""
        if lacking := self._balances.lacking:
            words = f"short positions unknown, {lacking}", "shorts unknown"
            return tuple(toned(word, Tone.CLOSING) for word in words)
        return toned("no short position", Tone.MUTED), toned("no shorts", Tone.MUTED)

    def _next_expiry(self) -> tuple[timedelta, str] | None:
        """Return what ends next: a rate that an instruction holds, or the live sheet."""
        now = self.ui.time.latest()
        held = [item.expires_at - now for item in self._attention.items if item.expires_at]
        sheet, _ = newest_sheets(self.ui.store)
        ends = [(left, "held rate") for left in held if left > timedelta()]
        if sheet is not None:
            ends.append((sheet_left(self.ui.time, sheet), "rates"))
        return min(ends, default=None)


def _first(names: Sequence[str]) -> str:
    """Return the first name, and the number of others: `NOK +2`."""
    first, *others = names
    return f"{first} +{len(others)}" if others else first
