"""The other side of an exchange. By hand: 250,000 x 0.65123 = 162,807.50."""

from __future__ import annotations

from decimal import Decimal

import pytest

from paytui.domain.money import CurrencyCode, Pair, other_amount

AUD, JPY, USD = CurrencyCode("AUD"), CurrencyCode("JPY"), CurrencyCode("USD")
AUD_USD, AUD_JPY = Pair(AUD, USD), Pair(AUD, JPY)


@pytest.mark.parametrize(
    ("fixed", "amount", "rate", "pair", "other"),
    [
        (AUD, "250000.00", "0.65123", AUD_USD, "162807.50"),
        (USD, "162807.50", "0.65123", AUD_USD, "250000.00"),
        (AUD, "0.50", "0.01", AUD_USD, "0.00"),  # half a cent goes to the even one
        (AUD, "1.50", "0.01", AUD_USD, "0.02"),
        (AUD, "1.00", "100.5", AUD_JPY, "100"),
        (AUD, "1.00", "101.5", AUD_JPY, "102"),
    ],
)
def test_the_side_that_is_not_fixed_rounds_half_even_to_its_minor_units(
    fixed: CurrencyCode, amount: str, rate: str, pair: Pair, other: str
) -> None:
    assert str(other_amount(pair, fixed, Decimal(amount), Decimal(rate))) == other


def test_without_a_rate_nobody_knows_it() -> None:
    assert other_amount(AUD_USD, AUD, Decimal(1), None) is None
