"""Trades within a mandate, by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from paytui.domain.mandate import Mandate, counted, why_outside
from paytui.domain.money import CurrencyCode, Exchange, Money, Pair, Side

AUD, USD, JPY = map(CurrencyCode, ("AUD", "USD", "JPY"))
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def selling(up_to: str = "100", currency: CurrencyCode = AUD, buy: CurrencyCode = USD) -> Mandate:
    """Return a mandate at 0.66 or better."""
    return Mandate(
        pair=Pair(AUD, buy),
        up_to=Money(Decimal(up_to), currency),
        worst=Decimal("0.66"),
        lasts=timedelta(hours=1),
    )


def trade(side: Side, amount: str, rate: str | None = "0.66", buy: CurrencyCode = USD) -> Exchange:
    return Exchange(Pair(AUD, buy), side, Decimal(amount), None if rate is None else Decimal(rate))


@pytest.mark.parametrize(
    ("mandate", "exchange", "uses"),
    [
        (selling(), trade(Side.SELL, "60.00"), "60.00"),
        (selling(), trade(Side.BUY, "66.00"), "100.00"),
        (selling(), trade(Side.BUY, "66.01"), "100.02"),  # 100.0151…
        (selling(), trade(Side.BUY, "10", "0.71"), "14.09"),  # 14.0845…
        (selling(currency=USD), trade(Side.BUY, "10", "0.7"), "10"),
        (selling(currency=USD), trade(Side.SELL, "10.00", "0.65012"), "6.51"),  # 6.5012
        (selling(currency=JPY, buy=JPY), trade(Side.SELL, "0.01", "97.5", JPY), "1"),  # 0.975
    ],
)
def test_a_side_that_is_not_fixed_counts_rounded_up(
    mandate: Mandate, exchange: Exchange, uses: str
) -> None:
    assert counted(mandate, exchange) == Decimal(uses)


@pytest.mark.parametrize(
    ("exchange", "left", "why_not"),
    [
        (trade(Side.SELL, "60", "0.6600"), "60.00", ""),
        (trade(Side.SELL, "60", "0.7"), "60", ""),
        (trade(Side.SELL, "60.01"), "60", "only 60.00 AUD of it are left"),
        (trade(Side.BUY, "39.60"), "60", ""),
        (trade(Side.BUY, "39.61"), "60", "only 60.00 AUD of it are left"),  # 60.015… AUD
        (trade(Side.BUY, "42", "0.70"), "60", ""),  # a better rate sells less
        (trade(Side.SELL, "1", "0.659999"), "60", "the rate 0.659999 is below 0.66"),
        (trade(Side.SELL, "1", None), "60", "it needs a locked rate"),
        (trade(Side.SELL, "1", "97", JPY), "60", "it is for AUD > USD"),
        (Exchange(Pair(USD, AUD), Side.BUY, Decimal(1), Decimal(2)), "60", "it is for AUD > USD"),
    ],
)
def test_a_trade_is_within_a_mandate(exchange: Exchange, left: str, why_not: str) -> None:
    ends = NOON + timedelta(seconds=1)
    found = why_outside(selling(), exchange, left=Decimal(left), until=ends, now=NOON)
    assert found == why_not


def test_a_mandate_ends_at_its_time() -> None:
    over = why_outside(selling(), trade(Side.SELL, "1"), left=Decimal(100), until=NOON, now=NOON)
    assert over == "its time is over"
