"""1 Overview: attention, balances, rates, the day's trades, and the state of feeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from textual.containers import Container, Horizontal
from textual.widget import Widget

from paytui.domain.attention import AttentionKey
from paytui.domain.models import Kind, State
from paytui.domain.money import Pair
from paytui.domain.rates import sheet_left
from paytui.store.figures import newest_sheets
from paytui.store.needs_attention import (
    Attention,
    AttentionCandidates,
    AttentionTarget,
    Urgency,
    attention_is_known,
    attention_key,
    needs_attention,
)
from paytui.store.table import Subset
from paytui.tui.base_screens import FRAME_CSS, MainPage
from paytui.tui.format.cells import state_words
from paytui.tui.format.feeds import counted
from paytui.tui.screens.overview_figures import BalancesPanel, Panel, TodayPanel
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import DataList
from paytui.tui.theme.tones import Cell, Tone, toned
from paytui.tui.times import age
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets import rates
from paytui.tui.widgets.feeds import FeedHealth

_SIGNS = {
    Urgency.DOUBT: Cell("?", Tone.DOUBT),
    Urgency.ALERT: Cell("!!", Tone.DOWN),
    Urgency.ALARM: Cell("!!", Tone.DOWN),
    Urgency.WARNING: Cell("!", Tone.CLOSING),
    Urgency.NOTICE: Cell("·", Tone.MUTED),
}


def attention_columns(ui: UiContext) -> tuple[Column[Attention], ...]:
    """Return the columns; the most urgent and newest rows come first."""
    return (
        Column(
            title="",
            cell=lambda item: _SIGNS[item.urgency],
            width=2,
            key=lambda item: (item.urgency, item.since is not None, item.since),
        ),
        Column(title="Item", cell=lambda item: Cell(item.subject), width=10, grows=True, most=32),
        Column(
            title="Amount", cell=lambda item: Cell(item.amount), width=6, whole=True, right=True
        ),
        Column(title="Issue", cell=_matter, width=11, grows=True),
        Column(
            title="Since",
            cell=lambda item: _since(ui, item),
            width=6,
            right=True,
            gives_way=1,
        ),
    )


def _matter(item: Attention) -> Cell:
    words = state_words(item.matter) if isinstance(item.matter, State) else item.matter
    return Cell(words, _SIGNS[item.urgency].tone)


def _since(ui: UiContext, item: Attention) -> Cell:
    period = "" if item.since is None else age(ui.time.latest() - item.since)
    return Cell(period, Tone.MUTED)


LOOK_EVERY = 5.0  # Seconds between full checks: some rows come to need attention with time alone


class AttentionPanel(Panel[AttentionKey, Attention]):
    """Matters that need the trader, the most urgent first; enter opens the place to act."""

    def __init__(self, ui: UiContext, opened: Callable[[Attention], object]) -> None:
        ledger: DataList[AttentionKey, Attention] = DataList(
            attention_columns(ui),
            attention_key,
            sort="",
            descending=True,
            opened=opened,
        )
        super().__init__(ui, "Needs attention", ledger)
        self._suspects = AttentionCandidates(ui.store, ui.settings.floors)
        self._looked_at = ui.time.clock.boot()
        self._local_items: tuple[Attention, ...] = ()

    @property
    def selected(self) -> Attention | None:
        return self.ledger.selected

    @property
    def followers(self) -> tuple[Subset[Any, Any], ...]:
        return self._suspects.followers

    def inputs(self) -> tuple[object, ...]:
        versions = (follower.version for follower in self.followers)
        return (*versions, self.ui.store.health_version, self.ui.scope)

    def recompute(self) -> None:
        ui = self.ui
        self._looked_at = ui.time.clock.boot()
        self._local_items = tuple(_local_items(ui))
        items = [
            *self._local_items,
            *needs_attention(self._suspects, ui.time.latest(), ui.scope),
        ]
        self.ledger.replace(items)
        known = attention_is_known(ui.store)
        nothing = toned("  nothing", Tone.UP) if known else toned("  not known yet", Tone.MUTED)
        self.say(toned(f"  {len(items):,}", Tone.CLOSING) if items else nothing)
        self.ledger.placeholder(
            "Nothing needs attention." if known else "Unknown until every list is read."
        )

    def tick(self) -> None:
        """Recompute when a check is due or an alert changed; update ages."""
        is_time = self.ui.time.clock.boot() - self._looked_at >= LOOK_EVERY
        if is_time or self._local_items != tuple(_local_items(self.ui)):
            self.recompute()
        self.ledger.settle()


def _local_items(ui: UiContext) -> Iterator[Attention]:
    """Yield rate alerts that crossed their level, and those that no rate sheet prices."""
    kind, place, watch = Kind.RATE_SHEETS, AttentionTarget.LIST, ui.rate_alerts
    for crossing in watch.standing:
        alert = crossing.alert
        yield Attention(
            Urgency.WARNING,
            kind,
            str(alert),
            alert.name,
            alert.level_words,
            crossing.at,
            place,
            crossing.price_words,
        )
    for alert in watch.unpriced:
        name = f"alert {alert.name}"
        yield Attention(Urgency.NOTICE, kind, str(alert), name, "not priced", place=place)


ROOMY = 50  # Cells from which there is room for words beside the countdown


class RatesPanel(Panel[Pair, rates.RateLine]):
    """The newest rates, with the countdown to their expiry."""

    def __init__(self, ui: UiContext) -> None:
        pair = replace(
            rates.pair_column(), title="Sell/Buy", width=9
        )  # so that 80 cells hold the change
        columns = (pair, rates.rate_column(), rates.change_column(), *rates.market_columns())
        self._rates = rates.RateList(ui, columns)
        super().__init__(ui, "Rates", self._rates)
        self._countdown = rates.CountdownCell()

    def compose(self) -> Iterator[Widget]:
        yield Horizontal(self._title, self._countdown, classes="titles")
        yield self.ledger

    @property
    def selected(self) -> Pair | None:
        line = self.ledger.selected
        return None if line is None else line.pair

    def inputs(self) -> tuple[object, ...]:
        """Return the state that the title shows; the list compares for itself."""
        return (self._fails,)

    @property
    def _fails(self) -> bool:
        return self.ui.store.feed(Kind.RATE_SHEETS).problem is not None

    def recompute(self) -> None:
        """Set the title: the number of alerts, or that no new sheet comes."""
        waiting = len(self.ui.settings.alerts.when)
        is_roomy = self.size.width >= ROOMY
        if self._fails and is_roomy:
            self.say(toned("  no new sheet, see Rates", Tone.CLOSING))
            return
        is_told = waiting and is_roomy
        self.say(toned(f"  {counted(waiting, 'alerts')} set" if is_told else "", Tone.MUTED))

    def on_resize(self) -> None:
        self.recompute()

    def tick(self) -> None:
        sheet, _ = newest_sheets(self.ui.store)
        self._countdown.show(None if sheet is None else sheet_left(self.ui.time, sheet))
        self._rates.show()


class OverviewPage(MainPage):
    """Panels of figures; each recomputes only after its inputs changed."""

    CSS_PATH = [FRAME_CSS, "overview.tcss"]  # noqa: RUF012  (Textual's way; never written to)
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012  (Textual's way; never written to)
        (0, "-narrow"),
        (72, "-normal"),
        (120, "-wide"),  # with less, panels side by side would cut names
    ]
    WATCHES_RATES = True

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui, "overview")
        self._panels = (
            AttentionPanel(ui, self.open_link),
            BalancesPanel(ui),
            RatesPanel(ui),
            TodayPanel(ui),
        )
        self._feeds = FeedHealth(ui)

    def body(self) -> Iterator[Widget]:
        yield Container(*self._panels, id="panels")
        yield self._feeds

    @property
    def selected(self) -> object | None:
        for panel in self._panels:
            if panel.ledger.has_focus:
                return panel.selected
        return None

    async def pull(self) -> None:
        await super().pull()
        for panel in self._panels:
            await panel.pull()
        self._feeds.show()

    def tick(self) -> None:
        super().tick()
        for panel in self._panels:
            panel.tick()
        self._feeds.show()
