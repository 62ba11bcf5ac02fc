"""Time and memory from the start to the first figures, and from the quit key to the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from statistics import median

from tests.bench.budget import Row, figure
from tests.bench.desk import BALANCE, HELLO_READY, OVERVIEW, Desk, Home
from tests.bench.plan import Plan
from tests.bench.process import pss_bytes
from tests.bench.program import Program
from tests.bench.stats import median_ratio

QUIET = 0.3
"""Seconds without a byte after which a start is complete."""

Figures = dict[str, list[float]]


def measure(plan: Plan) -> list[Row]:
    """Rounds of the floor, a start that knows nothing, and one that knows the last state."""
    home = Home(plan.folder / "start")
    found: Figures = defaultdict(list)
    with home.paytui.sandbox("--scale", "200", "--speed", "0") as service:
        cold, known = Desk(home, service, "cold"), Desk(home, service, "known")
        with known.start() as first:
            _until(first, OVERVIEW)
            _until(first, BALANCE)
            first.rest(QUIET, 5)
            first.quit("q")
        for _ in range(plan.of(10, 1)):
            cold.forget()
            _one(found, "hello", home.hello(), HELLO_READY, HELLO_READY)
            _one(found, "cold", cold.start(), BALANCE, OVERVIEW)
            _one(found, "known", known.start(), BALANCE, OVERVIEW)
    return list(_rows(found))


def _until(program: Program, wanted: str) -> float:
    return program.wait_for(wanted) - program.started


def _one(found: Figures, name: str, program: Program, wanted: str, whole: str) -> None:
    """Measure one start: until the wanted text is readable, and until the program is complete."""
    with program:
        found[f"{name} paint"].append(_until(program, wanted))
        found[f"{name} whole"].append(_until(program, whole))
        program.rest(QUIET, 5)
        found[f"{name} memory"].append(pss_bytes(program.process.pid) / 2**20)
        found[f"{name} quit"].append(program.quit("q"))


def _rows(found: Figures) -> Iterator[Row]:
    for what, most, figures in (
        ("First paint, last known balances", 1.3, "known paint"),
        ("First live balance, nothing known", 2.5, "cold paint"),
        ("Memory just started", 2.0, "known memory"),
        ("Quit key to process gone", 1.5, "known quit"),
    ):
        kind = figures.partition(" ")[2]
        floor, ours = found[f"hello {kind}"], found[figures]
        unit = "MiB" if kind == "memory" else "s"
        made_of = f"{figure(median(ours))} against {figure(median(floor))} {unit}"
        if figures == "known paint":
            made_of += f"; painted over after {figure(median(found['known whole']))} s"
        yield Row(what, most, median_ratio(floor, ours), "×", made_of)
