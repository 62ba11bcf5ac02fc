"""The overview's panel of balances and net positions by currency, with a total in one currency."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from textual.content import Content
from textual.widget import Widget

from paytui.domain.models import Kind, Payment, PaymentId, RateSheet, Trade, TradeId
from paytui.domain.money import MISSING, CurrencyCode
from paytui.store.health import Feed
from paytui.store.table import SLICE, Follower, Subset
from paytui.store.views import newest_sheets, totals
from paytui.store.views.figures import (
    CurrencyTotal,
    PendingFlows,
    Position,
    Valuation,
    is_open_payment,
    is_open_trade,
    positions,
    valuation,
)
from paytui.tui.context import UiContext
from paytui.tui.format.cells import amount_cell
from paytui.tui.format.feeds import counted, empty_words, feed_words, how_old, noun
from paytui.tui.format.times import age
from paytui.tui.panels.panels import Panel
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import balance_columns
from paytui.tui.table.data_list import DataList
from paytui.tui.theme.themes import Cell, Tone, toned
from paytui.tui.wizards.protocol import TextBlock

AGE_STEP = 30
"""Seconds: the age of rates is shown in these steps, so that it does not tick."""

ABOUT = "≈"
"""The sign before a total that is converted to one currency."""

UNDER_WAY = (Kind.TRADES, Kind.PAYMENTS)
"""The lists that net positions are computed from, beside the wallets."""


def unread_lists(desk: UiContext) -> list[Kind]:
    """Return the lists of open trades and payments that the service offers but nobody read yet."""
    feeds = map(desk.store.feed, UNDER_WAY)
    return [feed.kind for feed in feeds if feed.as_of is None and (feed.offered or feed.tracked)]


def all_wallets_known(desk: UiContext) -> bool:
    """Return True if the list of wallets was read whole, so that there are no others."""
    feed, held = desk.store.feed(Kind.WALLETS), len(desk.store.wallets)
    whole = not feed.skipped and not feed.cut and (feed.total is None or feed.total <= held)
    return feed.offered and feed.as_of is not None and whole


def missing_balances(held: Iterable[CurrencyTotal]) -> str:
    """Return a note of currencies whose sums lack the balances of some wallets, or ""."""
    partly = [total for total in held if total.untold and total.available is not None]
    if not partly:
        return ""
    if len(partly) > 1:
        return f"{len(partly)} currencies lack balances"
    return f"{partly[0].currency} lacks {counted(partly[0].untold, 'balances')}"


def net_gaps(desk: UiContext, untold: int) -> str:
    """Return a short note of what net positions leave out, or ""."""
    feeds = [desk.store.feed(kind) for kind in UNDER_WAY]
    absent = [feed.kind for feed in feeds if not feed.offered and not feed.tracked]
    if unread := unread_lists(desk):
        return "net: " + (f"{noun(unread[0])} not read" if len(unread) == 1 else "lists not read")
    if absent:
        return "net " + (f"without {noun(absent[0])}" if len(absent) == 1 else "is what is held")
    if partly := next(filter(None, (_part(desk, feed) for feed in feeds)), ""):
        return f"net: {partly}"
    return f"net lacks {counted(untold, 'amounts')}" if untold else ""


def _part(desk: UiContext, feed: Feed) -> str:
    """Return the age of a cached list, or how much of it is held: `3 of 5,300 payments`; or ""."""
    if feed.cached:
        return f"{noun(feed.kind)} {how_old(desk, feed)}"
    held = len(desk.store.table(feed.kind))
    if feed.total is not None and feed.total > held + desk.store.left_out(feed.kind):
        return f"{held:,} of {feed.total:,} {noun(feed.kind)}"
    if feed.cut:
        return f"{noun(feed.kind)} cut short"
    return f"{feed.skipped:,} unreadable {noun(feed.kind)}" if feed.skipped else ""


def footnote(desk: UiContext, found: Valuation, sheet: RateSheet | None) -> Content:
    """Return the rates used for the total, their age, and the currencies left out."""
    words = [f"{ABOUT}{found.currency}: {_rates_words(desk, sheet)}"]
    if found.without:
        words.append(f"without {', '.join(found.without)}: no rate")
    if found.untold:
        words.append(f"without {', '.join(found.untold)}: balance not told")
    is_whole = not found.without and not found.untold
    return toned("; ".join(words), Tone.MUTED if is_whole else Tone.CLOSING)


def _rates_words(desk: UiContext, sheet: RateSheet | None) -> str:
    if sheet is None:
        return "no rates yet"
    old = int(desk.time.clock.boot() - sheet.sent_at) // AGE_STEP * AGE_STEP
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

    def __init__(self, desk: UiContext) -> None:
        ledger: DataList[str, BalanceLine] = DataList(
            _columns(),
            lambda line: line.label,
            sort="Ccy",
            opened=lambda _: self.app.switch_mode("wallets"),
        )
        super().__init__(desk, "Balances", ledger)
        self._trades = Subset[TradeId, Trade](desk.store.trades, is_open_trade)
        self._payments = Subset[PaymentId, Payment](desk.store.payments, is_open_payment)
        self._reporting = desk.settings.overview.reporting_currency
        self._footnote = TextBlock(classes="footnote")
        self._under_way = PendingFlows(desk.store.wallets.get)
        self._worth: Valuation | None = None
        self._untold = 0
        self._missing_balances = ""

    def compose(self) -> Iterator[Widget]:
        """Yield the list, and the footnote under it."""
        yield from super().compose()
        yield self._footnote

    @property
    def followers(self) -> tuple[Follower, ...]:
        return (self._trades, self._payments)

    def inputs(self) -> tuple[object, ...]:
        """Return the versions of the tables and feeds behind the figures, and the scope."""
        store = self.desk.store
        sheets = store.rate_sheets.version if self._reporting else 0
        under_way = (self._trades.version, self._payments.version)
        return (store.wallets.version, *under_way, store.health_version, sheets, self.desk.scope)

    async def prepare(self) -> None:
        """Add up open trades and payments, in slices."""
        self._under_way = PendingFlows(self.desk.store.wallets.get, self.desk.scope)
        rows: list[Trade | Payment] = [*self._trades.rows(), *self._payments.rows()]
        for place, row in enumerate(rows, 1):
            self._under_way.add(row)
            if not place % SLICE:
                await asyncio.sleep(0)

    def recompute(self) -> None:
        desk = self.desk
        held = totals(desk.store.wallets.rows(), desk.scope)
        found = positions(held, self._under_way, all_wallets=all_wallets_known(desk))
        self._untold = sum(position.untold for position in found)
        self._missing_balances = missing_balances(held)
        known = not unread_lists(desk)
        lines = [_line(position, known=known) for position in found]
        self._worth = None
        if self._reporting is not None and lines:
            sheet, _ = newest_sheets(desk.store)
            self._worth = valuation(found, self._reporting, sheet)
            lines.append(_line_of_all(self._worth, known=known))
        self.ledger.replace(lines)
        self.ledger.placeholder(empty_words(desk, Kind.WALLETS))

    def tick(self) -> None:
        """Update the words that age: feeds, gaps of net positions, and rates."""
        desk = self.desk
        words = feed_words(desk, Kind.WALLETS, len(desk.store.wallets))
        lacking = self._missing_balances or net_gaps(desk, self._untold)
        said = words if words.text else Cell(lacking, Tone.CLOSING)
        self.say(right=toned(said.text, said.tone))
        sheet, _ = newest_sheets(desk.store)
        self._footnote.show(footnote(desk, self._worth, sheet) if self._worth else Content())


def _columns() -> tuple[Column[BalanceLine], ...]:
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


def _line(position: Position, *, known: bool) -> BalanceLine:
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


def _line_of_all(found: Valuation, *, known: bool) -> BalanceLine:
    label = f"{ABOUT}{found.currency}"
    return BalanceLine(label, found.currency, found.available, found.net if known else None)
