"""The panel of the day's trades, with average rates."""

from __future__ import annotations

from datetime import datetime

from paytui.domain.models import Kind, Trade, TradeId
from paytui.domain.money import MISSING, Pair, format_amount, significant
from paytui.store.relations import account_of
from paytui.store.table import Follower, Subset
from paytui.store.views.figures import Dealt, counts, dealt
from paytui.tui.context import Desk
from paytui.tui.format.feeds import empty_words, feed_words
from paytui.tui.panels.panel import Panel
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import Ledger
from paytui.tui.theme.themes import Cell, Tone, toned


class TodayPanel(Panel[Pair, Dealt]):
    """One line a pair and direction; enter leads to the trades."""

    def __init__(self, desk: Desk) -> None:
        ledger: Ledger[Pair, Dealt] = Ledger(
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
        """The pair under the cursor."""
        line = self.ledger.selected
        return None if line is None else line.pair

    @property
    def followers(self) -> tuple[Follower, ...]:
        """The day's trades."""
        return (self._trades,)

    async def pull(self) -> None:
        """A new day begins with no trades."""
        if self._is_over():
            self._began, self._trades = self._today()
        await super().pull()

    def rests_on(self) -> tuple[object, ...]:
        """The day's trades, and the account that is looked at."""
        store = self.desk.store
        versions = (self._trades.version, store.wallets.version, store.health_version)
        return (self._began, *versions, self.desk.scope)

    def reckon(self) -> None:
        """Add up."""
        scope, store = self.desk.scope, self.desk.store
        trades = self._trades.rows()
        mine = [one for one in trades if scope is None or account_of(store, one) == scope]
        self.ledger.replace(dealt(mine))
        self.ledger.placeholder(self._nothing())

    def tick(self) -> None:
        """Say since when, which trades count, and how well they are fed; turn to a new day."""
        desk = self.desk
        if self._is_over():
            self.call_later(self.pull)
        since = toned(f"  since {desk.settings.overview.day_starts.short}", Tone.MUTED)
        words = feed_words(desk, Kind.TRADES, len(desk.store.trades))
        counted = Cell("booked/exchanged, not rejected ", Tone.FAINT)
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


def _columns(desk: Desk) -> tuple[Column[Dealt], ...]:
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
            title="Average 1 sold =",
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


def _pair(line: Dealt) -> Cell:
    return Cell(f"{line.pair.sell}>{line.pair.buy}")


def _average(line: Dealt) -> Cell:
    if line.average is None:
        return Cell(MISSING, Tone.FAINT)
    return Cell(f"{significant(line.average)} {line.pair.buy}")


def _trades(line: Dealt) -> Cell:
    words = f"{line.trades:,}"
    if line.open:
        words += f", {line.open:,} open"
    if line.untold:
        return Cell(f"{words}, {line.untold:,} without amounts", Tone.CLOSING)
    return Cell(words, Tone.MUTED)


def _market(desk: Desk, line: Dealt) -> Cell:
    """The average as the market writes it, base first."""
    order = desk.settings.rates.desk_order
    average = line.average if line.pair.sells_base(order) else line.turned
    if average is None:
        return Cell(MISSING, Tone.FAINT)
    return Cell(f"{line.pair.market(order)} {significant(average)}", Tone.MUTED)
