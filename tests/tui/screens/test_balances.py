"""Balances and amounts in progress; every expected figure is worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.config.settings import OverviewSettings
from paytui.domain.models import AccountId, Kind, Problem, State, Trade, TradeId, WalletId
from paytui.domain.money import CurrencyCode
from paytui.store.health import Feed
from tests.support.clock import NOON
from tests.tui.book import AUD, AUD_USD, JPY, USD, USD_AUD, failed, read, sheet, wallet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text, until

SIZES = [(60, 20), (120, 40)]


def line_of(pilot: Pilot[None], label: str) -> list[str]:
    """The figures in the line of a currency, without its sparkline."""
    halves = (half.strip(" ▌▐│") for line in lines(pilot) for half in line.split("│"))
    found = next(half for half in halves if half.startswith(f"{label} "))
    return found.split()


def sold(amount: str, bought: str | None, status: str = "compliance_review") -> Trade:
    """AUD of Acme for JPY."""
    return Trade(
        TradeId("t"),
        account_id=AccountId("acc-1"),
        sell_currency=AUD,
        buy_currency=JPY,
        sell_amount=Decimal(amount),
        buy_amount=None if bought is None else Decimal(bought),
        sell_wallet_id=WalletId("wal-1"),
        buy_wallet_id=WalletId("wal-3"),
        status=State(status),
        created_at=NOON,
    )


def reporting(ui: Dashboard, currency: CurrencyCode) -> Dashboard:
    overview = OverviewSettings(reporting_currency=currency)
    return replace(ui, settings=replace(settings_of(), overview=overview))


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_net_positions_stand_beside_what_is_available(ui: Dashboard, size: tuple[int, int]) -> None:
    """AUD 1,204,330.15 + 70,000 - 250,000 - 100: of the payouts one is under way."""
    ui.store.trades.put([sold("250000", "24500000")])
    under_way, *others = ui.store.payments.rows()
    done = State("completed", final=True)
    ui.store.payments.put(
        [replace(under_way, status=State("processing")), *(replace(x, status=done) for x in others)]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "1,274,330.15")
        assert line_of(pilot, "AUD")[1:3] == ["1,274,330.15", "1,024,230.15"]
        assert line_of(pilot, "JPY")[1:3] == ["45,120,900", "69,620,900"]
        assert line_of(pilot, "USD")[1:3] == ["88,210.40", "88,210.40"]

    ui.play(scenario, size)


def test_a_position_follows_what_is_under_way(ui: Dashboard) -> None:
    ui.store.payments.remove(row.payment_transaction_id for row in ui.store.payments.rows())

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Net position")
        ui.store.trades.put([sold("250000", "24500000")])
        ui.store.notify()
        await until(pilot, lambda: line_of(pilot, "AUD")[2] == "1,024,330.15")
        done = State("exchanged", final=True)
        ui.store.trades.put([replace(sold("250000", "24500000"), status=done)])
        ui.store.notify()
        await until(pilot, lambda: line_of(pilot, "AUD")[2] == "1,274,330.15")

    ui.play(scenario)


@pytest.mark.slow
def test_one_account_has_positions_of_its_own(ui: Dashboard) -> None:
    ui.store.payments.remove(row.payment_transaction_id for row in ui.store.payments.rows())
    ui.store.trades.put([sold("250000", "24500000")])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("a")
        await shows(pilot, "Bolt")
        await pilot.press("j", "j", "enter")  # all accounts, Acme, Bolt
        await until(pilot, lambda: line_of(pilot, "AUD")[1:3] == ["70,000.00", "70,000.00"])

    ui.play(scenario)


def test_without_the_list_of_trades_no_net_position_is_claimed() -> None:
    ui = Dashboard()
    ui.store.wallets.put([wallet(1, "AUD desk", "5")])
    read(ui.store, ui.clock, Kind.WALLETS, Kind.PAYMENTS)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "net: trades not read")
        ui.store.trades.put([replace(sold("1", "98"), status=State("exchanged", final=True))])
        ui.store.notify()
        await shows(pilot, "net: trades read in part")
        assert line_of(pilot, "AUD")[1:3] == ["5.00", "—"]
        read(ui.store, ui.clock, Kind.TRADES)
        await until(pilot, lambda: line_of(pilot, "AUD")[2] == "5.00")
        assert "net:" not in text(pilot)

    ui.play(scenario)


def test_a_service_without_a_list_of_trades_is_named_beside_the_positions(ui: Dashboard) -> None:
    ui.store.set_feed(Feed(Kind.TRADES, offered=False))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "net without trades")

    ui.play(scenario)


@pytest.mark.parametrize(
    ("total", "words"),
    [(5300, "net: 5,297 payments not read"), (3, "net: 2 unreadable payments")],
)
def test_a_list_that_was_read_in_part_is_named_beside_the_positions(
    ui: Dashboard, total: int, words: str
) -> None:
    read_at = ui.clock.boot()
    ui.store.set_feed(Feed(Kind.PAYMENTS, as_of=NOON, read_at=read_at, total=total, skipped=2))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, words)
        await until(pilot, lambda: "shorts unknown" in lines(pilot)[2])

    ui.play(scenario)


def test_a_list_that_was_cut_short_is_named_beside_the_positions(ui: Dashboard) -> None:
    """Nobody says how many payments there are."""
    cut = replace(ui.store.feed(Kind.PAYMENTS), cut=True, problem=Problem("read", "cut short"))
    ui.store.set_feed(cut)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "net: payments cut short")

    ui.play(scenario)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_sum_that_lacks_the_balance_of_a_wallet_says_so(
    ui: Dashboard, size: tuple[int, int]
) -> None:
    """1,204,330.15 and 70,000 AUD are told; a third wallet does not tell."""
    silent = replace(wallet(9, "silent", "1"), available_balance=None)
    ui.store.wallets.put([silent])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "AUD lacks 1 balance")
        assert line_of(pilot, "AUD")[1] == "1,274,330.15"
        jpy = replace(wallet(10, "silent too", "1", currency=JPY), available_balance=None)
        ui.store.wallets.put([jpy])
        ui.store.notify()
        await shows(pilot, "2 currencies lack balances")

    ui.play(scenario, size)


def test_a_line_counts_the_wallets_that_are_in_its_sum(ui: Dashboard) -> None:
    ui.store.wallets.put([replace(wallet(9, "silent", "1"), available_balance=None)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "AUD lacks 1 balance")
        assert line_of(pilot, "AUD")[-3:] == ["2", "of", "3"]

    ui.play(scenario, size=(200, 60))


def test_an_amount_that_is_not_told_is_counted_beside_the_positions(ui: Dashboard) -> None:
    ui.store.trades.put([sold("250000", None)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "net lacks 1 amount")

    ui.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(
    "feed",
    [
        Feed(Kind.WALLETS),
        Feed(Kind.WALLETS, offered=False),
        Feed(Kind.WALLETS, as_of=NOON, offered=False, tracked=1),
        Feed(Kind.WALLETS, as_of=NOON, total=2),
        Feed(Kind.WALLETS, as_of=NOON, cut=True),
    ],
    ids=["never read", "not offered", "tracked", "read in part", "cut short"],
)
def test_a_currency_whose_wallets_are_not_known_has_no_figures(feed: Feed) -> None:
    ui = Dashboard()
    ui.store.trades.put([sold("250000", "24500000")])
    read(ui.store, ui.clock, Kind.TRADES, Kind.PAYMENTS)
    ui.store.set_feed(feed)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Balances  2")
        assert line_of(pilot, "AUD")[1:3] == ["—", "—"]
        assert line_of(pilot, "JPY")[1:3] == ["—", "—"]
        assert line_of(pilot, "≈AUD")[1:3] == ["—", "—"]

    reporting(ui, AUD).play(scenario, size=(120, 40))


@pytest.mark.slow
def test_a_failing_list_of_wallets_goes_before_all_other_words(ui: Dashboard) -> None:
    ui.store.trades.put([sold("250000", None)])
    failed(ui.store, Kind.WALLETS, "503")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "wallets 0 s old: 503")
        assert all("net lacks" not in line for line in lines(pilot) if "Balances" in line)

    ui.play(scenario)


def test_nothing_is_added_across_currencies_unless_it_is_wanted(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "1,274,330.15")
        assert "≈" not in text(pilot)

    ui.play(scenario)


@pytest.mark.parametrize("size", SIZES)
def test_all_in_one_currency_says_by_which_rates_and_what_is_left_out(
    ui: Dashboard, size: tuple[int, int]
) -> None:
    """1,274,330.15 + 88,210.40 x 1.5 = 1,406,645.75; JPY is not priced."""
    ui.store.payments.remove(row.payment_transaction_id for row in ui.store.payments.rows())
    ui.store.rate_sheets.put([sheet("one", ui.clock, {USD_AUD: "1.5"})])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "1 ccy unpriced")
        assert line_of(pilot, "≈AUD")[1:3] == ["1,406,645.75", "1,406,645.75"]
        ui.clock.advance(150 + 125)
        read(ui.store, ui.clock)
        await shows(pilot, "1 ccy unpriced, rates expired")

    reporting(ui, AUD).play(scenario, size)


def test_the_inverse_of_buying_serves_where_selling_is_not_priced(ui: Dashboard) -> None:
    """88,210.40 USD + 1,274,330.15 AUD x 0.5 = 725,375.475, half-even 725,375.48."""
    ui.store.payments.remove(row.payment_transaction_id for row in ui.store.payments.rows())
    ui.store.rate_sheets.put([sheet("one", ui.clock, {AUD_USD: "0.5"})])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "725,375.48")

    reporting(ui, USD).play(scenario)


@pytest.mark.slow
def test_without_any_rates_it_says_so(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "no rates yet")
        assert line_of(pilot, "≈AUD")[1] == "1,274,330.15"

    reporting(ui, AUD).play(scenario, size=(120, 40))


def test_enter_leads_to_the_wallets_of_the_currency(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "1,274,330.15")
        await pilot.press("tab", "enter")
        await shows(pilot, "2 wallets, filtered")
        assert "ccy:aud" in text(pilot)
        await pilot.press("1", "j", "enter")
        await shows(pilot, "1 wallet, filtered")
        assert "JPY desk" in text(pilot)
        await pilot.press("escape")
        await shows(pilot, "4 wallets")

    ui.play(scenario)


def test_enter_on_the_converted_total_leads_to_all_wallets(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "≈AUD")
        await pilot.press("tab", "G", "enter")
        await shows(pilot, "ccy:usd")
        await pilot.press("1", "g", "enter")
        await shows(pilot, "4 wallets")

    reporting(ui, AUD).play(scenario, size=(120, 40))
