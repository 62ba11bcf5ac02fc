"""The verdict of a soak, on curves drawn by hand."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from tests.soak.gauges import Held, Sample, Samples
from tests.soak.verdict import Growth, growths, slope

BASE = Held(
    rss=60_000, blocks=280_000, tasks=28, fds=17, threads=1, sockets=2, outbox=50_000, cache=4e6
)


def sample(hours: float, **changes: float) -> Sample:
    return Sample(
        **asdict(replace(BASE, **changes)),
        hours=hours,
        rows=0,
        requests=0,
        sign_ins=0,
        trouble=0,
        off=0,
        swallowed=0,
    )


def growth_of(gauge: str, values: list[float]) -> Growth:
    """Return the growth of a gauge with these values, one an hour."""
    samples = [sample(hour, **{gauge: value}) for hour, value in enumerate(values, start=1)]
    return next(growth for growth in growths(samples) if growth.gauge == gauge)


def test_what_stays_is_flat() -> None:
    assert all(growth.is_flat for growth in growths([sample(h) for h in range(1, 100)]))


@pytest.mark.parametrize("gauge", ["tasks", "fds", "threads", "sockets", "outbox"])
def test_what_grows_by_one_a_day_is_not(gauge: str) -> None:
    before = getattr(BASE, gauge)
    growth = growth_of(gauge, [before + hour // 24 for hour in range(168)])
    assert not growth.is_flat
    # By hand: 7 values, one more each day.
    assert (growth.first, growth.last) == (before, before + 6)


def test_a_leak_of_a_piece_with_each_sheet_is_seen_in_a_week() -> None:
    """150 seconds a sheet (service.md §8): 24 an hour."""
    leak = [280_000 + 24.0 * hour for hour in range(168)]
    sway = [(-1) ** hour * 1_500 for hour in range(168)]
    assert not growth_of("blocks", [a + b for a, b in zip(leak, sway, strict=True)]).is_flat
    assert growth_of("blocks", [280_000 + more for more in sway]).is_flat


def test_what_comes_and_goes_is_flat() -> None:
    assert growth_of("tasks", [28, 28, 60, 28] * 40).is_flat


def test_the_first_hour_does_not_count() -> None:
    warming = [sample(0.1 * n, blocks=1000.0 * n) for n in range(1, 10)]
    after = [sample(hour, blocks=50_000) for hour in range(2, 60)]
    assert all(growth.is_flat for growth in growths([*warming, *after]))


def test_a_slope_is_the_usual_one_of_all_pairs() -> None:
    """By hand: of the six slopes four are 2, and two that hold the outlier are not."""
    assert slope([(0, 0), (1, 2), (2, 4), (3, 100), (4, 8)]) == 2


def test_samples_come_back_as_they_were_added() -> None:
    samples = Samples()
    samples.add(sample(1, fds=3))
    samples.add(sample(2, fds=4))
    assert list(samples) == [sample(1, fds=3), sample(2, fds=4)]
