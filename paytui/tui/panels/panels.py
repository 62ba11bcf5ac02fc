"""The panels of the overview: attention, rates and the day's trades, and their base class."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Generic, TypeVar

from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from paytui.domain.models import Kind, State, Trade, TradeId
from paytui.domain.money import MISSING, Pair, format_amount, significant
from paytui.domain.rates import sheet_left
from paytui.store.relations import account_of
from paytui.store.table import Follower, Subset
from paytui.store.views import newest_sheets
from paytui.store.views.attention import (
    Attention,
    AttentionCandidates,
    AttentionTarget,
    Urgency,
    attention_is_known,
    needs_attention,
)
from paytui.store.views.figures import TradedTotal, counts, traded_totals
from paytui.tui.context import UiContext
from paytui.tui.format.cells import state_words
from paytui.tui.format.countdown import Phase, countdown_words, phase
from paytui.tui.format.feeds import counted, empty_words, feed_words
from paytui.tui.format.times import age
from paytui.tui.rate_alerts import AlertWatch
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import DataList
from paytui.tui.theme.themes import Cell, Tone, toned
from paytui.tui.widgets.rates import (
    CountdownCell,
    RateLine,
    RateList,
    change_column,
    market_columns,
    pair_column,
    rate_column,
)
from paytui.tui.widgets.text import SplitLine
from paytui.tui.wizards.protocol import Wizard

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class Panel(Vertical, Generic[K, R]):
    """A title and a list; `recompute()` fills it, `tick()` follows the clock.

    Args:
        heading: the panel's title.
        ledger: the list.
    """

    def __init__(self, desk: UiContext, heading: str, ledger: DataList[K, R]) -> None:
        super().__init__()
        self.desk = desk
        self.ledger = ledger
        self._heading = toned(f" {heading}", bold=True)
        self._title = SplitLine(classes="title")
        self._seen: tuple[object, ...] | None = None

    def compose(self) -> Iterator[Widget]:
        yield self._title
        yield self.ledger

    @property
    def selected(self) -> object | None:
        """Return the object under the cursor, for a wizard to start from; None if there is none."""
        return None

    @property
    def followers(self) -> tuple[Follower, ...]:
        """Return the followers of the tables that the figures are computed from."""
        return ()

    def inputs(self) -> tuple[object, ...]:
        """Return a value that changes whenever the figures have to be recomputed."""
        raise NotImplementedError

    async def prepare(self) -> None:
        """Do the slow part of recomputing, in slices."""

    def recompute(self) -> None:
        """Compute and show the figures."""
        raise NotImplementedError

    def tick(self) -> None:
        """Update the words that depend on time alone."""

    async def pull(self) -> None:
        """Take in changes, a slice at a time, so that keys are handled in between."""
        for follower in self.followers:
            more = True
            while more:
                more = follower.take_in()
                await asyncio.sleep(0)
        seen = self.inputs()
        if seen != self._seen:
            self._seen = seen
            await self.prepare()
            self.recompute()
        self.tick()

    def say(self, *words: Content, right: Content = Content()) -> None:  # noqa: B008  (immutable)
        """Set the title: the heading, words after it, and words at the right edge."""
        self._title.say(Content("").join([self._heading, *words]), right)


Key = tuple[AttentionTarget, Kind, str, Urgency, str]

_SIGNS = {
    Urgency.DOUBT: Cell("?", Tone.DOUBT),
    Urgency.ALERT: Cell("!!", Tone.DOWN),
    Urgency.ALARM: Cell("!!", Tone.DOWN),
    Urgency.WARNING: Cell("!", Tone.CLOSING),
    Urgency.NOTICE: Cell("·", Tone.MUTED),
}


def attention_key(item: Attention) -> Key:
    """Return a key that is unique to a row; it leaves out words that only tell the time."""
    matter = item.matter if item.place is AttentionTarget.INTENT else ""
    return item.place, item.kind, item.key, item.urgency, str(matter)


def attention_columns(desk: UiContext) -> tuple[Column[Attention], ...]:
    """Return the columns; the most urgent and newest rows come first."""
    return (
        Column(
            title="",
            cell=lambda item: _SIGNS[item.urgency],
            width=2,
            key=lambda item: (item.urgency, item.since is not None, item.since),
        ),
        Column(title="What", cell=lambda item: Cell(item.subject), width=10, grows=True, most=32),
        Column(
            title="Amount", cell=lambda item: Cell(item.amount), width=6, whole=True, right=True
        ),
        Column(title="Issue", cell=_matter, width=11, grows=True),
        Column(
            title="Since",
            cell=lambda item: _since(desk, item),
            width=6,
            right=True,
            gives_way=1,
        ),
    )


def _matter(item: Attention) -> Cell:
    words = state_words(item.matter) if isinstance(item.matter, State) else item.matter
    return Cell(words, _SIGNS[item.urgency].tone)


def _since(desk: UiContext, item: Attention) -> Cell:
    period = "" if item.since is None else age(desk.time.latest() - item.since)
    return Cell(period, Tone.MUTED)


LOOK_EVERY = 5.0
"""Seconds between full checks: some rows come to need attention with time alone."""


class AttentionPanel(Panel[Key, Attention]):
    """Matters that need the trader, the most urgent first; enter opens the place to act."""

    def __init__(self, desk: UiContext) -> None:
        ledger: DataList[Key, Attention] = DataList(
            attention_columns(desk),
            attention_key,
            sort="",
            descending=True,
            opened=self._go_to,
        )
        super().__init__(desk, "Needs attention", ledger)
        self._suspects = AttentionCandidates(desk.store, desk.settings.floors)
        self._looked_at = desk.time.clock.boot()
        self._local_items: tuple[Attention, ...] = ()

    def _go_to(self, item: Attention) -> None:
        from paytui.tui.screens.links import go_to

        go_to(self.app, self.desk, item)

    @property
    def followers(self) -> tuple[Follower, ...]:
        return self._suspects.followers

    def inputs(self) -> tuple[object, ...]:
        """Return the versions of the suspects and of the feeds' health, and the scope."""
        versions = (follower.version for follower in self.followers)
        return (*versions, self.desk.store.health_version, self.desk.scope)

    def recompute(self) -> None:
        desk = self.desk
        self._looked_at = desk.time.clock.boot()
        self._local_items = tuple(_local_items(desk))
        items = [
            *self._local_items,
            *needs_attention(self._suspects, desk.time.latest(), desk.scope),
        ]
        self.ledger.replace(items)
        known = attention_is_known(desk.store)
        nothing = toned("  nothing", Tone.UP) if known else toned("  not known yet", Tone.MUTED)
        self.say(toned(f"  {len(items):,}", Tone.CLOSING) if items else nothing)
        self.ledger.placeholder(
            "Nothing needs you now." if known else "Not known yet: not every list was read."
        )

    def tick(self) -> None:
        """Recompute when a check is due or an alert or wizard changed; update ages."""
        is_time = self.desk.time.clock.boot() - self._looked_at >= LOOK_EVERY
        if is_time or self._local_items != tuple(_local_items(self.desk)):
            self.recompute()
        self.ledger.settle()


def _local_items(desk: UiContext) -> Iterator[Attention]:
    """Yield matters that only this dashboard knows of."""
    yield from _of_alerts(desk.rate_alerts)
    yield from _of_wizards(desk.opened)


def _of_alerts(watch: AlertWatch) -> Iterator[Attention]:
    """Yield rate alerts that crossed their level, and those that no rate sheet prices."""
    kind, place = Kind.RATE_SHEETS, AttentionTarget.LIST
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


def _of_wizards(opened: Mapping[Wizard, str]) -> Iterator[Attention]:
    """Yield wizards whose rate is about to expire, or has."""
    for wizard, mode in opened.items():
        view = wizard.view()
        if view.left is None or phase(view.left) is Phase.CALM:
            continue
        yield Attention(
            Urgency.NOTICE if phase(view.left) is Phase.EXPIRED else Urgency.WARNING,
            Kind.RATE_SHEETS,
            mode,
            f"{view.title.lower()} left open",
            f"its rate: {countdown_words(view.left)}",
            place=AttentionTarget.WIZARD,
        )


ROOMY = 50
"""Cells from which there is room for words beside the countdown."""


class RatesPanel(Panel[Pair, RateLine]):
    """The newest rates, with the countdown to their expiry."""

    def __init__(self, desk: UiContext) -> None:
        pair = replace(pair_column(), title="Sell/Buy", width=9)  # so that 80 cells hold the change
        columns = (pair, rate_column(), change_column(), *market_columns())
        self._rates = RateList(desk, columns)
        super().__init__(desk, "Rates", self._rates)
        self._countdown = CountdownCell()

    def compose(self) -> Iterator[Widget]:
        """Yield the title with the countdown, and the list."""
        yield Horizontal(self._title, self._countdown, classes="titles")
        yield self.ledger

    @property
    def selected(self) -> Pair | None:
        """Return the pair under the cursor."""
        line = self.ledger.selected
        return None if line is None else line.pair

    def inputs(self) -> tuple[object, ...]:
        """Return the state that the title shows; the list compares for itself."""
        return (self._fails,)

    @property
    def _fails(self) -> bool:
        return self.desk.store.feed(Kind.RATE_SHEETS).problem is not None

    def recompute(self) -> None:
        """Set the title: the number of alerts, or that no new sheet comes."""
        waiting = len(self.desk.settings.alerts.when)
        is_roomy = self.size.width >= ROOMY
        if self._fails and is_roomy:
            self.say(toned("  no new sheet, see Rates", Tone.CLOSING))
            return
        is_told = waiting and is_roomy
        self.say(toned(f"  {counted(waiting, 'alerts')} set" if is_told else "", Tone.MUTED))

    def on_resize(self) -> None:
        """Set the title again: there may be more or less room."""
        self.recompute()

    def tick(self) -> None:
        """Update the countdown and the rates."""
        sheet, _ = newest_sheets(self.desk.store)
        self._countdown.show(None if sheet is None else sheet_left(self.desk.time, sheet))
        self._rates.show()


class TodayPanel(Panel[Pair, TradedTotal]):
    """The day's trades by pair and direction, with average rates; enter opens the trades."""

    def __init__(self, desk: UiContext) -> None:
        ledger: DataList[Pair, TradedTotal] = DataList(
            _columns(desk),
            lambda line: line.pair,
            sort="Pair",
            unseen=(Column(title="Pair", cell=_pair, width=7, key=lambda line: line.pair),),
            opened=lambda _: self.app.switch_mode("trades"),
        )
        super().__init__(desk, "Today", ledger)
        self._began, self._trades = self._today()

    @property
    def selected(self) -> Pair | None:
        """Return the pair under the cursor."""
        line = self.ledger.selected
        return None if line is None else line.pair

    @property
    def followers(self) -> tuple[Follower, ...]:
        return (self._trades,)

    async def pull(self) -> None:
        """Take in changes; a new day begins with no trades."""
        if self._is_over():
            self._began, self._trades = self._today()
        await super().pull()

    def inputs(self) -> tuple[object, ...]:
        """Return the versions of the day's trades, wallets and feeds, and the scope."""
        store = self.desk.store
        versions = (self._trades.version, store.wallets.version, store.health_version)
        return (self._began, *versions, self.desk.scope)

    def recompute(self) -> None:
        scope, store = self.desk.scope, self.desk.store
        trades = self._trades.rows()
        mine = [one for one in trades if scope is None or account_of(store, one) == scope]
        self.ledger.replace(traded_totals(mine))
        self.ledger.placeholder(self._nothing())

    def tick(self) -> None:
        """Update the title, and begin a new day when it starts."""
        desk = self.desk
        if self._is_over():
            self.call_later(self.pull)
        since = toned(f"  since {desk.settings.overview.day_starts.short}", Tone.MUTED)
        words = feed_words(desk, Kind.TRADES, len(desk.store.trades))
        counted = Cell("excludes rejected trades ", Tone.FAINT)
        said = words if words.text else counted
        self.say(since, right=toned(said.text, said.tone))

    def _is_over(self) -> bool:
        return self._begin() != self._began

    def _begin(self) -> datetime:
        return self.desk.settings.overview.day_starts.begun(self.desk.time.latest())

    def _today(self) -> tuple[datetime, Subset[TradeId, Trade]]:
        began = self._begin()
        return began, Subset(self.desk.store.trades, lambda trade: counts(trade, began))

    def _nothing(self) -> str:
        if not self.desk.store.feed(Kind.TRADES).ok:
            return empty_words(self.desk, Kind.TRADES)
        whose = "" if self.desk.scope is None else " by this account"
        return f"Nothing was dealt{whose} since {self.desk.settings.overview.day_starts.short}."


def _columns(desk: UiContext) -> tuple[Column[TradedTotal], ...]:
    return (
        Column(
            title="Sold",
            cell=lambda line: Cell(f"{format_amount(line.sold, line.pair.sell)} {line.pair.sell}"),
            width=12,
            whole=True,
            right=True,
        ),
        Column(
            title="Bought",
            cell=lambda line: Cell(f"{format_amount(line.bought, line.pair.buy)} {line.pair.buy}"),
            width=12,
            whole=True,
            right=True,
        ),
        Column(
            title="Avg rate",
            cell=_average,
            width=16,
            whole=True,
            right=True,
            gives_way=1,
        ),
        Column(title="Trades", cell=_trades, width=6, whole=True, gives_way=2),
        Column(
            title="Market",
            cell=lambda line: _market(desk, line),
            width=16,
            whole=True,
            gives_way=3,
        ),
    )


def _pair(line: TradedTotal) -> Cell:
    return Cell(f"{line.pair.sell}>{line.pair.buy}")


def _average(line: TradedTotal) -> Cell:
    if line.average is None:
        return Cell(MISSING, Tone.FAINT)
    return Cell(f"{significant(line.average)} {line.pair.buy}")


def _trades(line: TradedTotal) -> Cell:
    words = f"{line.trades:,}"
    if line.open:
        words += f", {line.open:,} open"
    if line.untold:
        return Cell(f"{words}, {line.untold:,} without amounts", Tone.CLOSING)
    return Cell(words, Tone.MUTED)


def _market(desk: UiContext, line: TradedTotal) -> Cell:
    """Return the average as the market writes it, base first."""
    order = desk.settings.rates.desk_order
    average = line.average if line.pair.sells_base(order) else line.turned
    if average is None:
        return Cell(MISSING, Tone.FAINT)
    return Cell(f"{line.pair.market(order)} {significant(average)}", Tone.MUTED)
