"""The overview's figures: the base of its panels, the day's history, and the balances."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Generic, TypeVar

from textual.widget import Widget

from paytui.book.history import GAP, Bar, DayBalances, Millis, millis, moment, rate_at
from paytui.domain import models
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.rates import sheet_left
from paytui.store import figures
from paytui.store.health import Feed
from paytui.store.rate_board import newest_sheets
from paytui.store.table import SLICE, Subset
from paytui.tui.format.cells import Cell, Tone, amount_cell, text_cell, toned
from paytui.tui.rate_history import read_book
from paytui.tui.table.columns import Column, figure_column
from paytui.tui.table.common_columns import balance_columns
from paytui.tui.table.data_list import DataList
from paytui.tui.times import age, since_time
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.chart import sparkline
from paytui.tui.widgets.feeds import counted, empty_words, feed_words, how_old, unread_words
from paytui.tui.widgets.text import Panel

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class FiguresPanel(Panel, Generic[K, R]):
    """A panel with a list; `recompute()` fills it, `tick()` follows the clock."""

    def __init__(self, ui: UiContext, heading: str, ledger: DataList[K, R]) -> None:
        super().__init__(heading)
        self.ui = ui
        self.ledger = ledger
        self._seen: tuple[object, ...] | None = None

    def content(self) -> Iterator[Widget]:
        yield self.ledger

    @property
    def selected(self) -> object | None:
        """Return the object under the cursor, for a ticket to start from; None if there is none."""
        return None

    @property
    def rows_wanted(self) -> int:
        """The number of lines that the panel's content fills."""
        return len(self.ledger)

    @property
    def followers(self) -> tuple[Subset[Any, Any], ...]:
        """Return the followers of the tables that the figures are computed from."""
        return ()

    def inputs(self) -> tuple[object, ...]:
        """Return a value that changes whenever the figures have to be recomputed."""
        return ()

    async def prepare(self) -> None:
        """Do the slow part of recomputing, in slices."""

    def recompute(self) -> None:
        """Compute and show the figures."""

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


class DayHistory:
    """The history of the day that a desk calls today.

    Attributes:
        began: service time of the day's start.
        version: changes with the history.
        balances: those of all accounts.
        rates: the sheets of the day, of each pair that was traded and of its legs.
    """

    def __init__(self, ui: UiContext) -> None:
        self._ui = ui
        self._read: tuple[object, ...] | None = None
        self._rates_of: tuple[object, ...] | None = None
        self.version = 0
        self.balances = DayBalances()
        self.rates: Mapping[Pair, Sequence[Bar]] = {}

    @property
    def began(self) -> datetime:
        return self._ui.settings.overview.day_starts.begun(self._ui.time.latest())

    @property
    def since_words(self) -> str:
        """Return `since 09:12` if balances were not read when the day began; else ""."""
        since = self.balances.since
        if since is None or since == self.balances.began:
            return ""
        return f"since {since_time(moment(since), self._ui.time.latest(), self._ui.zone)}"

    async def pull(self, traded: frozenset[Pair]) -> bool:
        """Read the day again if the book or the traded pairs changed; return True for news."""
        book, began = self._ui.store.book, self.began
        wanted = (began, traded, None if book is None else (book.path, book.writes))
        if book is None or wanted == self._read:
            return False
        self._read = wanted
        start = millis(began)
        known = self.rates if self._rates_of == (began, traded) else {}
        newest = max((bars[-1].began for bars in known.values()), default=start)
        since = Millis(newest - GAP)  # a sheet may be recorded after a newer one
        wanted_pairs = frozenset(one for pair in traded for one in (pair, *self._legs(pair)))
        found = await read_book(
            self._ui.store,
            lambda book: (book.day(start), book.rates(wanted_pairs, since)),
        )
        if found is None:
            return False
        balances, rates = found[0], _continued(known, found[1], since)
        self._rates_of = began, traded
        if (balances, rates) == (self.balances, self.rates):
            return False
        self.balances, self.rates = balances, rates
        self.version += 1
        return True

    def market_rate(self, trade: models.Trade) -> Decimal | None:
        """Return the rate of a trade's pair when it was booked; None if no sheet had it.

        A pair that was not on the sheet is priced by way of the reporting currency.
        """
        if trade.sell_currency is None or trade.buy_currency is None or trade.created_at is None:
            return None
        pair, at = Pair(trade.sell_currency, trade.buy_currency), millis(trade.created_at)
        if (rate := rate_at(self.rates.get(pair, ()), at)) is not None:
            return rate
        legs = [rate_at(self.rates.get(leg, ()), at) for leg in self._legs(pair)]
        known = [rate for rate in legs if rate is not None]
        return known[0] * known[1] if len(known) == len(legs) == 2 else None  # noqa: PLR2004

    def _legs(self, pair: Pair) -> tuple[Pair, ...]:
        """Return the pairs that lead from one currency to the other; none if it is one of them."""
        across = self._ui.settings.overview.reporting_currency
        if across is None or across in (pair.sell, pair.buy):
            return ()
        return Pair(pair.sell, across), Pair(across, pair.buy)


def _continued(
    known: Mapping[Pair, Sequence[Bar]], newer: Mapping[Pair, Sequence[Bar]], since: Millis
) -> dict[Pair, Sequence[Bar]]:
    """Return known bars, with those since a time as they are now."""
    kept = {
        pair: bars[: bisect_left(bars, since, key=lambda bar: bar.began)]
        for pair, bars in known.items()
    }
    return {pair: [*kept.get(pair, ()), *newer.get(pair, ())] for pair in {**kept, **newer}}


OLD_RATES = timedelta(minutes=1)  # Time after their end from which rates are called old
ABOUT = "≈"  # The sign before a total that is converted to one currency

UNDER_WAY = (models.Kind.TRADES, models.Kind.PAYMENTS)
"""The lists that net positions are computed from, beside the wallets."""


def unread_lists(ui: UiContext) -> list[models.Kind]:
    """Return the lists of open trades and payments that the service offers but nobody read yet."""
    feeds = map(ui.store.feed, UNDER_WAY)
    return [feed.kind for feed in feeds if feed.as_of is None and (feed.offered or feed.tracked)]


def all_wallets_known(ui: UiContext) -> bool:
    """Return True if the list of wallets was read whole, so that there are no others."""
    feed, held = ui.store.feed(models.Kind.WALLETS), len(ui.store.wallets)
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
        if len(unread) > 1:
            return "net: lists not read"
        return f"net: {unread[0].noun} {unread_words(ui, ui.store.feed(unread[0]))}"
    if absent:
        return "net " + (f"without {absent[0].noun}" if len(absent) == 1 else "is balances only")
    if partly := next(filter(None, (_part(ui, feed) for feed in feeds)), ""):
        return f"net: {partly}"
    return f"net lacks {counted(untold, 'amounts')}" if untold else ""


def _part(ui: UiContext, feed: Feed) -> str:
    """Return the age of a cached list, or how much of it is held: `3 of 5,300 payments`; or ""."""
    if feed.cached:
        return f"{feed.kind.noun} {how_old(ui, feed)}"
    read = len(ui.store.table(feed.kind)) + ui.store.left_out(feed.kind)
    if feed.total is not None and feed.total > read:
        return f"{counted(feed.total - read, feed.kind.noun)} not read"
    if feed.cut:
        return f"{feed.kind.noun} cut short"
    return f"{feed.skipped:,} unreadable {feed.kind.noun}" if feed.skipped else ""


def valuation_gaps(ui: UiContext, worth: figures.Valuation, sheet: models.RateSheet | None) -> str:
    """Return a short note of what the converted total leaves out, and of old rates; or ""."""
    if sheet is None and worth.without:
        return "no rates yet"
    words = [f"{counted(worth.unpriced, 'ccys')} unpriced"] if worth.unpriced else []
    old = timedelta() if sheet is None else -sheet_left(ui.time, sheet)
    if old > OLD_RATES:
        words.append(f"rates expired {age(old)} ago")
    return ", ".join(words)


@dataclass(frozen=True, slots=True)
class BalanceLine:
    """The figures of one currency; or of all, converted to the reporting currency.

    Attributes:
        net: None if unknown.
        change: of the available balance since the day began; None if unknown.
        worth: of the net position in the reporting currency; None if it is not priced.
        levels: the available balance in the course of the day; None for gaps.
    """

    total: figures.CurrencyTotal
    net: Decimal | None
    change: Decimal | None
    worth: Decimal | None
    levels: tuple[Decimal | None, ...] = ()
    is_converted: bool = False

    @property
    def currency(self) -> CurrencyCode:
        return self.total.currency

    @property
    def label(self) -> str:
        return f"{ABOUT * self.is_converted}{self.currency}"

    @property
    def is_short(self) -> bool:
        return self.net is not None and self.net < 0


LEVELS, WIDE_LEVELS = 6, 24  # Cells of a sparkline
ROOM_FOR_WORDS = 50  # Cells of a panel from which its title has more words
ROOM_FOR_LEVELS = 96  # Cells from which it is wide


class BalancesPanel(FiguresPanel[str, BalanceLine]):
    """Totals and net positions by currency; those that are short come first."""

    def __init__(self, ui: UiContext, day: DayHistory) -> None:
        self._reporting = ui.settings.overview.reporting_currency
        ledger: DataList[str, BalanceLine] = DataList(
            _balance_columns(self._reporting),
            lambda line: line.label,
            sort="Ccy",
            opened=self._open_wallets,
        )
        super().__init__(ui, "Balances", ledger)
        self.positions: list[figures.Position] = []
        self.worth: figures.Valuation | None = None
        self.change: Decimal | None = None
        self.are_known = False
        self._day = day
        self._trades = Subset[models.TradeId, models.Trade](ui.store.trades, figures.is_open_trade)
        self._payments = Subset[models.PaymentId, models.Payment](
            ui.store.payments, figures.is_open_payment
        )
        self._under_way = figures.PendingFlows(ui.store.wallets.get)
        self._untold = 0
        self._missing_balances = ""

    def _open_wallets(self, line: BalanceLine) -> None:
        """Open the wallets of a currency, or of all for the converted total."""
        from paytui.tui.screens.wallets import WalletsPage

        self.app.switch_mode("wallets")
        if isinstance(page := self.app.screen, WalletsPage):
            # Once it is mounted; keys that are typed meanwhile come after.
            page.call_later(page.show_currency, None if line.is_converted else line.currency)

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
        read = (store.wallets.version, *under_way, store.health_version, sheets, self.ui.scope)
        return (*read, self._day.version, self._most_levels)

    @property
    def _most_levels(self) -> int:
        return WIDE_LEVELS if self.size.width >= ROOM_FOR_LEVELS else LEVELS

    async def prepare(self) -> None:
        self._under_way = figures.PendingFlows(self.ui.store.wallets.get, self.ui.scope)
        rows: list[models.Trade | models.Payment] = [*self._trades.rows(), *self._payments.rows()]
        for place, row in enumerate(rows, 1):
            self._under_way.add(row)
            if not place % SLICE:
                await asyncio.sleep(0)

    def recompute(self) -> None:
        ui = self.ui
        wallets = [w for w in ui.store.wallets.rows() if ui.scope in (None, w.account_id)]
        held = figures.totals(wallets)
        found = figures.positions(held, self._under_way, all_wallets=all_wallets_known(ui))
        self._untold = sum(position.untold for position in found)
        self._missing_balances = missing_balances(held)
        self.positions, self.are_known = found, not unread_lists(ui)
        self.worth = self.change = None
        changes = self._day.balances.changes(wallets)
        if self._reporting is not None and found:
            sheet, _ = newest_sheets(ui.store)
            self.worth = figures.valuation(found, self._reporting, sheet)
            self.change = figures.value_of_changes(changes, self.worth, sheet)
        self.ledger.replace(self._lines(wallets, changes))
        self.ledger.placeholder(empty_words(ui, models.Kind.WALLETS))

    def _lines(
        self, wallets: Iterable[models.Wallet], changes: Mapping[CurrencyCode, Decimal | None]
    ) -> Iterator[BalanceLine]:
        now, known, worth = millis(self.ui.time.latest()), self.are_known, self.worth
        by_currency: defaultdict[CurrencyCode | None, list[models.WalletId]] = defaultdict(list)
        for wallet in wallets:
            by_currency[wallet.currency].append(wallet.wallet_id)
        for position in self.positions:
            code = position.currency
            yield BalanceLine(
                position.total,
                position.net if known else None,
                changes.get(code),
                worth.worth.get(code) if worth is not None and known else None,
                self._day.balances.levels(by_currency[code], now, self._most_levels),
            )
        if worth is not None:
            total = figures.CurrencyTotal(worth.currency, worth.available, None, None, 0, 0)
            net = worth.net if known else None
            yield BalanceLine(total, net, self.change, net, is_converted=True)

    @property
    def lacking(self) -> str:
        """Return a short note of what net positions leave out, or ""."""
        return self._missing_balances or net_gaps(self.ui, self._untold)

    def tick(self) -> None:
        """Say what the figures lack, the most important first."""
        ui = self.ui
        words = feed_words(ui, models.Kind.WALLETS, len(ui.store.wallets))
        sheet, _ = newest_sheets(ui.store)
        worth = "" if self.worth is None else valuation_gaps(ui, self.worth, sheet)
        lacking = Cell(self.lacking or worth, Tone.CLOSING)
        said = words if words.text else lacking
        count = f"  {len(self.positions):,}" if self.positions else ""
        is_roomy = self.size.width >= ROOM_FOR_WORDS
        since = self._day.since_words if self.positions and is_roomy else ""
        left = toned(f"{count}  today {since}" if since else count, Tone.MUTED)
        self.say(left, right=toned(said.text, said.tone))


def _balance_columns(reporting: CurrencyCode | None) -> tuple[Column[BalanceLine], ...]:
    columns: tuple[Column[BalanceLine], ...] = balance_columns(
        lambda line: line.currency,
        available=lambda line: line.total.available,
        reserved=lambda line: line.total.reserved,
        pending=lambda line: line.total.pending,
        gives_way=5,
    )
    available, *others = columns
    available = replace(available, gives_way=1)  # what is short stays
    value: Column[BalanceLine] = figure_column(
        f"Net {ABOUT}{reporting}",
        lambda line: amount_cell(line.worth, reporting),
        width=8,
        gives_way=4,
        key=lambda line: line.worth,
    )
    return (
        Column(
            title="Ccy",
            cell=lambda line: Cell(line.label, Tone.DOWN if line.is_short else Tone.INK),
            width=3,
            whole=True,
            key=lambda line: (not line.is_converted, not line.is_short, line.label),
        ),
        available,
        figure_column("Net position", _net, width=12, key=lambda line: line.net),
        Column(
            title="Day",
            cell=lambda line: Cell(sparkline(line.levels), Tone.FAINT),
            width=LEVELS,
            whole=True,
            gives_way=2,
        ),
        figure_column("Today", _change, width=8, gives_way=3, key=lambda line: line.change),
        *((value,) if reporting else ()),
        *others,
        Column(
            title="Wallets",
            cell=_wallets,
            width=7,
            right=True,
            gives_way=7,
            key=lambda line: None if line.is_converted else line.total.wallets,
        ),
    )


def _net(line: BalanceLine) -> Cell:
    """Return the net position; one below zero is called short."""
    if line.net is None or line.net >= 0:
        return amount_cell(line.net, line.currency)
    return Cell(f"short {amount_cell(-line.net, line.currency).text}", Tone.DOWN)


def _change(line: BalanceLine) -> Cell:
    """Return the change with its sign: `+1,200.00`."""
    if line.change is None:
        return text_cell(None)
    sign = "+" if line.change > 0 else ""
    return Cell(f"{sign}{amount_cell(line.change, line.currency).text}", Tone.MUTED)


def _wallets(line: BalanceLine) -> Cell:
    total = line.total
    if line.is_converted:
        return Cell("")
    if not total.wallets and total.available is None:
        return text_cell(None)
    if total.untold:
        return Cell(f"{total.wallets - total.untold:,} of {total.wallets:,}", Tone.CLOSING)
    return Cell(f"{total.wallets:,}", Tone.MUTED)
