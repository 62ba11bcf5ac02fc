"""Each measurement runs and produces a result; the figures are not judged here."""

from pathlib import Path

import pytest

from tests.bench.__main__ import MEASUREMENTS
from tests.bench.plan import Plan


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_a_measurement_tells_figures(name: str, tmp_path: Path) -> None:
    rows = MEASUREMENTS[name](Plan(tmp_path, (100, 1_000), quick=True))
    assert rows
    for row in rows:
        assert row.measured is None or row.measured >= 0
        assert row.most > 0 or row.unit == "B/s"
