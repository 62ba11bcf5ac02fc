"""Objects that need attention, and the way to each of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.models import AccountId, Kind, PayIn, PayInId, State, Trade, TradeId, WalletId
from tests.support.clock import NOON
from tests.support.intents import intent_row
from tests.tui.book import AUD, JPY, failed, payment, wallet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, tells, text


def line_with(pilot: Pilot[None], words: str) -> str:
    return next((line for line in lines(pilot) if words in line), "")


@pytest.fixture
def quiet(ui: Dashboard) -> Dashboard:
    """A book in which nothing needs anybody."""
    ui.store.payments.remove(row.payment_transaction_id for row in ui.store.payments.rows())
    return ui


def with_floors(ui: Dashboard, **floors: str) -> Dashboard:
    amounts = {of: Decimal(amount) for of, amount in floors.items()}
    return replace(ui, settings=replace(settings_of(), floors=amounts))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
def test_each_is_told_with_its_amount_what_is_the_matter_and_its_age(
    ui: Dashboard, size: tuple[int, int]
) -> None:
    ui.store.intents.put([intent_row(1, minutes_ago=2)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Needs attention  2")
        doubtful = line_with(pilot, "1,200.00 USD").partition("│")[0].split()
        assert doubtful[-7:] == ["payout", "1,200.00", "USD", "in", "doubt", "2", "min"]
        assert "rejected" in line_with(pilot, "12,000.00 AUD")

    ui.play(scenario, size)


def test_a_wallet_below_its_floor_is_named_with_what_it_holds_and_leads_to_it(
    quiet: Dashboard,
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, "wallet AUD payroll 70,000.00 AUD below floor")
        await pilot.press("enter")
        await shows(pilot, "Wallet AUD payroll")
        await pilot.press("escape")
        ui.store.wallets.put([wallet(2, "AUD payroll", "100000", account=2)])
        ui.store.notify()
        await shows(pilot, "Nothing needs attention.")

    with_floors(quiet, AUD="100000").play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_two_wallets_of_one_name_are_told_apart(quiet: Dashboard, size: tuple[int, int]) -> None:
    quiet.store.wallets.put(
        [
            wallet(5, "JPY desk", "10", account=2),
            wallet(6, "JPY desk", "20"),
            wallet(71, "Bolt reserve", "30", account=2),
            wallet(72, "Bolt reserve", "40", account=2),
        ]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for amount, start in (
            ("10.00 AUD", "Bolt: JPY"),
            ("20.00 AUD", "…wal-6: J"),  # wal-3 is another one of Acme's
            ("30.00 AUD", "…wal-71:"),
            ("40.00 AUD", "…wal-72:"),
        ):
            await shows(pilot, amount)
            assert start in line_with(pilot, f" {amount}")

    with_floors(quiet, AUD="100").play(scenario, size)


@pytest.mark.slow
def test_a_long_name_gives_way_to_the_amount(quiet: Dashboard) -> None:
    quiet.store.wallets.put([wallet(7, "A wallet with a name that nobody can say", "1234567.89")])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, "… 1,234,567.89 AUD")
        assert "#" not in text(pilot)

    with_floors(quiet, AUD="2000000").play(scenario, size=(60, 20))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "title"),
    [
        (Kind.WALLETS, "4 wallets"),
        (Kind.PAYINS, "0 pay-ins"),
        (Kind.PAYMENT_ADDRESSES, "0 recipients"),
        (Kind.RATE_SHEETS, "No sheet"),
    ],
)
def test_a_failing_list_leads_to_that_list(quiet: Dashboard, kind: Kind, title: str) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "Nothing needs attention.")
        failed(ui.store, kind, "503")
        await shows(pilot, "Needs attention  1")
        await pilot.press("enter")
        await shows(pilot, title)

    quiet.play(scenario)


def test_a_trade_and_a_pay_in_that_are_held_lead_to_their_details(quiet: Dashboard) -> None:
    held, since = State("compliance_review"), NOON - timedelta(minutes=41)
    quiet.store.trades.put(
        [
            Trade(
                TradeId("trd-1"),
                account_id=AccountId("acc-1"),
                sell_currency=AUD,
                buy_currency=JPY,
                sell_amount=Decimal(250_000),
                status=held,
                created_at=since,
            )
        ]
    )
    quiet.store.payins.put(
        [
            PayIn(
                PayInId("pin-1"),
                wallet_id=WalletId("wal-1"),
                amount=Decimal(7),
                currency=AUD,
                status=held,
                created_at=since - timedelta(minutes=1),
            )
        ]
    )

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, "trade AUD > JPY 250,000.00 AUD in review 41 min")
        await shows(pilot, "pay-in")
        await pilot.press("enter")
        await shows(pilot, "Overview › Trade 250,000.00 AUD > JPY")
        await pilot.press("escape", "j", "enter")
        await shows(pilot, "Overview › Pay-in 7.00 AUD")

    quiet.play(scenario)


@pytest.mark.slow
def test_what_comes_above_the_cursor_does_not_move_it_to_another_row(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await tells(pilot, "▌ ! payout 12,000.00 AUD")
        ui.store.intents.put([intent_row(1)])
        ui.store.payments.put([payment(9, "5", "failed")])
        ui.store.notify()
        await shows(pilot, "Needs attention  3")
        assert line_with(pilot, "▌").split()[:4] == ["▌", "!", "payout", "12,000.00"]

    ui.play(scenario)
