from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from itertools import pairwise, permutations

import pytest

from paytui.sandbox.context import Market, SeededRandom
from tests.support.clock import NOON
from tests.support.plain import PlainService

CODES = ("AUD", "USD", "EUR", "GBP", "JPY", "KWD", "SEK")


def market_of(seed: int = 1, speed: float = 1.0) -> Market:
    return Market(SeededRandom(seed), NOON, speed)


def test_cross_rates_agree_with_each_other_but_for_the_spread() -> None:
    """Over a third currency one gets a little less, never more, and not much less."""
    market = market_of()
    for first, middle, last in permutations(CODES, 3):
        direct = market.rate(first, last, NOON)
        around = market.rate(first, middle, NOON) * market.rate(middle, last, NOON)
        assert Decimal("0.995") < around / direct < 1, (first, middle, last)


def test_there_and_back_costs_the_spread() -> None:
    market = market_of()
    for sell, buy in permutations(CODES, 2):
        both = market.rate(sell, buy, NOON) * market.rate(buy, sell, NOON)
        assert Decimal("0.995") < both < 1, (sell, buy)


@pytest.mark.parametrize(
    ("sell", "buy", "low", "high"),
    [
        ("AUD", "USD", "0.5", "0.85"),
        ("USD", "JPY", "110", "190"),
        ("EUR", "USD", "0.9", "1.3"),
        ("KWD", "USD", "2.8", "3.7"),
        ("JPY", "KWD", "0.001", "0.004"),
    ],
)
def test_rates_begin_at_realistic_levels(sell: str, buy: str, low: str, high: str) -> None:
    assert Decimal(low) < market_of().rate(sell, buy, NOON) < Decimal(high)


def test_rates_have_six_significant_digits() -> None:
    for sell, buy in permutations(CODES, 2):
        assert len(market_of().rate(sell, buy, NOON).as_tuple().digits) == 6


def test_rates_walk_in_small_steps_and_do_move() -> None:
    market = market_of()
    path = [market.rate("EUR", "USD", NOON + timedelta(seconds=2 * tick)) for tick in range(500)]
    steps = [abs(after / before - 1) for before, after in pairwise(path)]
    assert max(steps) < Decimal("0.001")
    assert sum(step > 0 for step in steps) > 250


def test_the_same_seed_walks_the_same_way_wherever_one_begins_to_look() -> None:
    later = NOON + timedelta(days=3)
    watched = market_of()
    for hours in range(72):
        watched.rate("EUR", "USD", NOON + timedelta(hours=hours))
    assert watched.rate("EUR", "USD", later) == market_of().rate("EUR", "USD", later)


def test_another_seed_walks_another_way() -> None:
    later = NOON + timedelta(hours=5)
    assert market_of(1).rate("EUR", "USD", later) != market_of(2).rate("EUR", "USD", later)


def test_speed_makes_the_market_walk_faster() -> None:
    slow, fast = market_of(speed=1), market_of(speed=60)
    minute, hour = NOON + timedelta(minutes=1), NOON + timedelta(hours=1)
    assert fast.rate("EUR", "USD", minute) == slow.rate("EUR", "USD", hour)


def test_the_walk_stays_sensible_for_a_month() -> None:
    market = market_of()
    for day in range(0, 31, 3):
        rate = market.rate("EUR", "USD", NOON + timedelta(days=day))
        assert Decimal("0.8") < rate < Decimal("1.5")


def test_a_pair_without_a_rate_is_named_with_the_reason(service: PlainService) -> None:
    pairs = [
        {"sellCurrency": "EUR", "buyCurrency": "USD"},
        {"sellCurrency": "THB", "buyCurrency": "KWD"},
        {"sellCurrency": "USD", "buyCurrency": "USD"},
        {"sellCurrency": "USD", "buyCurrency": "BRL"},
    ]
    sheet = service.item("/v2/rate-sheets", {"currencyPairs": pairs})
    assert [rate["sellCurrency"] for rate in sheet["rates"]] == ["EUR"]
    assert [(line["sellCurrency"], line["buyCurrency"]) for line in sheet["unavailable"]] == [
        ("THB", "KWD"),
        ("USD", "USD"),
        ("USD", "BRL"),
    ]
    assert all(line["reason"] for line in sheet["unavailable"])


def test_a_sheet_can_be_read_again(service: PlainService) -> None:
    pairs = [{"sellCurrency": "EUR", "buyCurrency": "USD"}]
    sheet = service.item("/v2/rate-sheets", {"currencyPairs": pairs})
    service.clock.advance(100)
    assert service.show(f"/v2/rate-sheets/{sheet['rateSheetId']}") == sheet


@pytest.mark.parametrize("pairs", [None, [], {}, ["AUDUSD"], [{"sellCurrency": "AUD"}]])
def test_a_sheet_of_no_pairs_is_refused(service: PlainService, pairs: object) -> None:
    assert service.post("/v2/rate-sheets", {"currencyPairs": pairs}).status_code == 400
