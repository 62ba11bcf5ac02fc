"""The line with the sums of a list."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Kind, State, Trade, TradeId
from paytui.domain.money import CurrencyCode
from paytui.store.health import Feed
from paytui.store.sums import Sums, Total
from paytui.tui.list_totals import sum_words
from tests.tui.book import failed, payment
from tests.tui.dashboard import Dashboard, lines, shows, text, until
from tests.tui.test_filtering import type_in

GBP, JPY, USD = map(CurrencyCode, ("GBP", "JPY", "USD"))


def test_it_sums_exactly_the_rows_listed(ui: Dashboard) -> None:
    """12,000 + 2,500.50 + 100 AUD, whatever their status."""
    yen = replace(payment(4, "700", "failed"), currency=JPY)
    nothing = replace(payment(5, "1"), amount=None)
    ui.store.payments.put([yen, nothing])

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, " 5 payments · AUD 14,600.50 · JPY 700 · 1 without value\n")
        await type_in(pilot, "-status:failed")
        await shows(pilot, " 4 payments · AUD 14,600.50 · 1 without value")
        ui.store.payments.put([payment(6, "0.25")])
        ui.store.notify()
        await shows(pilot, " 5 payments · AUD 14,600.75 · 1 without value")
        await pilot.press("escape", "/", *"bogus")
        await shows(pilot, "0 payments")
        assert "AUD" not in text(pilot)

    ui.play(scenario)


def test_it_sums_the_marked_rows_if_there_are_any(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "space", "j", "space")
        await shows(pilot, " 2 marked · AUD 12,100.00")
        await pilot.press("escape")
        await shows(pilot, " 3 payments · AUD 14,600.50")

    ui.play(scenario)


def test_rows_that_are_missing_are_told(ui: Dashboard) -> None:
    feed = ui.store.feed(Kind.PAYMENTS)

    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        ui.store.set_feed(Feed(Kind.PAYMENTS))
        await pilot.press("6")
        await shows(pilot, " 3+ payments, by Created ▼ ")
        assert " 3+ payments · AUD 14,600.50\n" in text(pilot)
        await pilot.press("b", "enter")
        await shows(pilot, " 3+ payments by Status ")
        await pilot.press("escape")
        failed(ui.store, Kind.PAYMENTS, "503")
        await shows(pilot, " payments read in part: 503, since 14:02 ")
        ui.store.set_feed(replace(feed, skipped=1))
        ui.store.notify()
        await shows(pilot, " 1 unreadable ")
        assert text(pilot).count(" 3+ payments") == 2
        ui.store.set_feed(feed)
        failed(ui.store, Kind.PAYMENTS, "503")  # it is late, and was read whole before
        await shows(pilot, " payments 0 s old: 503")
        assert text(pilot).count(" 3 payments") == 2

    ui.play(scenario)


@pytest.mark.parametrize("problem", ["", "503"])
def test_a_number_that_is_unknown_is_not_shown(empty: Dashboard, problem: str) -> None:
    if problem:
        failed(empty.store, Kind.PAYMENTS, problem)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "\n─ payments, by Created ▼ ")
        assert "0 payments" not in text(pilot)

    empty.play(scenario)


def test_trades_are_summed_by_what_they_sell(ui: Dashboard) -> None:
    def trade(number: int, sold: str, currency: CurrencyCode) -> Trade:
        return Trade(
            TradeId(f"trd-{number}"),
            sell_currency=currency,
            buy_currency=USD,
            sell_amount=Decimal(sold),
            buy_amount=Decimal(5),
            status=State("exchanged"),
        )

    ui.store.trades.put([trade(1, "10", GBP), trade(2, "700", JPY), trade(3, "0.5", GBP)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("5")
        await shows(pilot, " 3 trades · sold GBP 10.50 · JPY 700")

    ui.play(scenario)


def test_wallets_are_summed_by_what_is_available(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, " 4 wallets · available AUD 1,274,330.15 · JPY 45,120,900 · USD")
        await pilot.press("2")
        await until(pilot, lambda: "available" not in lines(pilot)[-2])

    ui.play(scenario)


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (80, "9 payments · USD 5.00 · GBP 1.10 · JPY 7,000,000,000 · 1 without value"),
        (69, "9 payments · USD 5.00 · GBP 1.10 · +1 more currency"),
        (65, "9 payments · USD 5.00 · +2 more currencies"),
        (44, "9 payments · USD 5.00 · +2 · 1 without value"),
        (20, "9 payments"),
    ],
)
def test_amounts_that_do_not_fit_are_counted(width: int, expected: str) -> None:
    totals = (
        Total(USD, Decimal(5), 4),
        Total(GBP, Decimal("1.1"), 3),
        Total(JPY, Decimal(7_000_000_000), 2, untold=1),
    )
    assert sum_words("9 payments", "", Sums(9, totals, 0), width).startswith(expected)
