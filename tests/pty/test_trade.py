"""A trade at 80x24, by keys alone, from the first question to its end."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from tests.pty import trade
from tests.pty.confirming import confirm
from tests.pty.conftest import RunDesk, RunService

TRADE_ID = r"Trade +([0-9a-f-]{36})"


@pytest.mark.slow
@pytest.mark.covers("book-trade")
def test_a_trade_is_walked_by_keys_alone_and_followed_to_its_end(
    run_service: RunService, run_desk: RunDesk
) -> None:
    service = run_service("--scale", "20", "--speed", "0")
    terminal = run_desk(service)
    shown = trade.to_confirm(terminal)
    intent = confirm(terminal, TRADE_ID)
    [trade_id] = re.findall(TRADE_ID, terminal.text)
    service.control("states", {"kind": "trade", "id": trade_id, "status": "exchanged"})
    screen = terminal.wait_for("[exchanged]")

    [booked] = trade.booked(service, intent)
    assert booked["status"] == "exchanged"
    assert booked["tradeTransactionId"] == trade_id
    assert (shown.sold, shown.sell_currency) == ("1,000.00", booked["sellCurrency"])
    assert Decimal(booked["sellAmount"]) == 1000
    assert Decimal(booked["rate"]) == Decimal(shown.rate)
    assert shown.buy_currency == booked["buyCurrency"]
    bought = f"{Decimal(booked['buyAmount']):,}"
    assert bought == shown.about
    assert re.search(rf"You (?:sell|sold) +1,000\.00 {shown.sell_currency}", screen)
    assert re.search(rf"You (?:buy|bought) +{bought} {shown.buy_currency}", screen)
    assert Decimal(booked["buyAmount"]) == round(1000 * Decimal(shown.rate), 2)
