"""The row under the cursor counts: what it tells is filled in, and what to do with it is named."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.models import (
    Payment,
    PaymentAddressId,
    PaymentId,
    RecipientId,
    State,
    Trade,
    TradeId,
    WalletId,
)
from paytui.store.store import Store
from tests.support.clock import NOON
from tests.tui.book import AUD, AUD_USD, USD, USD_AUD, read, sheet
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text, until
from tests.tui.ticket.trading import fill

PAID = Payment(
    PaymentId("pay-7"),
    payment_type="payout",
    source_wallet_id=WalletId("wal-4"),
    recipient_id=RecipientId("rec-1"),
    payment_address_id=PaymentAddressId("adr-1"),
    amount=Decimal("1200.5"),
    currency=USD,
    status=State("rejected", final=True),
    reference="INV 7",
    created_at=NOON,
    updated_at=NOON,
)
BOOKED = Trade(
    TradeId("tra-1"),
    sell_wallet_id=WalletId("wal-1"),
    buy_wallet_id=WalletId("wal-4"),
    sell_currency=AUD,
    buy_currency=USD,
    sell_amount=Decimal(31250),
    buy_amount=Decimal(20000),
    dealt_side="sell",
    reference="HEDGE 3",
    status=State("exchanged", final=True),
    created_at=NOON,
)


@pytest.fixture
def desk() -> Dashboard:
    """A payout that was rejected, a trade, and a sheet of two pairs; wallets in each currency."""
    ui = Dashboard(store=Store(), settings=settings_of(watch=(USD_AUD, AUD_USD)))
    fill(ui.store)
    ui.store.payments.put([PAID])
    ui.store.trades.put([BOOKED])
    ui.store.rate_sheets.put([sheet("one", ui.clock, {USD_AUD: "1.53", AUD_USD: "0.65"})])
    read(ui.store, ui.clock)
    return ui


def field(pilot: Pilot[None], label: str) -> str:
    """Return the line of a ticket's field; empty if there is none."""
    shown = (line.removeprefix("▌").strip("▌ ") for line in lines(pilot))
    return next((line for line in shown if line.startswith(label)), "")


@pytest.mark.slow
@pytest.mark.parametrize("key", ["P", "T"])
def test_a_payment_is_repeated_whole_up_to_its_confirmation(desk: Dashboard, key: str) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", key)
        await shows(pilot, "Payout · confirm")
        assert "1,200.50 USD" in text(pilot)
        assert "INV 7" in text(pilot)
        assert ui.port.submitted == []

    desk.play(scenario)


@pytest.mark.parametrize("key", ["P", "T"])
def test_a_trade_is_repeated_whole_up_to_its_rate(desk: Dashboard, key: str) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("5", key)
        await shows(pilot, "Trade · confirm")
        assert "31,250.00 AUD" in text(pilot)
        assert "HEDGE 3" in text(pilot)
        assert ui.port.submitted == []

    desk.play(scenario)


def test_a_trade_on_a_trade_takes_the_pair_alone(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("5", "t")
        await shows(pilot, "Sell amount")
        assert "AUD" in field(pilot, "Sell ")
        assert "USD" in field(pilot, "Buy ")
        assert "31" not in field(pilot, "Sell amount")
        assert "HEDGE 3" not in text(pilot)

    desk.play(scenario)


@pytest.mark.slow
def test_a_trade_on_a_wallet_sells_its_currency_from_it(desk: Dashboard) -> None:
    """trader.md T2: what is under the cursor is filled in."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "slash", *"jpy", "enter", "t")
        await shows(pilot, "Trade · buy")
        assert "JPY" in field(pilot, "Sell ")
        assert "JPY desk" in field(pilot, "From")

    desk.play(scenario)


def test_a_payout_on_a_payment_takes_the_payee_and_leaves_the_amount_to_type(
    desk: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "p")
        await shows(pilot, "Payout · amount")
        assert "Foundry Inc" in field(pilot, "To")
        assert "1200" not in text(pilot).replace(",", "")

    desk.play(scenario)


def test_where_neither_is_under_the_cursor_that_is_said(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "T")
        await shows(pilot, "There is no payment or trade under the cursor to repeat.")

    desk.play(scenario)


def test_what_needs_attention_is_repeated_from_there(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await shows(pilot, "rejected")
        await pilot.press("P")
        await shows(pilot, "Payout · confirm")
        assert "1,200.50 USD" in text(pilot)

    desk.play(scenario)


def test_a_movement_of_a_wallet_stands_for_its_payment(desk: Dashboard) -> None:
    desk.store.trades.remove([BOOKED.trade_transaction_id])
    desk.store.payments.put([replace(PAID, source_wallet_id=WalletId("wal-1"), currency=AUD)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "m")
        await shows(pilot, "1 movement of")
        await pilot.press("D")
        await until(pilot, lambda: "Foundry Inc" in pilot.app.clipboard)
        await pilot.press("P")
        await shows(pilot, "Payout · ")
        assert "Foundry Inc" in text(pilot)

    desk.play(scenario)


@pytest.mark.parametrize("where", [("4",), ("1", "tab", "tab")])
def test_enter_on_a_rate_opens_the_ticket_of_its_pair_and_the_footer_says_so(
    desk: Dashboard, where: tuple[str, ...]
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(*where)
        await until(pilot, lambda: "⏎ Trade" in lines(pilot)[-1])
        await pilot.press("j", "enter")
        await shows(pilot, "Sell amount")
        assert "AUD" in field(pilot, "Sell ")
        assert "USD" in field(pilot, "Buy ")

    desk.play(scenario)


def test_enter_without_a_rate_opens_nothing(desk: Dashboard) -> None:
    desk.store.rate_sheets.remove([one.rate_sheet_id for one in desk.store.rate_sheets.rows()])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("4", "enter")
        await pilot.pause()
        assert len(pilot.app.screen_stack) == 1

    desk.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["1", "5", "6", "7"])
def test_footers_name_the_ways_to_move_money_where_there_is_room(
    desk: Dashboard, mode: str
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(mode)
        await until(pilot, lambda: "t Trade   p Pay   x Transfer" in lines(pilot)[-1])

    desk.play(scenario, size=(120, 40))


def test_the_overview_names_them_on_80_columns(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "t Trade   p Pay   x Transfer" in lines(pilot)[-1])

    desk.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["1", "3", "4", "5", "6", "7"])
def test_footers_of_a_read_only_profile_name_none_of_them(mode: str) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press(mode)
        await until(pilot, lambda: "r Refresh" in lines(pilot)[-1])
        for words in ("Trade", "Pay  ", "Transfer"):
            assert words not in lines(pilot)[-1].replace("Pay-ins", "")

    Dashboard(settings=settings_of(read_only=True)).play(scenario, size=(160, 40))


@pytest.mark.slow
def test_a_ticket_offers_no_other_ticket(desk: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "P")
        await shows(pilot, "Payout · confirm")
        assert "Trade" not in lines(pilot)[-1]
        await pilot.press("question_mark")
        await shows(pilot, "esc: back")
        assert "Transfer" not in text(pilot)

    desk.play(scenario, size=(120, 60))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "offered", "comes"),
    [
        ("trade (t", "Trade (t)", "Sell amount"),
        ("pay (p", "Pay (p)", "Payout · "),
        ("transfer", "Transfer (x)", "Transfer · "),
        ("repeat", "Repeat (P)", "Payout · confirm"),
    ],
)
def test_the_palette_has_them_all(desk: Dashboard, typed: str, offered: str, comes: str) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "ctrl+p")
        for letter in typed:
            await pilot.press({" ": "space", "(": "left_parenthesis"}.get(letter, letter))
        await shows(pilot, offered)
        await pilot.press("enter")
        await shows(pilot, comes)

    desk.play(scenario)
