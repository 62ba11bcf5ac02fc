"""1 Overview: what is held, what needs somebody, the live rates, and how fresh it all is."""

from __future__ import annotations

from collections.abc import Iterator

from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from paytui.api.models import Kind, State
from paytui.money import CurrencyCode
from paytui.store.views import (
    Attention,
    CurrencyTotal,
    attention_is_known,
    needs_attention,
    newest_sheets,
    totals,
)
from paytui.tui.countdown import sheet_left
from paytui.tui.desk import Desk
from paytui.tui.feed_words import empty_words, feed_words
from paytui.tui.screens.attention import attention_columns, attention_key, detail_of
from paytui.tui.screens.page import Page
from paytui.tui.tone import Cell, Tone, toned
from paytui.tui.usual_columns import balance_columns, currency_column
from paytui.tui.widgets.columns import Column
from paytui.tui.widgets.countdown_cell import CountdownCell
from paytui.tui.widgets.edges import Edges
from paytui.tui.widgets.feed_health import FeedHealth
from paytui.tui.widgets.ledger import Ledger
from paytui.tui.widgets.rate_list import (
    RateList,
    change_column,
    market_columns,
    pair_column,
    rate_column,
)

LOOK_EVERY = 5.0
"""Seconds after which all rows are looked at again for what has come to need somebody."""


class OverviewPage(Page):
    """Four panels; figures are recomputed only when what they rest on changed."""

    CSS_PATH = ["frame.tcss", "overview.tcss"]  # noqa: RUF012  (Textual's way; never written to)
    WATCHES_RATES = True

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "overview")
        self._seen: tuple[object, ...] = ()
        self._looked_at = desk.time.clock.boot()
        self._held, self._needs, self._sheet, self._fresh = (
            Edges(classes="title") for _ in range(4)
        )
        self._countdown = CountdownCell()
        self._feeds = FeedHealth(desk)
        self._totals: Ledger[CurrencyCode, CurrencyTotal] = Ledger(
            _total_columns(),
            lambda total: total.currency,
            sort="Ccy",
            opened=lambda _: self.app.switch_mode("wallets"),
        )
        self._attention: Ledger[tuple[Kind, str | None, State | str], Attention] = Ledger(
            attention_columns(desk), attention_key, sort="", descending=True, opened=self._open
        )
        self._rates = RateList(
            desk, (pair_column(), rate_column(), change_column(), *market_columns())
        )

    def body(self) -> Iterator[Widget]:
        """Balances left; right what needs somebody, rates, feeds."""
        titles = Horizontal(self._sheet, self._countdown, classes="titles")
        rates = Vertical(titles, self._rates, id="rates")
        feeds = Vertical(self._fresh, self._feeds, id="feeds")
        left = Vertical(self._held, self._totals, id="left")
        right = Vertical(self._needs, self._attention, rates, feeds, id="right")
        yield Horizontal(left, right, id="panels")

    def on_mount(self) -> None:
        """Name the panels."""
        self._fresh.say(toned(" Feeds", bold=True))
        self._sheet.say(toned(" Rates", bold=True))

    async def pull(self) -> None:
        """Recompute what rests on something that changed."""
        await super().pull()
        seen = self._versions()
        if seen != self._seen:
            self._seen = seen
            self._add_up()
            self._look_for_trouble()
        self._show_time()

    def tick(self) -> None:
        """Let the countdown and the ages go on; with time alone a review comes to last long."""
        super().tick()
        if self.desk.time.clock.boot() - self._looked_at >= LOOK_EVERY:
            self._look_for_trouble()
        self._show_time()

    def _versions(self) -> tuple[object, ...]:
        store = self.desk.store
        tables = (store.wallets, store.payments, store.trades, store.payins, store.intents)
        return (*(table.version for table in tables), store.health_version, self.desk.scope)

    def _add_up(self) -> None:
        self._totals.replace(totals(self.desk.store.wallets.rows(), self.desk.scope))
        self._totals.placeholder(empty_words(self.desk, Kind.WALLETS))

    def _look_for_trouble(self) -> None:
        desk = self.desk
        self._looked_at = desk.time.clock.boot()
        items = needs_attention(desk.store, desk.time.latest(), desk.scope)
        self._attention.replace(items)
        known = attention_is_known(desk.store)
        nothing = toned("nothing ", Tone.UP) if known else toned("not known yet ", Tone.MUTED)
        count = toned(f"{len(items)} ", Tone.CLOSING) if items else nothing
        self._needs.say(toned(" Needs you", bold=True), count)
        self._attention.placeholder(
            "Nothing needs you now." if known else "Not known yet: not every list was read."
        )

    def _show_time(self) -> None:
        sheet, _ = newest_sheets(self.desk.store)
        left = None if sheet is None else sheet_left(self.desk.time, sheet)
        self._countdown.show(left)
        self._rates.placeholder(empty_words(self.desk, Kind.RATE_SHEETS))
        self._rates.show()
        self._attention.settle()
        self._feeds.show()
        words = feed_words(self.desk, Kind.WALLETS, len(self.desk.store.wallets))
        self._held.say(toned(" Balances", bold=True), toned(words.text, words.tone))

    def _open(self, item: Attention) -> None:
        screen = detail_of(self.desk, item)
        if screen is not None:
            self.app.push_screen(screen)


def _total_columns() -> tuple[Column[CurrencyTotal], ...]:
    return (
        currency_column(lambda total: total.currency, tone=Tone.INK),
        *balance_columns(
            lambda total: total.currency,
            available=lambda total: total.available,
            reserved=lambda total: total.reserved,
            pending=lambda total: total.pending,
            gives_way=1,
        ),
        Column(
            title="Wallets",
            cell=lambda total: Cell(f"{total.wallets:,}", Tone.MUTED),
            width=7,
            right=True,
            gives_way=3,
            key=lambda total: total.wallets,
        ),
    )
