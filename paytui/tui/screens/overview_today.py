"""The overview's panel of today: the day's trades by pair, and its payments by state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar

from textual.content import Content
from textual.widget import Widget

from paytui.domain.models import Kind, Payment, PaymentId, State, Trade, TradeId
from paytui.domain.money import MISSING, CurrencyCode, Pair, format_amount, significant
from paytui.store import figures
from paytui.store.names import account_of
from paytui.store.table import Subset
from paytui.tui.format.cells import REVIEW, Cell, Tone, state_cell, state_words, text_cell, toned
from paytui.tui.screens.overview_balances import DayHistory, FiguresPanel
from paytui.tui.table.columns import Column, figure_column
from paytui.tui.table.data_list import DataList
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.feeds import empty_words, feed_words

T = TypeVar("T", Trade, Payment)


class TodayPanel(FiguresPanel[Pair, figures.TradedTotal]):
    """The day's trades by pair, with average and market rates, and its payments by state.

    Attributes:
        traded: the pairs of the day's trades, of all accounts.
    """

    def __init__(self, ui: UiContext, day: DayHistory) -> None:
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
        self._day = day
        self._paid = PaymentsLine()
        self._began, self._trades, self._payments = self._today()
        self.traded: frozenset[Pair] = frozenset()

    def content(self) -> Iterator[Widget]:
        yield self._paid
        yield self.ledger

    @property
    def selected(self) -> Pair | None:
        line = self.ledger.selected
        return None if line is None else line.pair

    @property
    def rows_wanted(self) -> int:
        return len(self.ledger) + self._paid.display

    @property
    def followers(self) -> tuple[Subset[Any, Any], ...]:
        return (self._trades, self._payments)

    async def pull(self) -> None:
        """Take in changes; a new day begins with no trades."""
        if self._is_over():
            self._began, self._trades, self._payments = self._today()
        await super().pull()

    def inputs(self) -> tuple[object, ...]:
        scope, versions = self.ui.scope, (self._trades.version, self._payments.version)
        whose = None if scope is None else (scope, self.ui.store.wallets.version)
        return (self._began, *versions, self._day.rates, whose)

    def recompute(self) -> None:
        self.traded = frozenset(
            Pair(trade.sell_currency, trade.buy_currency)
            for trade in self._trades.rows()
            if trade.sell_currency and trade.buy_currency
        )
        self.ledger.replace(figures.traded_totals(self._mine(self._trades), self._day.market_rate))
        self._paid.show(self._mine(self._payments))

    def _mine(self, rows: Subset[Any, T]) -> list[T]:
        scope, store = self.ui.scope, self.ui.store
        return [one for one in rows.rows() if scope is None or account_of(store, one) == scope]

    def tick(self) -> None:
        ui = self.ui
        if self._is_over():
            self.call_later(self.pull)
        since = toned(f"  since {ui.settings.overview.day_starts.short}", Tone.MUTED)
        words = feed_words(ui, Kind.TRADES, len(ui.store.trades))
        self.say(since, right=toned(words.text, words.tone))
        self.ledger.placeholder(self._nothing())

    def _is_over(self) -> bool:
        return self._day.began != self._began

    def _today(self) -> tuple[datetime, Subset[TradeId, Trade], Subset[PaymentId, Payment]]:
        began, store = self._day.began, self.ui.store
        return (
            began,
            Subset(store.trades, lambda trade: figures.counts(trade, began)),
            Subset(
                store.payments, lambda row: row.created_at is not None and row.created_at >= began
            ),
        )

    def _nothing(self) -> str:
        if not self.ui.store.feed(Kind.TRADES).ok:
            return empty_words(self.ui, Kind.TRADES)
        whose = "" if self.ui.scope is None else " by this account"
        return f"No trades{whose} since {self.ui.settings.overview.day_starts.short}."


Counts = Counter[tuple[str, State]]
"""The number of payments by type and status."""


class PaymentsLine(Widget):
    """The number of the day's payments by type and status; hidden without any."""

    def __init__(self) -> None:
        super().__init__(classes="payments")
        self._counts: Counts = Counter()
        self.display = False

    def show(self, payments: Iterable[Payment]) -> None:
        counts = Counter(
            (row.payment_type or "payment", row.status) for row in payments if row.status
        )
        if counts != self._counts:
            self._counts, self.display = counts, bool(counts)
            self.refresh()

    def render(self) -> Content:
        return payments_by_state(self._counts, self.content_size.width)


def payments_by_state(counts: Counts, width: int) -> Content:
    """Return `payouts: 1 failed, 12 released; transfers: 3 completed`.

    What went wrong comes first, then what is held or going on. What does not fit is counted.
    """
    ranked = sorted(counts, key=_rank)
    words = Content()
    for kept in range(len(ranked), 0, -1):
        parts: list[Content] = []
        for kind in sorted({kind for kind, _ in ranked[:kept]}):
            told = [_counted_state(one[1], counts[one]) for one in ranked[:kept] if one[0] == kind]
            parts.append(toned(f"{kind}s: ", Tone.MUTED) + toned(", ", Tone.MUTED).join(told))
        if rest := sum(counts[one] for one in ranked[kept:]):
            parts.append(toned(f"{rest:,} more", Tone.MUTED))
        words = toned("; ", Tone.MUTED).join(parts)
        if len(words.plain) <= width:
            break
    return words


_RANKS = {Tone.DOWN: 0, Tone.DOUBT: 1, Tone.CLOSING: 2, Tone.MUTED: 4}  # Others between


def _rank(counted: tuple[str, State]) -> tuple[int, str, str]:
    kind, state = counted
    return _RANKS.get(state_cell(state).tone, 3), state.name, kind


def _counted_state(state: State, count: int) -> Content:
    words = "in review" if state.name == REVIEW else state_words(state)
    return toned(f"{count:,} {words}", state_cell(state).tone)


def _traded_columns(ui: UiContext) -> tuple[Column[figures.TradedTotal], ...]:
    return (
        figure_column("Sold", lambda line: _traded(line.sold, line.pair.sell), width=12),
        figure_column("Bought", lambda line: _traded(line.bought, line.pair.buy), width=12),
        figure_column("Avg rate", lambda line: _rate(line.average), width=9, gives_way=1),
        Column(title="Trades", cell=_trades, width=6, whole=True, gives_way=3),
        # That of the market when the trades were booked
        figure_column("Market", lambda line: _rate(line.market, Tone.MUTED), width=9, gives_way=4),
        figure_column("vs mkt", gain_cell, width=8, gives_way=2),
        Column(
            title="Quoted", cell=lambda line: _quoted(ui, line), width=16, whole=True, gives_way=5
        ),
    )


def _traded(amount: Decimal, currency: CurrencyCode) -> Cell:
    return Cell(f"{format_amount(amount, currency)} {currency}")


def _rate(average: Decimal | None, tone: Tone = Tone.INK) -> Cell:
    return text_cell(None if average is None else significant(average), tone)


def _trades(line: figures.TradedTotal) -> Cell:
    words = f"{line.trades:,}"
    if line.open:
        words += f" ({line.open:,} open)"
    if line.untold:
        return Cell(f"{words}, {line.untold:,} without amounts", Tone.CLOSING)
    return Cell(words, Tone.MUTED)


def gain_cell(line: figures.TradedTotal) -> Cell:
    """Return the average against the market in basis points: `+1.7 bp` is better.

    From a tenth on it is probably a mistake: `+12 %`, then `1,300 ×` or `1/1,300 ×`.
    """
    gain, average, market = line.gain, line.average, line.market
    if gain is None or average is None or market is None:
        return Cell(MISSING, Tone.FAINT)
    if abs(gain) < _OFF_MARKET:
        tone = Tone.UP if gain > 0 else Tone.DOWN if gain < 0 else Tone.MUTED
        return Cell(f"{gain:+.1f} bp" if gain else "0.0 bp", tone)
    tone = Tone.CLOSING if gain > 0 else Tone.DOWN
    if average >= market * 10:
        return Cell(f"{average / market:,.0f} ×", tone)
    if 0 < average * 10 <= market:
        return Cell(f"1/{market / average:,.0f} ×", tone)
    return Cell(f"{gain / 100:+.0f} %", tone)


_OFF_MARKET = 1_000  # Basis points


def _quoted(ui: UiContext, line: figures.TradedTotal) -> Cell:
    """Return the average as the market writes it, base first."""
    order = ui.settings.rates.desk_order
    average = line.average if line.pair.sells_base(order) else line.turned
    words = None if average is None else f"{line.pair.market(order)} {significant(average)}"
    return text_cell(words, Tone.MUTED)
