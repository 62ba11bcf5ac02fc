"""Today's sold and bought totals; sums and averages are worked out by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.config.settings import OverviewSettings
from paytui.domain.models import AccountId, Kind, State, Trade, TradeId, WalletId
from paytui.domain.rates import parse_day_start
from paytui.store.figures import TradedTotal
from paytui.store.health import Feed
from paytui.tui.screens.overview_today import gain_cell, payments_by_state
from tests.support.clock import NOON
from tests.tui.book import AUD, AUD_USD, USD, failed
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, tells, text, tick


def trade(
    name: str, sold: str, bought: str, status: str = "exchanged", *, hours_ago: float = 1
) -> Trade:
    """AUD of Acme for USD."""
    return Trade(
        TradeId(name),
        account_id=AccountId("acc-1"),
        sell_currency=AUD,
        buy_currency=USD,
        sell_amount=Decimal(sold),
        buy_amount=Decimal(bought),
        status=State(status),
        created_at=NOON - timedelta(hours=hours_ago),
    )


def beginning(ui: Dashboard, day_starts: str) -> Dashboard:
    overview = OverviewSettings(day_starts=parse_day_start(day_starts))
    return replace(ui, settings=replace(settings_of(), overview=overview))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_what_was_dealt_is_added_up_with_its_average_and_direction(
    ui: Dashboard, size: tuple[int, int]
) -> None:
    """65,000 + 198,000 = 263,000 for 400,000: 0.6575."""
    trades = [
        trade("a", "100000", "65000"),
        trade("b", "300000", "198000", "compliance_review"),
        trade("c", "7", "1", "rejected"),
        trade("d", "7", "1", hours_ago=12.5),
    ]
    ui.store.trades.put(trades)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, "400,000.00 AUD 263,000.00 USD 0.657500")
        assert "since 00:00 UTC" in text(pilot)
        assert "Avg rate" in text(pilot)

    ui.play(scenario, size)


def test_how_many_trades_there_are_and_how_many_are_open_is_said(ui: Dashboard) -> None:
    ui.store.trades.put([trade("a", "100000", "65000"), trade("b", "1", "1", "awaiting_funds")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "2 (1 open)")

    ui.play(scenario)


def test_a_small_terminal_keeps_both_amounts_and_the_average_whole(ui: Dashboard) -> None:
    ui.store.trades.put([trade("a", "123456789.12", "87654321.98")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        # 87,654,321.98 / 123,456,789.12 = 0.7100000061…
        await tells(pilot, "123,456,789.12 AUD 87,654,321.98 USD 0.7100000")
        assert "#" not in text(pilot)

    ui.play(scenario, size=(60, 20))


def test_very_large_amounts_have_the_average_give_way_and_neither_amount(ui: Dashboard) -> None:
    ui.store.trades.put([trade("a", "9876543210123.12", "8765432109876.98")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, "9,876,543,210,123.12 AUD 8,765,432,109,876.98 USD")
        await tells(pilot, "Sold Bought")
        assert "Avg rate" not in text(pilot)
        assert "#" not in text(pilot)

    ui.play(scenario, size=(120, 40))


@pytest.mark.slow
def test_the_day_begins_when_the_desk_says(ui: Dashboard) -> None:
    """07:00 in Sydney is 20:00 UTC of the day before: 16 hours before noon."""
    ui.store.trades.put(
        [trade("in", "5", "3", hours_ago=15.9), trade("out", "7", "4", hours_ago=16.1)]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "since 07:00 Sydney")
        await tells(pilot, "5.00 AUD 3.00 USD 0.600000 1 ")

    beginning(ui, "07:00 Australia/Sydney").play(scenario)


def test_a_new_day_begins_with_nothing_although_nothing_else_changed(ui: Dashboard) -> None:
    ui.store.trades.put([trade("a", "5", "3")])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "5.00 AUD")
        ui.clock.advance(timedelta(hours=12).total_seconds())
        await tick(pilot)
        await shows(pilot, "No trades since 00:00 UTC.")

    ui.play(scenario)


@pytest.mark.slow
def test_a_trade_that_is_rejected_leaves_the_day(ui: Dashboard) -> None:
    ui.store.trades.put([trade("a", "5", "3", "compliance_review"), trade("b", "7", "4")])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "12.00 AUD")
        ui.store.trades.put([trade("a", "5", "3", "rejected")])
        ui.store.notify()
        await shows(pilot, " 7.00 AUD")

    ui.play(scenario)


def test_a_trade_that_names_no_account_is_that_of_the_wallet_it_sells_from(
    ui: Dashboard,
) -> None:
    nameless = replace(trade("a", "5", "3"), account_id=None, sell_wallet_id=WalletId("wal-1"))
    ui.store.trades.put([nameless])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        pilot.app.show_account(AccountId("acc-1"))  # type: ignore[attr-defined]  # the app is ours
        await shows(pilot, "5.00 AUD")
        await pilot.press("5")
        await shows(pilot, "1 trade")
        pilot.app.show_account(AccountId("acc-2"))  # type: ignore[attr-defined]  # the app is ours
        await shows(pilot, "0 trades")

    ui.play(scenario)


def test_one_account_has_a_day_of_its_own(ui: Dashboard) -> None:
    ui.store.trades.put([trade("a", "5", "3")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "5.00 AUD")
        await pilot.press("a")
        await shows(pilot, "Bolt")
        await pilot.press("j", "j", "enter")
        await shows(pilot, "No trades by this account since 00:00 UTC.")

    ui.play(scenario)


def test_a_list_of_trades_that_is_not_there_yet_fails_or_is_not_offered_says_so(
    empty: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Loading trades")
        failed(ui.store, Kind.TRADES, "503")
        await shows(pilot, "Could not read trades: 503")
        ui.store.set_feed(Feed(Kind.TRADES, offered=False))
        ui.store.notify()
        await shows(pilot, "This service offers no list of trades.")

    empty.play(scenario)


@pytest.mark.slow
def test_enter_leads_to_the_trades(ui: Dashboard) -> None:
    ui.store.trades.put([trade("a", "5", "3")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "5.00 AUD")
        await pilot.press("tab", "tab", "tab", "enter")
        await shows(pilot, "1 trade")
        assert any("by Created" in line for line in lines(pilot))

    ui.play(scenario)


@pytest.mark.parametrize(
    ("bought", "words"),
    [
        ("1000", "0.0 bp"),
        ("1001.54", "+15.4 bp"),
        ("900.1", "-999.0 bp"),
        ("900", "-10 %"),
        ("1120", "+12 %"),
        ("9990", "+899 %"),
        ("1300000", "1,300 ×"),
        ("100", "1/10 ×"),
        ("0.769", "1/1,300 ×"),
        ("0", "-100 %"),
    ],
)
def test_far_from_the_market_says_how_far(bought: str, words: str) -> None:
    total = TradedTotal(AUD_USD, Decimal(1_000), Decimal(bought), 1, 0, 0, market=Decimal(1))
    assert gain_cell(total).text == words


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (55, "payouts: 1 failed, 10 completed; transfers: 3 completed"),
        (54, "payouts: 1 failed, 10 completed; 3 more"),
        (38, "payouts: 1 failed; 13 more"),
    ],
)
def test_what_of_the_payments_does_not_fit_is_counted(width: int, words: str) -> None:
    done = State("completed", final=True)
    counts = Counter(
        {("transfer", done): 3, ("payout", done): 10, ("payout", State("failed", final=True)): 1}
    )
    assert payments_by_state(counts, width).plain == words
