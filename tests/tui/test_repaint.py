"""Only changed parts of the screen are repainted."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable
from dataclasses import replace
from datetime import UTC, timedelta
from decimal import Decimal
from threading import Lock

import pytest
from textual.app import App, ComposeResult
from textual.events import Resize
from textual.geometry import Region
from textual.message import Message
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget

from paytui.config.settings import OverviewSettings
from paytui.domain.models import Payment, PaymentId, Wallet, WalletId
from paytui.domain.money import CurrencyCode
from paytui.platform.files import shipped_path
from paytui.store.health import Link, LinkState
from paytui.store.table import Changes, Table
from paytui.tui.format.cells import Cell, text_cell
from paytui.tui.screens.wallets import wallets
from paytui.tui.table.data_list import DataList
from paytui.tui.textual_internals import HookedApp
from paytui.tui.themes import read_theme
from paytui.tui.widgets.detail_view import DetailView
from paytui.tui.widgets.feeds import FeedHealth
from paytui.tui.widgets.rates import CountdownCell
from paytui.tui.widgets.status import ClockCell, StatusWords
from paytui.tui.widgets.text import SplitLine, TextBlock, TickingCell
from tests.support.clock import NOON
from tests.tui.book import AUD_USD, sheet, wallet
from tests.tui.dashboard import Dashboard, lines, shows, text, tick, until

Painted = list[tuple[Widget, tuple[Region, ...]]]


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> Painted:
    """Notes each request to paint: which widget, which regions (none: the whole widget)."""
    notes: Painted = []
    for kind in (
        *(SplitLine, StatusWords, ClockCell, CountdownCell, TickingCell),
        *(DataList, DetailView, FeedHealth, TextBlock),
    ):
        _note(monkeypatch, kind, notes)
    return notes


def _note(monkeypatch: pytest.MonkeyPatch, kind: type[Widget], notes: Painted) -> None:
    refresh = kind.refresh

    def noted(
        self: Widget,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Widget:
        notes.append((self, regions))
        return refresh(self, *regions, repaint=repaint, layout=layout, recompose=recompose)

    monkeypatch.setattr(kind, "refresh", noted)


def test_a_second_without_a_change_paints_nothing(ui: Dashboard, painted: Painted) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for key in ("1", "3", "4", "6"):
            await pilot.press(key)
            await tick(pilot)
            painted.clear()
            await tick(pilot)
            assert painted == []

    ui.play(scenario)


def test_five_seconds_paint_the_clock_and_the_countdown_alone(
    ui: Dashboard, painted: Painted
) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await tick(pilot)
        painted.clear()
        ui.clock.advance(5)
        await tick(pilot)
        assert {type(widget) for widget, _ in painted} == {ClockCell, CountdownCell}
        widths = [widget.size.width for widget, _ in painted]
        assert sum(widths) < 50

    ui.play(scenario)


def test_a_second_of_a_closing_sheet_paints_one_digit(ui: Dashboard, painted: Painted) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4")
        ui.clock.advance(150 - 27)  # 3 of 16 cells are full until 18.75 s are left
        await tick(pilot)
        await shows(pilot, "valid 0:27")
        painted.clear()
        ui.clock.advance(1)
        await tick(pilot)
        await shows(pilot, "valid 0:26")
        [(_widget, regions)] = painted
        assert regions == (Region(len(" valid 0:2"), 0, 1, 1),)

    ui.play(scenario)


def test_five_seconds_of_the_overview_paint_no_figure_again(
    ui: Dashboard, painted: Painted
) -> None:
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.65"})])
    overview = OverviewSettings(reporting_currency=CurrencyCode("USD"))
    ui.settings = replace(ui.settings, overview=overview, floors={"AUD": Decimal(100_000)})

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "1 ccy unpriced")
        await tick(pilot)
        painted.clear()
        ui.clock.advance(5)
        await tick(pilot)
        assert {type(widget) for widget, _ in painted} == {ClockCell, TickingCell}

    ui.play(scenario)


def test_a_poll_that_brings_the_same_again_paints_nothing(ui: Dashboard, painted: Painted) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await tick(pilot)
        painted.clear()
        ui.store.wallets.put(ui.store.wallets.rows())
        ui.store.notify()
        await pilot.pause()
        await tick(pilot)
        assert painted == []

    ui.play(scenario)


def test_a_balance_that_changes_paints_its_own_line_alone(ui: Dashboard, painted: Painted) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "70,000.00")
        painted.clear()
        ui.store.wallets.put([wallet(2, "AUD payroll", "71000", account=2)])
        ui.store.notify()
        await shows(pilot, "71,000.00")
        [(_widget, regions)] = painted
        assert regions == (Region(0, 2, 80, 1),)  # the heading, AUD desk, then AUD payroll

    ui.play(scenario)


def test_moving_the_cursor_paints_the_two_lines_that_it_leaves_and_reaches(
    ui: Dashboard, painted: Painted
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "70,000.00")
        painted.clear()
        await pilot.press("j")
        [(_widget, regions)] = painted
        assert regions == (Region(0, 1, 80, 1), Region(0, 2, 80, 1))

    ui.play(scenario)


def test_an_order_that_is_turned_paints_headings_and_the_rows_that_differ(
    ui: Dashboard, painted: Painted
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "70,000.00")
        await pilot.press("s")
        before = lines(pilot)
        painted.clear()
        await pilot.press("S")
        await pilot.pause()
        now = lines(pilot)
        ledger = pilot.app.screen.query_one(DataList)
        differ = {y - ledger.region.y for y in range(24) if now[y] != before[y]}
        asked = [regions for widget, regions in painted if widget is ledger]
        assert all(asked)
        assert {region.y for regions in asked for region in regions} >= differ & set(
            range(ledger.size.height)
        )

    ui.play(scenario)


class CountingTable(Table[PaymentId, Payment]):
    """Counts how often it is asked what changed."""

    asked = 0

    def changes(self, since: int, limit: int = 500) -> Changes[PaymentId, Payment]:
        self.asked += 1
        return super().changes(since, limit)


def test_a_hidden_list_asks_for_nothing(ui: Dashboard) -> None:
    rows = ui.store.payments.rows()
    table = CountingTable(lambda payment: payment.payment_transaction_id, Lock())
    ui.store.payments = table
    table.put(rows)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments")
        await pilot.press("3")
        await shows(pilot, "4 wallets")
        asked = table.asked
        table.remove([rows[0].payment_transaction_id])
        ui.store.wallets.put([wallet(9, "new", "1")])
        ui.store.notify()
        await shows(pilot, "5 wallets")
        assert table.asked == asked
        await pilot.press("6")
        await shows(pilot, "2 payments")

    ui.play(scenario)


DARK = read_theme(shipped_path("themes") / "dark.toml").theme


class ListOnly(App[None]):
    """Nothing but a list."""

    def __init__(self, ledger: DataList[WalletId, Wallet]) -> None:
        super().__init__()
        self._ledger = ledger
        self.register_theme(DARK)
        self.theme = "dark"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(DARK.variables)

    def compose(self) -> ComposeResult:
        yield self._ledger


def _sliced(rows: Iterable[Wallet]) -> Iterable[Changes[WalletId, Wallet]]:
    pile = list(rows)
    for start in range(0, len(pile), 500):
        yield Changes(tuple(pile[start : start + 500]), (), version=start, more=True)


@pytest.mark.slow
def test_a_row_makes_its_sort_key_once_for_each_change(ui: Dashboard) -> None:
    made: list[WalletId] = []

    def key(row: Wallet) -> object:
        made.append(row.wallet_id)
        return row.available_balance

    app = ui.app()
    columns = tuple(
        replace(column, key=key) if column.title == "Available" else column
        for column in wallets(app.ui).columns
    )
    ledger: DataList[WalletId, Wallet] = DataList(
        columns, lambda row: row.wallet_id, sort="Available", descending=True
    )

    async def run() -> None:
        async with ListOnly(ledger).run_test(size=(80, 24)) as pilot:
            for changes in _sliced(wallet(n, "w", str(n * 7919 % 100_003)) for n in range(1_000)):
                ledger.apply(changes)
            ledger.settle()
            await pilot.pause()
            assert len(made) == 1_000
            made.clear()
            ledger.apply(Changes((wallet(5, "changed", "999999"),), (), version=1, more=False))
            ledger.settle()
            await pilot.pause()
            assert made == ["wal-5"]
            assert "999,999.00" in text(pilot).splitlines()[1]

    asyncio.run(run())


def test_a_cursor_that_moves_in_view_makes_no_cell_anew(ui: Dashboard) -> None:
    made: list[WalletId] = []

    def cell(row: Wallet) -> Cell:
        made.append(row.wallet_id)
        return text_cell(row.wallet_name)

    app = ui.app()
    columns = tuple(
        replace(column, cell=cell) if column.title == "Wallet" else column
        for column in wallets(app.ui).columns
    )
    ledger: DataList[WalletId, Wallet] = DataList(columns, lambda row: row.wallet_id)

    async def run() -> None:
        async with ListOnly(ledger).run_test(size=(80, 24)) as pilot:
            ledger.replace(wallet(n, f"desk {n:02}", "1") for n in range(50))
            ledger.focus()
            await pilot.pause()
            made.clear()
            await pilot.press("j", "j", "k")
            assert made == []
            assert text(pilot).splitlines()[2].startswith("▌ desk 01")
            await pilot.press("pagedown")  # one line past the 23 that were in view
            assert made == ["wal-23"]
            made.clear()
            ledger.apply(Changes((wallet(20, "renamed", "2"),), (), version=1, more=False))
            ledger.settle()
            assert "wal-20" in made
            assert "renamed" in text(pilot)

    asyncio.run(run())


def test_the_clock_says_the_time_of_the_service() -> None:
    cell = ClockCell(is_tinted=False)
    cell.tick(NOON + timedelta(seconds=59), UTC)
    assert cell.render().plain == "12:00:55 UTC"


def test_the_cursor_of_a_detail_view_paints_the_two_lines_between_which_it_moves(
    ui: Dashboard, painted: Painted
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Wallet id")
        painted.clear()
        await pilot.press("j")
        ((widget, regions),) = [note for note in painted if isinstance(note[0], DetailView)]
        assert regions == tuple(Region(0, y, widget.size.width, 1) for y in (1, 2))

    ui.play(scenario)


def test_a_detail_view_paints_nothing_when_others_change(ui: Dashboard, painted: Painted) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await shows(pilot, "Wallet id")
        painted.clear()
        ui.store.wallets.put([wallet(2, "AUD payroll", "71000", account=2)])
        ui.store.set_link(Link(LinkState.UNREACHABLE, since=NOON))
        ui.store.notify()
        await shows(pilot, "unreachable since 12:00")
        assert not [note for note in painted if isinstance(note[0], DetailView)]

    ui.play(scenario)


def test_widgets_render_only_the_rows_that_are_painted(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[Region] = []
    behind: list[Widget] = []
    render_lines = DataList.render_lines

    def noted(self: DataList[Hashable, object], crop: Region) -> list[Strip]:
        rendered.append(crop)
        return render_lines(self, crop)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "Wallet 20")
        monkeypatch.setattr(DataList, "render_lines", noted)
        monkeypatch.setattr(Widget, "render_lines", lambda widget, _: behind.append(widget))
        await pilot.press("down")
        await pilot.pause()
        assert sum(crop.height for crop in rendered) == 2  # the row before and the row now
        assert behind == []

    ui.store.wallets.put([wallet(number, f"Wallet {number}", "1") for number in range(1, 40)])
    ui.play(scenario, size=(80, 40))


def test_a_list_between_its_title_and_the_hints_is_not_rendered_with_them(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[Region] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "Wallet 9")
        monkeypatch.setattr(DataList, "render_lines", lambda _, crop: rendered.append(crop))
        for line in pilot.app.screen.query(SplitLine):
            line.refresh()
        await pilot.pause()
        assert rendered == []

    ui.store.wallets.put([wallet(number, f"Wallet {number}", "1") for number in range(1, 10)])
    ui.play(scenario)


def test_a_list_is_painted_anew_in_another_width(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "Wallet 9")
        beside = Widget()
        beside.styles.dock, beside.styles.width = "right", 10
        await pilot.app.screen.mount(beside)
        await pilot.pause()
        beside.styles.width = 5  # the columns stay as they are
        await pilot.pause()
        strips = pilot.app.screen.query_one(DataList).render_lines(Region(0, 0, 195, 20))
        assert {strip.cell_length for strip in strips} == {195}

    ui.store.wallets.put([wallet(number, f"Wallet {number}", "1") for number in range(1, 10)])
    ui.play(scenario, size=(200, 30))


def test_a_list_learns_its_height_although_its_region_was_asked_for_before(ui: Dashboard) -> None:
    """Textual 8.2.8 took a size that it computed for the region for one that it had told."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "Wallet 20")
        screen = pilot.app.screen
        widget = screen.query_one(DataList)
        widget.styles.height = 5
        await pilot.pause()
        assert "Wallet 20" not in text(pilot)
        widget.styles.height = 30
        for one in widget.ancestors:  # as their own messages have it, before the layout
            if isinstance(one, Widget):
                one._clear_arrangement_cache()
        screen._compositor._full_map_invalidated = True  # as on a new screen
        assert widget.region.height == 30
        await pilot.pause()
        assert "Wallet 20" in text(pilot)

    ui.store.wallets.put([wallet(number, f"Wallet {number}", "1") for number in range(1, 21)])
    ui.play(scenario, size=(80, 40))


def test_a_letter_of_a_filter_does_not_lay_out_the_screen(ui: Dashboard) -> None:
    laid_out: list[object] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "/", "w")
        await shows(pilot, "10 wallets")
        screen = pilot.app.screen
        screen.screen_layout_refresh_signal.subscribe(screen, laid_out.append, immediate=True)
        await pilot.press("space", "9")
        await shows(pilot, "1 wallet")
        assert laid_out == []

    ui.store.wallets.put([wallet(number, f"Wallet {number}", "1") for number in range(10)])
    ui.play(scenario)


def test_a_screen_is_not_laid_out_again_for_the_size_that_it_has(ui: Dashboard) -> None:
    laid_out: list[object] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Balances")
        screen, size = pilot.app.screen, pilot.app.size
        screen.screen_layout_refresh_signal.subscribe(screen, laid_out.append, immediate=True)
        screen.post_message(Resize(size, size))
        await pilot.pause()
        assert laid_out == []

    ui.play(scenario)


def test_a_new_screen_is_not_rendered_before_it_is_painted(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_vain: list[bool] = []
    render = DataList.render_lines

    def noted(self: DataList[Hashable, object], crop: Region) -> list[Strip]:
        assert isinstance(self.app, HookedApp)
        in_vain.append(self.app.is_batching)
        return render(self, crop)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Balances")
        monkeypatch.setattr(DataList, "render_lines", noted)
        await pilot.press("3")
        await until(pilot, lambda: bool(in_vain))
        await pilot.pause()
        assert True not in in_vain

    ui.store.wallets.put([wallet(number, f"Wallet {number}", "1") for number in range(1, 10)])
    ui.play(scenario)


class Noted(Message):
    """A message that the screen takes in before it learns what to paint."""


def test_what_waits_for_a_paint_comes_after_it(
    ui: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "Wallet 9")
        monkeypatch.setattr(pilot.app, "post_display_hook", lambda: order.append("painted"))
        widget = pilot.app.screen.query_one(DataList)
        widget.refresh()
        widget.post_message(Noted())
        widget.call_after_refresh(order.append, "after it")
        await until(pilot, lambda: "after it" in order)
        assert order == ["painted", "after it"]

    ui.store.wallets.put([wallet(number, f"Wallet {number}", "1") for number in range(1, 10)])
    ui.play(scenario)
