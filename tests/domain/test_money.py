"""Amounts, currencies and rates. Expected values are calculated by hand or stand in ISO 4217."""

from __future__ import annotations

from decimal import Decimal

import pytest
from babel.core import get_global
from hypothesis import given
from hypothesis import strategies as st

from paytui.domain.money import (
    CurrencyCode,
    Pair,
    format_amount,
    inverse,
    minor_units,
    plain,
    significant,
)

AUD, EUR, JPY, KWD, USD = (CurrencyCode(code) for code in ("AUD", "EUR", "JPY", "KWD", "USD"))
PLN, THB, ZZZ = (CurrencyCode(code) for code in ("PLN", "THB", "ZZZ"))


ISO_4217 = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    2: "AUD USD EUR GBP NZD CAD CHF SGD HKD SEK NOK DKK ZAR PLN THB AED CNY "
    "AFN ALL IRR KPW LAK LBP MGA MMK RSD SOS SYP YER HUF IDR INR TWD COP PKR",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
"""List one of 2026-01-01: every code whose digits are not two, and some of those with two."""


@pytest.mark.parametrize(
    ("currency", "digits"),
    [(CurrencyCode(code), digits) for digits, codes in ISO_4217.items() for code in codes.split()],
)
def test_minor_units_are_those_of_iso_4217(currency: CurrencyCode, digits: int) -> None:
    assert minor_units(currency) == digits


def test_minor_units_are_those_of_cldr_but_where_it_has_the_digits_of_cash() -> None:
    digits = get_global("currency_fractions")
    cldr = {code: digits.get(code, (2,))[0] for code in get_global("all_currencies")}
    ours = {code: minor_units(CurrencyCode(code)) for code in cldr}
    cash = "AFN ALL IQD IRR KPW LAK LBP MGA MMK RSD SOS SYP YER"
    assert {code for code in cldr if ours[code] != cldr[code]} == set(cash.split())


def test_an_unknown_currency_is_assumed_to_have_two_minor_units() -> None:
    assert minor_units(ZZZ) == 2


@pytest.mark.parametrize(
    ("amount", "currency", "shown"),
    [
        ("1204330.1", AUD, "1,204,330.10"),
        ("45120900", JPY, "45,120,900"),
        ("1200.125", KWD, "1,200.125"),
        ("-0.5", EUR, "-0.50"),
        ("0", EUR, "0.00"),
        ("1E+3", JPY, "1,000"),
        ("1234567890123456789012.3", USD, "1,234,567,890,123,456,789,012.30"),
    ],
)
def test_an_amount_is_grouped_with_its_minor_units(
    amount: str, currency: CurrencyCode, shown: str
) -> None:
    assert format_amount(Decimal(amount), currency) == shown


def test_digits_beyond_the_minor_units_are_shown_and_not_rounded_away() -> None:
    assert format_amount(Decimal("0.125"), USD) == "0.125"
    assert format_amount(Decimal("10.5"), JPY) == "10.5"
    assert format_amount(Decimal("10.50000"), USD) == "10.50"


def test_an_amount_that_the_service_did_not_send_is_a_dash() -> None:
    assert format_amount(None, USD) == "—"


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30))
def test_formatting_never_changes_an_amount(amount: Decimal) -> None:
    assert Decimal(format_amount(amount, USD).replace(",", "")) == amount


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**25), max_value=10**25))
def test_plain_writes_every_digit_without_an_exponent(amount: Decimal) -> None:
    written = plain(amount)
    assert "E" not in written
    assert Decimal(written) == amount


@pytest.mark.parametrize(
    ("rate", "shown"),
    [
        ("0.65123", "0.651230"),
        ("145.2", "145.200"),
        ("0.0068871234567", "0.0068871234567"),
        ("1", "1.00000"),
        ("1234567", "1234567"),
    ],
)
def test_a_rate_has_six_significant_digits_or_all_that_came(rate: str, shown: str) -> None:
    assert significant(Decimal(rate)) == shown


def test_the_inverse_is_one_over_the_rate_to_seven_digits() -> None:
    assert inverse(Decimal("0.651230")) == Decimal("1.535556")
    assert inverse(Decimal(4)) == Decimal("0.25")


@pytest.mark.parametrize("rate", ["0", "NaN", "Infinity"])
def test_what_has_no_inverse_gets_none(rate: str) -> None:
    assert inverse(Decimal(rate)) is None


@pytest.mark.parametrize(
    ("pair", "market", "sells_base"),
    [
        (Pair(AUD, USD), "AUD/USD", True),
        (Pair(USD, AUD), "AUD/USD", False),
        (Pair(EUR, AUD), "EUR/AUD", True),
        (Pair(JPY, KWD), "KWD/JPY", False),
        (Pair(USD, JPY), "USD/JPY", True),
        (Pair(THB, PLN), "PLN/THB", False),
    ],
)
def test_the_market_writes_the_stronger_convention_first(
    pair: Pair, market: str, sells_base: bool
) -> None:
    assert pair.market() == market
    assert pair.sells_base() is sells_base


def test_a_desk_may_have_its_own_order() -> None:
    assert Pair(AUD, USD).market(order=(USD, AUD)) == "USD/AUD"


def test_the_reverse_of_a_pair_deals_the_other_way() -> None:
    assert Pair(AUD, USD).reverse == Pair(USD, AUD)
