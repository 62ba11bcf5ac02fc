"""Alerts on rates; prices and percentages are worked out by hand."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.rates import parse_alert

AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")
BOTH = {Pair(AUD, USD): Decimal("0.64"), Pair(USD, AUD): Decimal("1.6")}
"""A seller of 1 AUD gets 0.64 USD; a buyer of 1 AUD pays 1 / 1.6 = 0.625 USD."""


def test_the_bid_is_what_the_seller_of_the_base_gets() -> None:
    assert parse_alert("AUD/USD bid above 0.66").price_in(BOTH) == Fraction(64, 100)


def test_the_offer_is_what_the_buyer_of_the_base_pays() -> None:
    assert parse_alert("AUD/USD offer above 0.66").price_in(BOTH) == Fraction(625, 1000)


def test_the_mid_lies_halfway() -> None:
    """(0.64 + 0.625) / 2 = 0.6325."""
    assert parse_alert("AUD/USD mid above 0.66").price_in(BOTH) == Fraction(6325, 10_000)


def test_a_pair_may_be_written_either_way_round() -> None:
    assert parse_alert("USD/AUD bid above 1.5").price_in(BOTH) == Fraction(16, 10)


def test_without_one_of_the_rates_that_it_needs_there_is_no_price() -> None:
    one = {Pair(AUD, USD): Decimal("0.64")}
    assert parse_alert("AUD/USD bid above 0.66").price_in(one) is not None
    assert parse_alert("AUD/USD offer above 0.66").price_in(one) is None
    assert parse_alert("AUD/USD mid above 0.66").price_in(one) is None


def test_how_far_a_price_is_beyond_is_a_share_of_the_level() -> None:
    above, below = parse_alert("AUD/USD bid above 0.5"), parse_alert("AUD/USD bid below 0.5")
    price = Fraction(51, 100)
    assert above.beyond(price) == Fraction(2, 100)
    assert below.beyond(price) == -Fraction(2, 100)
    assert above.beyond(Fraction(1, 2)) == 0


def test_an_alert_is_written_as_it_was() -> None:
    assert str(parse_alert("aud/usd Offer BELOW 0.660")) == "AUD/USD offer below 0.660"
