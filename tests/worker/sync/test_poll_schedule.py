from __future__ import annotations

import random
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paytui.domain.models import Kind
from paytui.worker.sync.shared import Backoff, PollSchedule, rest

seeds = st.integers(0, 1000).map(random.Random)


def test_nothing_is_polled_faster_than_once_a_second() -> None:
    pace = PollSchedule({Kind.WALLETS: timedelta(milliseconds=10)})
    assert pace.interval(Kind.WALLETS) == 1.0


@given(seeds)
def test_waits_grow_from_one_second_to_half_a_minute(rng: random.Random) -> None:
    backoff = Backoff(rng)
    expected = [1, 2, 4, 8, 16, 30, 30, 30]
    for at_most in expected:
        assert 0.75 * at_most <= backoff.after_failure(None) <= at_most


def test_a_success_starts_over() -> None:
    backoff = Backoff(random.Random(1))  # noqa: S311 - a test repeats itself
    for _ in range(8):
        backoff.after_failure(None)
    backoff.reset()
    assert backoff.after_failure(None) <= 1


@given(seeds, st.floats(0, 600))
def test_the_services_wish_is_never_undercut(rng: random.Random, wish: float) -> None:
    assert Backoff(rng).after_failure(wish) >= wish


@given(seeds, st.floats(600, 1e300))
def test_no_wish_silences_a_feed_for_good(rng: random.Random, wish: float) -> None:
    assert Backoff(rng).after_failure(wish) <= 660


def test_many_failures_do_not_overflow() -> None:
    backoff = Backoff(random.Random(1))  # noqa: S311 - a test repeats itself
    assert all(backoff.after_failure(None) <= 30 for _ in range(5_000))


@pytest.mark.parametrize(("took", "middle"), [(0.1, 5), (1.0, 5), (10.0, 40)])
def test_a_read_that_takes_long_is_repeated_less_often(took: float, middle: float) -> None:
    """Four times what it took, if that is more than the interval; a tenth of jitter."""
    waits = [rest(5, took, random.Random(seed)) for seed in range(50)]  # noqa: S311 - as above
    assert min(waits) >= 0.9 * middle
    assert max(waits) <= 1.1 * middle
    assert len(set(waits)) > 40
