"""Bars of rates: thinning loses no extreme, and nothing is known in a gap."""

from __future__ import annotations

import random
from decimal import Decimal
from itertools import pairwise

import pytest

from paytui.book.history import GAP, HOUR, MINUTE, Bar, Millis, thinned, unbroken

NOON = Millis(1_772_452_800_000)  # 2026-03-02 12:00 UTC


def bar(seconds: float, rate: str) -> Bar:
    return Bar.at(Millis(NOON + round(seconds * 1000)), Decimal(rate))


def test_a_minute_keeps_first_low_high_and_last() -> None:
    bars = [bar(0, "1.20"), bar(10, "1.25"), bar(20, "1.18"), bar(59, "1.21"), bar(60, "1.30")]
    rates = (Decimal("1.20"), Decimal("1.18"), Decimal("1.25"), Decimal("1.21"))
    assert thinned(bars, MINUTE) == [Bar(NOON, Millis(NOON + 59_000), *rates), bars[-1]]


@pytest.mark.parametrize("seed", range(20))
def test_any_series_keeps_its_extremes_and_its_gaps(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - a test repeats itself
    at, bars = NOON, list[Bar]()
    for _ in range(400):
        at = Millis(at + rng.choice((1, 20_000, 150_000, GAP, GAP + 1, 4_000_000)))
        bars.append(Bar.at(at, Decimal(rng.randrange(1, 10**6)) / 10**4))

    thin = thinned(thinned(bars, MINUTE), HOUR)

    hours = {one.began // HOUR for one in bars}
    for hour in hours:
        before = [one for one in bars if one.began // HOUR == hour]
        after = [one for one in thin if one.began // HOUR == hour]
        assert (after[0].first, after[-1].last) == (before[0].first, before[-1].last)
        assert min(one.low for one in after) == min(one.low for one in before)
        assert max(one.high for one in after) == max(one.high for one in before)
    times = [one.began for one in bars]
    cuts = sum(later - earlier > GAP for earlier, later in pairwise(times))
    assert len(unbroken(thin)) == cuts + 1
    assert len(thin) <= len(hours) + cuts


def test_the_reverse_pair_has_the_inverse_rates() -> None:
    rates = (Decimal("0.5"), Decimal("0.4"), Decimal("0.8"), Decimal("0.64"))
    turned = Bar(NOON, NOON, *rates).inverted()
    assert [turned.first, turned.low, turned.high, turned.last] == [
        Decimal(2),
        Decimal("1.25"),
        Decimal("2.5"),
        Decimal("1.5625"),
    ]
