"""`D` copies a trade or payment as a deal ticket: plain text, the service's figures alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from textual.pilot import Pilot

from paytui.domain.models import (
    AccountId,
    PaymentAddressId,
    RateSheetId,
    Recipient,
    RecipientId,
    State,
    Trade,
    TradeId,
    WalletId,
)
from tests.support.clock import NOON
from tests.tui.book import AUD, USD, payment
from tests.tui.dashboard import Dashboard, settings_of, shows

TRADE = Trade(
    TradeId("trd-1"),
    account_id=AccountId("acc-1"),
    sell_currency=AUD,
    buy_currency=USD,
    sell_amount=Decimal(250000),
    buy_amount=Decimal("162807.5"),
    dealt_side="sell",
    rate=Decimal("0.65123"),
    rate_sheet_id=RateSheetId("sh-1"),
    sell_wallet_id=WalletId("wal-1"),
    buy_wallet_id=WalletId("wal-4"),
    status=State("exchanged", final=True),
    reference="INV 7",
    created_at=NOON,
    exchanged_at=NOON + timedelta(seconds=3),
)

# 1 / 0.65123 = 1.5355557…, to seven digits 1.535556
TRADE_TICKET = """\
Service       api.acme.example, profile acme (LIVE)
Trade         trd-1
Sold          250,000.00 AUD
Bought        162,807.50 USD
Rate          1 AUD = 0.65123 USD
Inverse       1 USD = 1.535556 AUD
Fixed side    sell
Status        ✓ exchanged
Account       Acme (acc-1)
From wallet   AUD desk (wal-1)
To wallet     USD desk (wal-4)
Reference     INV 7
Rate sheet    sh-1
Created       2026-03-02 12:00:00 UTC
Exchanged     2026-03-02 12:00:03 UTC
As read       2026-03-02 12:00:00 UTC
"""


@pytest.mark.slow
def test_a_trade_is_copied_with_both_amounts_the_booked_rate_and_times_in_utc(
    ui: Dashboard,
) -> None:
    ui.settings = settings_of(live=True)
    ui.store.trades.put([TRADE])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("z")  # the ticket is in UTC whatever the screen is in
        await pilot.press("5", "enter")
        await shows(pilot, "Fixed side")
        await pilot.press("D")
        assert pilot.app.clipboard == TRADE_TICKET
        await shows(pilot, "copied the deal ticket")

    ui.play(scenario)


def test_a_payment_in_a_list_is_copied_with_its_recipient_and_end_to_end_id(
    ui: Dashboard,
) -> None:
    ui.store.recipients.put([Recipient(RecipientId("rec-1"), company_name="Bolt Pty Ltd")])
    paid = replace(
        payment(3, "12000", "released"),
        recipient_id=RecipientId("rec-1"),
        payment_address_id=PaymentAddressId("adr-1"),
        source_wallet_id=WalletId("wal-1"),
        end_to_end_id="E2E-9",
    )
    ui.store.payments.put([paid])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "D")
        told = pilot.app.clipboard.splitlines()
        assert "Service       127.0.0.1:8080, profile demo (test)" in told
        assert "Amount        12,000.00 AUD" in told
        assert "To recipient  Bolt Pty Ltd (rec-1)" in told
        assert "To address    adr-1" in told
        assert "End-to-end id E2E-9" in told
        assert "Status        ✓ released" in told

    ui.play(scenario)


def test_what_was_not_booked_yet_is_a_dash_and_no_figure_of_ours(ui: Dashboard) -> None:
    waiting = State("awaiting_funds")
    ui.store.trades.put([replace(TRADE, buy_amount=None, rate=None, status=waiting)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("5", "D")
        told = pilot.app.clipboard.splitlines()
        assert "Bought        —" in told
        assert "Rate          —" in told
        assert "Inverse       —" in told

    ui.play(scenario)


def test_of_anything_else_there_is_no_ticket_and_that_is_said(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "D")
        await shows(pilot, "There is no trade or payment under the cursor.")
        assert pilot.app.clipboard == ""

    ui.play(scenario)
