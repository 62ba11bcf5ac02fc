"""The slope of a curve's medians, and its total growth over a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from tests.soak.gauges import GAUGES, Sample

WARM = 1.0
"""Hours that it takes to fill what is kept."""

BUCKETS = 28
"""Medians of a run: in seven days one of six hours each."""

ALLOWED = {
    "rss": 4096.0,
    "blocks": 3000.0,
    "tasks": 1.0,
    "fds": 0.0,
    "threads": 0.0,
    "sockets": 0.0,
    "outbox": 0.0,
    "cache": 512 * 1024.0,
}
"""By how much each may be more at the end of a run, however long it is. Memory and cache sway with
the rows that are listed; what grows by a piece with each rate sheet comes to 4,000 in a week."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The growth of one gauge after the first hour.

    Attributes:
        total: by how much its trend is higher at the end.
    """

    gauge: str
    first: float
    last: float
    total: float

    @property
    def is_flat(self) -> bool:
        """Return True if the growth is negligible."""
        return self.total <= ALLOWED[self.gauge]


def growths(samples: Sequence[Sample]) -> Iterator[Growth]:
    """Each gauge's growth over a run."""
    warm = [sample for sample in samples if sample.hours > WARM]
    hours = warm[-1].hours - warm[0].hours
    length = hours / BUCKETS
    for gauge in GAUGES:
        points = [
            (median(s.hours for s in bucket), median(getattr(s, gauge) for s in bucket))
            for bucket in buckets(warm, length)
        ]
        yield Growth(gauge, points[0][1], points[-1][1], slope(points) * hours)


def buckets(samples: Sequence[Sample], hours: float) -> Iterator[list[Sample]]:
    """Samples by so many hours."""
    began: float | None = None
    bucket: list[Sample] = []
    for sample in samples:
        if began is None or sample.hours >= began + hours:
            if bucket:
                yield bucket
            began, bucket = sample.hours, []
        bucket.append(sample)
    if bucket:
        yield bucket


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The median of the slopes between all pairs (Theil and Sen): no single outlier moves it."""
    return median((y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in combinations(points, 2))
