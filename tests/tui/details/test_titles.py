"""Titles of objects: what they are, with the amount first and never an account's number."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.domain import models
from paytui.domain.money import CurrencyCode
from paytui.tui.details.common_facts import title_of
from paytui.tui.format.cells import toned
from paytui.tui.widgets.text import PathLine
from tests.tui.book import AUD, USD, account, local_address, payment, wallet
from tests.tui.dashboard import Dashboard

BOLT = models.RecipientId("rec-1")
TRADE = models.Trade(
    models.TradeId("trd-1"), sell_currency=AUD, sell_amount=Decimal(1000), buy_currency=USD
)
PAYIN = models.PayIn(models.PayInId("pin-1"), amount=Decimal("5.5"), currency=AUD)
ADDRESS = models.PaymentAddress(
    models.PaymentAddressId("pad-1"), BOLT, currency=USD, account_number="4445225058"
)
PAID = payment(9, "845.77")


@pytest.mark.parametrize(
    ("row", "title"),
    [
        (replace(PAID, recipient_id=BOLT), "Payout 845.77 AUD to Bolt Ltd"),
        (
            replace(PAID, payment_type="transfer", destination_wallet_id=models.WalletId("wal-7")),
            "Transfer 845.77 AUD to USD desk",
        ),
        (replace(PAID, payment_type="x" * 90), "Payment 845.77 AUD"),
        (replace(PAID, amount=None), "Payout"),
        (replace(PAID, amount=Decimal("1E+50")), "Payout"),
        (TRADE, "Trade 1,000.00 AUD > USD"),
        (replace(TRADE, sell_amount=None), "Trade AUD > USD"),
        (replace(TRADE, sell_amount=None, buy_amount=Decimal(7)), "Trade AUD > 7.00 USD"),
        (replace(PAYIN, sender_name="Zofia"), "Pay-in 5.50 AUD from Zofia"),
        (replace(PAYIN, wallet_id=models.WalletId("wal-7")), "Pay-in 5.50 AUD into USD desk"),
        (wallet(7, "USD desk", "1"), "Wallet USD desk of Acme"),
        (wallet(8, "", "1", currency=CurrencyCode("JPY"), account=6), "Wallet JPY"),
        (account(1, "Acme"), "Account Acme"),
        (models.Recipient(BOLT, company_name="Bolt Ltd"), "Recipient Bolt Ltd"),
        (ADDRESS, "Payment address USD of Bolt Ltd"),
        (local_address(1, wallet=7), "Pay-in address of USD desk"),
    ],
)
def test_an_object_is_titled_by_what_it_is(row: models.Record, title: str) -> None:
    ui = Dashboard()
    ui.store.accounts.put([account(1, "Acme")])
    ui.store.wallets.put([wallet(7, "USD desk", "1")])
    ui.store.recipients.put([models.Recipient(BOLT, company_name="Bolt Ltd")])
    assert title_of(ui.app().ui, row) == title


def test_a_cut_title_keeps_its_amount_and_the_nearest_screens() -> None:
    line = PathLine()
    line.follow(["Payments", "Wallet AUD desk"])
    title = toned("Payout 845.77 AUD to Bolt Ltd")
    shown = [line.line(title, toned("loading"), width).plain for width in (80, 66, 44, 30)]
    assert shown == [
        "─ Payments › Wallet AUD desk › Payout 845.77 AUD to Bolt Ltd ───────── loading ─",
        "─ … › Wallet AUD desk › Payout 845.77 AUD to Bolt Ltd ── loading ─",
        "─ Payout 845.77 AUD to Bolt Ltd ── loading ─",
        " Payout 845.77 AUD t…  loading",
    ]
