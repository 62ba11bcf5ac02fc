"""Typed amounts. Minor units are those of ISO 4217: JPY 0, AUD and USD 2, KWD 3."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paytui.domain.money import AmountError, CurrencyCode, parse_amount
from paytui.tui.format.cells import amount_words

AUD, JPY, KWD = (CurrencyCode(code) for code in ("AUD", "JPY", "KWD"))
DIGITS = {JPY: 0, AUD: 2, KWD: 3}


@pytest.mark.parametrize(
    ("typed", "currency", "meant"),
    [
        ("1k", AUD, "1,000.00 AUD"),
        ("1.5m", AUD, "1,500,000.00 AUD"),
        ("1.5M", JPY, "1,500,000 JPY"),
        (".5", AUD, "0.50 AUD"),
        (" 12.5 ", AUD, "12.50 AUD"),
        ("1,200.125", KWD, "1,200.125 KWD"),
        ("1.2345k", AUD, "1,234.50 AUD"),
        ("0.0015k", JPY, None),
        ("1.2345k", JPY, None),
        ("1,500k", AUD, "1,500,000.00 AUD"),
        ("999,999,999,999,999.99", AUD, "999,999,999,999,999.99 AUD"),
        ("007", JPY, "7 JPY"),
    ],
)
def test_an_amount_is_read_as_dealers_write_it(
    typed: str, currency: CurrencyCode, meant: str | None
) -> None:
    if meant is None:
        with pytest.raises(AmountError, match="no digits after the point"):
            parse_amount(typed, currency)
    else:
        assert amount_words(parse_amount(typed, currency), currency) == meant


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "Type an amount"),
        ("1,5", "ambiguous"),
        ("1.500,00", "ambiguous"),
        ("1,000,00", "ambiguous"),
        ("1,000_000", "ambiguous"),
        ("1_0", "ambiguous"),
        (",500", "ambiguous"),
        ("1,500,k", "ambiguous"),
        ("-5", "negative"),
        ("−5", "negative"),
        ("(5)", "negative"),
        ("1e6", "exponent"),
        ("1E-2", "exponent"),
        ("nan", "not an amount"),
        ("0x10", "not an amount"),
        ("+5", "not an amount"),
        ("k", "not an amount"),
        (".", "not an amount"),
        ("1.", "not an amount"),
        ("1 000", "not an amount"),
        ("1kk", "not an amount"),
        ("100 AUD", "not an amount"),
        ("١٢", "not an amount"),
        ("0", "zero"),
        ("0k", "zero"),
        ("1.234", "AUD has 2 digits after the point"),
        ("1.234567k", "AUD has 2 digits after the point"),
        ("1" * 16, "15 digits"),
        ("1234567890m", "15 digits"),
        ("9" * 5000, "15 digits"),
    ],
)
def test_what_could_be_a_slip_is_refused_with_the_reason(typed: str, why: str) -> None:
    with pytest.raises(AmountError, match=why):
        parse_amount(typed, AUD)


@given(
    st.sampled_from(sorted(DIGITS)).flatmap(
        lambda currency: st.tuples(
            st.just(currency),
            st.decimals(
                min_value=Decimal(1).scaleb(-DIGITS[currency]),
                max_value=10**15 - 1,
                places=DIGITS[currency],
            ),
        )
    )
)
def test_what_is_echoed_is_read_as_the_same_amount(case: tuple[CurrencyCode, Decimal]) -> None:
    currency, amount = case
    shown = amount_words(amount, currency).removesuffix(f" {currency}")
    assert parse_amount(shown, currency) == amount
    assert parse_amount(shown.replace(",", ""), currency) == amount
    assert parse_amount(shown.replace(",", "_"), currency) == amount


@given(st.text("0123456789.,_kKmMeE+- ", max_size=12), st.sampled_from(sorted(DIGITS)))
def test_what_is_read_is_an_amount_of_the_currency_that_can_be_echoed(
    typed: str, currency: CurrencyCode
) -> None:
    try:
        amount = parse_amount(typed, currency)
    except AmountError:
        return
    assert amount > 0
    assert amount.is_finite()
    assert -int(amount.as_tuple().exponent) == DIGITS[currency]
    assert parse_amount(amount_words(amount, currency).split()[0], currency) == amount


@given(st.integers(1, 10**9 - 1), st.sampled_from("kK"))
def test_a_thousand_is_three_noughts(number: int, letter: str) -> None:
    assert parse_amount(f"{number}{letter}", JPY) == parse_amount(f"{number}000", JPY)
