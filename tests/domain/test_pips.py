"""Pips and the digits of a price, as dealers read them; by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from paytui.domain.money import CurrencyCode
from paytui.domain.rates import PriceDigits, pip, price_digits


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        *[(code, "0.0001") for code in ("USD", "AUD", "CHF", "CZK", "SEK", "SGD", "XQQ")],
        *[(code, "0.01") for code in ("JPY", "KRW", "HUF", "THB", "INR", "ISK", "CLP")],
        *[(code, "1") for code in ("IDR", "VND")],
    ],
)
def test_a_pip_is_that_of_the_quote_currency(quote: str, expected: str) -> None:
    assert pip(CurrencyCode(quote)) == Decimal(expected)


@pytest.mark.parametrize(
    ("price", "quote", "digits"),
    [
        ("0.65123", "USD", ("0.65", "12", "3")),
        ("0.659098", "USD", ("0.65", "91", "0")),  # to a tenth of a pip
        ("1.6", "AUD", ("1.60", "00", "0")),
        ("96.2341", "JPY", ("96.", "23", "4")),
        ("15712.5", "IDR", ("157", "12", ".5")),
        ("0.0095123", "JPY", ("0.", "00", "95123")),  # five digits that count
        ("9.5", "VND", ("", "9", ".5000")),
    ],
)
def test_the_two_digits_of_pips_stand_between_big_figure_and_rest(
    price: str, quote: str, digits: tuple[str, str, str]
) -> None:
    assert price_digits(Decimal(price), CurrencyCode(quote)) == PriceDigits(*digits)
