"""A full sync of a large book, compared with a minimal loop over the same pages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.bare_sync import PAGE_SIZE
from tests.bench.budget import Row, figure
from tests.bench.desk import Desk, Home
from tests.bench.plan import Plan
from tests.bench.service.process import big_service
from tests.bench.stats import median_ratio
from tests.support.commands import ROOT

SCALE = 100_000
"""Of the budget; a smaller one where that is asked for."""


def measure(plan: Plan) -> list[Row]:
    """Rounds of both, each in a process of its own."""
    home, scale = Home(plan.folder / "sync"), plan.nearest(SCALE)
    pages = -(-scale // PAGE_SIZE)
    bare: list[float] = []
    ours: list[float] = []
    with big_service(scale) as service:
        desk = Desk(home, service, "desk")
        for _ in range(plan.of(5, 1)):
            bare.append(run("bare_sync", service.base_url, str(pages))["seconds"])
            found = run("own_sync", desk.config, "0")
            assert found["rows"] == scale
            ours.append(found["seconds"])
    made_of = f"{figure(median(ours))} against {figure(median(bare))} s"
    return [Row(f"Full sync of {scale:,} payments", 2.5, median_ratio(bare, ours), "×", made_of)]


def run(program: str, *arguments: str | Path) -> dict[str, Any]:
    """Return the output of a benchmark program."""
    argv = (sys.executable, "-m", f"tests.bench.{program}", *map(str, arguments))
    found: dict[str, Any] = json.loads(subprocess.check_output(argv, cwd=ROOT))
    return found
