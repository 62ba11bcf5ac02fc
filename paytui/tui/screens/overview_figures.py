"""The overview's panels of figures: balances with net positions, and the day's trades."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Generic, TypeVar

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from paytui.domain.models import Kind, Payment, PaymentId, RateSheet, Trade, TradeId
from paytui.domain.money import MISSING, CurrencyCode, Pair, format_amount, significant
from paytui.store import figures
from paytui.store.health import Feed
from paytui.store.names import account_of
from paytui.store.rate_board import newest_sheets
from paytui.store.table import SLICE, Subset
from paytui.tui.format.cells import amount_cell
from paytui.tui.format.feeds import counted, empty_words, feed_words, how_old, noun
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import balance_columns
from paytui.tui.table.data_list import DataList
from paytui.tui.theme.tones import Cell, Tone, toned
from paytui.tui.times import age
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.text import SplitLine, TextBlock

K = TypeVar("K", bound=Hashable)

R = TypeVar("R")


class Panel(Vertical, Generic[K, R]):
    """A title and a list; `recompute()` fills it, `tick()` follows the clock."""

    def __init__(self, ui: UiContext, heading: str, ledger: DataList[K, R]) -> None:
        super().__init__()
        self.ui = ui
        self.ledger = ledger
        self._heading = toned(f" {heading}", bold=True)
        self._title = SplitLine(classes="title")
        self._seen: tuple[object, ...] | None = None

    def compose(self) -> Iterator[Widget]:
        yield self._title
        yield self.ledger

    @property
    def selected(self) -> object | None:
        """Return the object under the cursor, for a ticket to start from; None if there is none."""
        return None

    @property
    def followers(self) -> tuple[Subset[Any, Any], ...]:
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


AGE_STEP = 30  # Seconds: the age of rates is shown in these steps, so that it does not tick
ABOUT = "≈"  # The sign before a total that is converted to one currency

UNDER_WAY = (Kind.TRADES, Kind.PAYMENTS)
"""The lists that net positions are computed from, beside the wallets."""


def unread_lists(ui: UiContext) -> list[Kind]:
    """Return the lists of open trades and payments that the service offers but nobody read yet."""
    feeds = map(ui.store.feed, UNDER_WAY)
    return [feed.kind for feed in feeds if feed.as_of is None and (feed.offered or feed.tracked)]


def all_wallets_known(ui: UiContext) -> bool:
    """Return True if the list of wallets was read whole, so that there are no others."""
    feed, held = ui.store.feed(Kind.WALLETS), len(ui.store.wallets)
    whole = not feed.skipped and not feed.cut and (feed.total is None or feed.total <= held)
    return feed.offered and feed.as_of is not None and whole


def missing_balances(held: Iterable[figures.CurrencyTotal]) -> str:
    """Return a note of currencies whose sums lack the balances of some wallets, or ""."""
    partly = [total for total in held if total.untold and total.available is not None]
    if not partly:
        return ""
    if len(partly) > 1:
        return f"{len(partly)} currencies lack balances"
    return f"{partly[0].currency} lacks {counted(partly[0].untold, 'balances')}"


def net_gaps(ui: UiContext, untold: int) -> str:
    """Return a short note of what net positions leave out, or ""."""
    feeds = [ui.store.feed(kind) for kind in UNDER_WAY]
    absent = [feed.kind for feed in feeds if not feed.offered and not feed.tracked]
    if unread := unread_lists(ui):
        return "net: " + (f"{noun(unread[0])} not read" if len(unread) == 1 else "lists not read")
    if absent:
        return "net " + (f"without {noun(absent[0])}" if len(absent) == 1 else "is balances only")
    if partly := next(filter(None, (_part(ui, feed) for feed in feeds)), ""):
        return f"net: {partly}"
    return f"net lacks {counted(untold, 'amounts')}" if untold else ""


def _part(ui: UiContext, feed: Feed) -> str:
    """Return the age of a cached list, or how much of it is held: `3 of 5,300 payments`; or ""."""
    if feed.cached:
        return f"{noun(feed.kind)} {how_old(ui, feed)}"
    held = len(ui.store.table(feed.kind))
    if feed.total is not None and feed.total > held + ui.store.left_out(feed.kind):
        return f"{held:,} of {feed.total:,} {noun(feed.kind)}"
    if feed.cut:
        return f"{noun(feed.kind)} cut short"
    return f"{feed.skipped:,} unreadable {noun(feed.kind)}" if feed.skipped else ""


def footnote(ui: UiContext, found: figures.Valuation, sheet: RateSheet | None) -> Content:
    """Return the rates used for the total, their age, and the currencies left out."""
    words = [f"{ABOUT}{found.currency}: {_rates_words(ui, sheet)}"]
    if found.without:
        words.append(f"without {', '.join(found.without)}: no rate")
    if found.untold:
        words.append(f"without {', '.join(found.untold)}: balance not sent")
    is_whole = not found.without and not found.untold
    return toned("; ".join(words), Tone.MUTED if is_whole else Tone.CLOSING)


def _rates_words(ui: UiContext, sheet: RateSheet | None) -> str:
    if sheet is None:
        return "no rates yet"
    old = int(ui.time.clock.boot() - sheet.sent_at) // AGE_STEP * AGE_STEP
    if old < AGE_STEP:
        return f"rates under {AGE_STEP} s old"
    return f"rates {age(timedelta(seconds=old))} old"


@dataclass(frozen=True, slots=True)
class BalanceLine:
    """The figures of one currency; or of all, converted to the reporting currency.

    Attributes:
        label: the code; with `≈` before it for the converted total.
        net: None if unknown.
        wallets: the number of wallets; None for the converted total.
        untold: the number of wallets without balances, which are in no sum.
    """

    label: str
    currency: CurrencyCode
    available: Decimal | None
    net: Decimal | None
    reserved: Decimal | None = None
    pending: Decimal | None = None
    wallets: int | None = None
    untold: int = 0


class BalancesPanel(Panel[str, BalanceLine]):
    """Totals and net positions by currency."""

    def __init__(self, ui: UiContext) -> None:
        ledger: DataList[str, BalanceLine] = DataList(
            _balance_columns(),
            lambda line: line.label,
            sort="Ccy",
            opened=self._open_wallets,
        )
        super().__init__(ui, "Balances", ledger)
        self._trades = Subset[TradeId, Trade](ui.store.trades, figures.is_open_trade)
        self._payments = Subset[PaymentId, Payment](ui.store.payments, figures.is_open_payment)
        self._reporting = ui.settings.overview.reporting_currency
        self._footnote = TextBlock(classes="footnote")
        self._under_way = figures.PendingFlows(ui.store.wallets.get)
        self._worth: figures.Valuation | None = None
        self._untold = 0
        self._missing_balances = ""

    def compose(self) -> Iterator[Widget]:
        yield from super().compose()
        yield self._footnote

    def _open_wallets(self, line: BalanceLine) -> None:
        """Open the wallets of a currency, or of all for the converted total."""
        from paytui.tui.screens.wallets import WalletsPage

        self.app.switch_mode("wallets")
        if isinstance(page := self.app.screen, WalletsPage):
            # Once it is mounted; keys that are typed meanwhile come after.
            page.call_later(page.show_currency, line.currency if line.wallets is not None else None)

    @property
    def selected(self) -> CurrencyCode | None:
        line = self.ledger.selected
        return line.currency if line else None

    @property
    def followers(self) -> tuple[Subset[Any, Any], ...]:
        return (self._trades, self._payments)

    def inputs(self) -> tuple[object, ...]:
        store = self.ui.store
        sheets = store.rate_sheets.version if self._reporting else 0
        under_way = (self._trades.version, self._payments.version)
        return (store.wallets.version, *under_way, store.health_version, sheets, self.ui.scope)

    async def prepare(self) -> None:
        self._under_way = figures.PendingFlows(self.ui.store.wallets.get, self.ui.scope)
        rows: list[Trade | Payment] = [*self._trades.rows(), *self._payments.rows()]
        for place, row in enumerate(rows, 1):
            self._under_way.add(row)
            if not place % SLICE:
                await asyncio.sleep(0)

    def recompute(self) -> None:
        ui = self.ui
        held = figures.totals(ui.store.wallets.rows(), ui.scope)
        found = figures.positions(held, self._under_way, all_wallets=all_wallets_known(ui))
        self._untold = sum(position.untold for position in found)
        self._missing_balances = missing_balances(held)
        known = not unread_lists(ui)
        lines = [_line(position, known=known) for position in found]
        self._worth = None
        if self._reporting is not None and lines:
            sheet, _ = newest_sheets(ui.store)
            self._worth = figures.valuation(found, self._reporting, sheet)
            worth = self._worth
            label, net = f"{ABOUT}{worth.currency}", worth.net if known else None
            lines.append(BalanceLine(label, worth.currency, worth.available, net))
        self.ledger.replace(lines)
        self.ledger.placeholder(empty_words(ui, Kind.WALLETS))

    def tick(self) -> None:
        ui = self.ui
        words = feed_words(ui, Kind.WALLETS, len(ui.store.wallets))
        lacking = self._missing_balances or net_gaps(ui, self._untold)
        said = words if words.text else Cell(lacking, Tone.CLOSING)
        self.say(right=toned(said.text, said.tone))
        sheet, _ = newest_sheets(ui.store)
        self._footnote.show(footnote(ui, self._worth, sheet) if self._worth else Content())


def _balance_columns() -> tuple[Column[BalanceLine], ...]:
    columns: tuple[Column[BalanceLine], ...] = balance_columns(
        lambda line: line.currency,
        available=lambda line: line.available,
        reserved=lambda line: line.reserved,
        pending=lambda line: line.pending,
        gives_way=2,
    )
    available, *others = columns
    return (
        Column(
            title="Ccy",
            cell=lambda line: Cell(line.label),
            width=3,
            whole=True,
            key=lambda line: (line.wallets is not None, line.label),
        ),
        available,
        Column(
            title="Net position",
            cell=_net,
            width=12,
            whole=True,
            right=True,
            gives_way=1,
            key=lambda line: line.net,
        ),
        *others,
        Column(
            title="Wallets",
            cell=_wallets,
            width=7,
            right=True,
            gives_way=4,
            key=lambda line: line.wallets,
        ),
    )


def _net(line: BalanceLine) -> Cell:
    """Return the net position; short positions stand out."""
    cell = amount_cell(line.net, line.currency)
    return Cell(cell.text, Tone.DOWN) if line.net is not None and line.net < 0 else cell


def _wallets(line: BalanceLine) -> Cell:
    if line.wallets == 0 and line.available is None:
        return Cell(MISSING, Tone.FAINT)
    if line.wallets is not None and line.untold:
        return Cell(f"{line.wallets - line.untold:,} of {line.wallets:,}", Tone.CLOSING)
    return Cell("" if line.wallets is None else f"{line.wallets:,}", Tone.MUTED)


def _line(position: figures.Position, *, known: bool) -> BalanceLine:
    total = position.total
    return BalanceLine(
        total.currency,
        total.currency,
        total.available,
        position.net if known else None,
        total.reserved,
        total.pending,
        total.wallets,
        total.untold,
    )


class TodayPanel(Panel[Pair, figures.TradedTotal]):
    """The day's trades by pair and direction, with average rates; enter opens the trades."""

    def __init__(self, ui: UiContext) -> None:
        ledger: DataList[Pair, figures.TradedTotal] = DataList(
            _traded_columns(ui),
            lambda line: line.pair,
            sort="Pair",
            unseen=(
                Column(
                    title="Pair",
                    cell=lambda line: Cell(f"{line.pair.sell}>{line.pair.buy}"),
                    width=7,
                    key=lambda line: line.pair,
                ),
            ),
            opened=lambda _: self.app.switch_mode("trades"),
        )
        super().__init__(ui, "Today", ledger)
        self._began, self._trades = self._today()

    @property
    def selected(self) -> Pair | None:
        line = self.ledger.selected
        return None if line is None else line.pair

    @property
    def followers(self) -> tuple[Subset[Any, Any], ...]:
        return (self._trades,)

    async def pull(self) -> None:
        """Take in changes; a new day begins with no trades."""
        if self._is_over():
            self._began, self._trades = self._today()
        await super().pull()

    def inputs(self) -> tuple[object, ...]:
        store = self.ui.store
        versions = (self._trades.version, store.wallets.version, store.health_version)
        return (self._began, *versions, self.ui.scope)

    def recompute(self) -> None:
        scope, store = self.ui.scope, self.ui.store
        trades = self._trades.rows()
        mine = [one for one in trades if scope is None or account_of(store, one) == scope]
        self.ledger.replace(figures.traded_totals(mine))
        self.ledger.placeholder(self._nothing())

    def tick(self) -> None:
        ui = self.ui
        if self._is_over():
            self.call_later(self.pull)
        since = toned(f"  since {ui.settings.overview.day_starts.short}", Tone.MUTED)
        words = feed_words(ui, Kind.TRADES, len(ui.store.trades))
        counted = Cell("excludes rejected trades ", Tone.FAINT)
        said = words if words.text else counted
        self.say(since, right=toned(said.text, said.tone))

    def _is_over(self) -> bool:
        return self._begin() != self._began

    def _begin(self) -> datetime:
        return self.ui.settings.overview.day_starts.begun(self.ui.time.latest())

    def _today(self) -> tuple[datetime, Subset[TradeId, Trade]]:
        began = self._begin()
        return began, Subset(self.ui.store.trades, lambda trade: figures.counts(trade, began))

    def _nothing(self) -> str:
        if not self.ui.store.feed(Kind.TRADES).ok:
            return empty_words(self.ui, Kind.TRADES)
        whose = "" if self.ui.scope is None else " by this account"
        return f"No trades{whose} since {self.ui.settings.overview.day_starts.short}."


def _traded_columns(ui: UiContext) -> tuple[Column[figures.TradedTotal], ...]:
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
            cell=lambda line: _market(ui, line),
            width=16,
            whole=True,
            gives_way=3,
        ),
    )


def _average(line: figures.TradedTotal) -> Cell:
    if line.average is None:
        return Cell(MISSING, Tone.FAINT)
    return Cell(f"{significant(line.average)} {line.pair.buy}")


def _trades(line: figures.TradedTotal) -> Cell:
    words = f"{line.trades:,}"
    if line.open:
        words += f", {line.open:,} open"
    if line.untold:
        return Cell(f"{words}, {line.untold:,} without amounts", Tone.CLOSING)
    return Cell(words, Tone.MUTED)


def _market(ui: UiContext, line: figures.TradedTotal) -> Cell:
    """Return the average as the market writes it, base first."""
    order = ui.settings.rates.desk_order
    average = line.average if line.pair.sells_base(order) else line.turned
    if average is None:
        return Cell(MISSING, Tone.FAINT)
    return Cell(f"{line.pair.market(order)} {significant(average)}", Tone.MUTED)
