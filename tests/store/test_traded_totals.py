"""Today's sold and bought totals; sums and averages are worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from paytui.domain.money import Pair
from paytui.store.figures import counts, traded_totals
from tests.store.made import AUD, USD, trade
from tests.support.clock import NOON

MORNING = NOON - timedelta(hours=5)


def test_amounts_of_a_pair_are_added_and_the_average_weighs_them() -> None:
    """100,000 at 0.65 and 300,000 at 0.66: 65,000 + 198,000 = 263,000; by 400,000: 0.6575."""
    trades = [
        trade("a", "100000", "65000", "exchanged"),
        trade("b", "300000", "198000", "compliance_review"),
    ]
    (found,) = traded_totals(trades)
    assert (found.pair, found.sold, found.bought) == (
        Pair(AUD, USD),
        Decimal(400_000),
        Decimal(263_000),
    )
    assert found.average == Decimal("0.6575")
    assert (found.trades, found.open, found.untold) == (2, 1, 0)


def test_the_average_turned_round_is_reckoned_from_the_amounts() -> None:
    """400,000 / 263,000 = 1.520912547…, to seven digits."""
    (found,) = traded_totals([trade("a", "400000", "263000")])
    assert found.turned == Decimal("1.520913")


def test_the_two_directions_of_a_pair_are_two_lines() -> None:
    back = replace(trade("b", "50", "77"), sell_currency=USD, buy_currency=AUD)
    assert [one.pair for one in traded_totals([back, trade("a", "1", "2")])] == [
        Pair(AUD, USD),
        Pair(USD, AUD),
    ]


@pytest.mark.parametrize("status", ["awaiting_funds", "compliance_review", "exchanged"])
def test_a_trade_counts_once_it_is_booked(status: str) -> None:
    assert counts(trade("t", "1", "2", status), MORNING)


@pytest.mark.parametrize("status", ["rejected", "failed", "cancelled"])
def test_a_trade_that_came_to_nothing_does_not_count(status: str) -> None:
    assert not counts(trade("t", "1", "2", status), MORNING)


def test_a_trade_counts_in_the_day_in_which_it_was_booked() -> None:
    assert counts(trade("t", "1", "2", hours_ago=5), MORNING)
    assert not counts(trade("t", "1", "2", hours_ago=5.01), MORNING)
    assert not counts(trade("t", "1", "2", hours_ago=None), MORNING)


def test_a_trade_that_lacks_an_amount_is_counted_and_is_in_no_figure() -> None:
    (found,) = traded_totals([trade("a", "100", "65"), trade("b", "50", None)])
    assert (found.sold, found.bought, found.average) == (
        Decimal(100),
        Decimal(65),
        Decimal("0.65"),
    )
    assert (found.trades, found.untold) == (2, 1)


def test_of_nothing_sold_there_is_no_average() -> None:
    (found,) = traded_totals([trade("a", None, "65")])
    assert (found.average, found.turned) == (None, None)


def test_sums_are_exact_beyond_the_digits_of_a_default_decimal() -> None:
    rich = trade("a", "1111111111111111111111111111.11", "1")
    (found,) = traded_totals([rich, trade("b", "0.02", "1")])
    assert found.sold == Decimal("1111111111111111111111111111.13")


def test_the_market_is_weighed_by_what_was_sold_and_the_gain_is_in_basis_points() -> None:
    """100 at 0.65 and 300 at 0.66 come to 263; at 0.64 and 0.66 to 262: 0.655; 263/262: 38.2 bp."""
    rates = {"a": Decimal("0.64"), "b": Decimal("0.66")}
    trades = [trade("a", "100", "65"), trade("b", "300", "198")]
    (found,) = traded_totals(trades, lambda one: rates[one.trade_transaction_id])
    assert (found.market, found.gain) == (Decimal("0.655"), Decimal("38.2"))


def test_the_market_is_unknown_if_it_is_for_one_of_the_trades() -> None:
    trades = [trade("a", "100", "65"), trade("b", "300", "198")]
    rates = {"b": Decimal("0.66")}
    (found,) = traded_totals(trades, lambda one: rates.get(one.trade_transaction_id))
    assert (found.market, found.gain) == (None, None)
