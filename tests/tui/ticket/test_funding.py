"""A transfer for an item that lacks funds goes into the wallet that lacks them."""

from __future__ import annotations

from paytui.domain.models import Trade, TradeId, Wallet, WalletId
from paytui.tui.ticket.field_names import TO
from paytui.tui.ticket.templates import values_to_fund


def test_it_goes_into_the_wallet_that_a_trade_sells_from_or_that_is_below_its_floor() -> None:
    sold, bought = WalletId("sold"), WalletId("bought")
    trade = Trade(TradeId("trade"), sell_wallet_id=sold, buy_wallet_id=bought)
    assert dict(values_to_fund(trade)) == {TO: sold}
    assert dict(values_to_fund(Wallet(bought))) == {TO: bought}
    assert dict(values_to_fund(None)) == {}
