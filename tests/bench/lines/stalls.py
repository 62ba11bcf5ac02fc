"""How long a key may have to wait for the screen's loop, by the loop's own account."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

from tests.bench.budget import Row, figure
from tests.bench.desk import HELLO_READY, Desk, Home
from tests.bench.lines.keys import SCALE, WORDS, sort, type_filter
from tests.bench.payments_list import MOVES, STILL, open_payments
from tests.bench.plan import Plan
from tests.bench.presses import Presser
from tests.bench.service.process import big_service

LONGEST_STALL = 50.0
"""Milliseconds."""

Phases = dict[str, tuple[float, float]]
"""When each began and ended."""


def measure(plan: Plan) -> list[Row]:
    """The floor and ours at once, so that what the machine does to one is seen at the other."""
    home, scale = Home(plan.folder / "stalls"), plan.nearest(SCALE)
    own_log, floor_log = plan.folder / "own.log", plan.folder / "floor.log"
    presser = Presser(random.Random(1))  # noqa: S311 - a run repeats itself
    phases: Phases = {}
    with ExitStack() as stack:
        service = stack.enter_context(big_service(scale, "--etags", "--updated-since"))
        hello = stack.enter_context(home.hello(_probed(floor_log, "hello")))
        hello.wait_for(HELLO_READY)
        began = perf_counter()
        desk = Desk(home, service, "desk", STILL)
        ours = stack.enter_context(desk.start(_probed(own_log, "paytui")))
        open_payments(ours, scale)
        phases["first sync"] = began, (began := perf_counter())
        for keys in MOVES.values():
            presser.press_each(ours, keys)
        phases["moves"] = began, (began := perf_counter())
        sort(presser, ours)
        phases["sort"] = began, (began := perf_counter())
        for word in WORDS[: plan.of(3, 1)]:
            type_filter(presser, ours, word)
        phases["filter"] = began, perf_counter()
    return list(_rows(scale, phases, own_log, floor_log))


def _probed(log: Path, *program: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "tests.bench.probed", str(log), *program)


def _rows(scale: int, phases: Phases, own_log: Path, floor_log: Path) -> Iterator[Row]:
    for phase, (began, ended) in phases.items():
        own, floor = (_longest(log, began, ended) for log in (own_log, floor_log))
        what = f"Longest stall of the screen, {phase} of {scale:,}"
        yield Row(what, LONGEST_STALL, own, "ms", f"the floor meanwhile: {figure(floor)} ms")


def _longest(log: Path, began: float, ended: float) -> float:
    """Milliseconds; none that is worth a line is 0."""
    lines = (line.split() for line in log.read_text().splitlines())
    stalls = ((float(at), float(late)) for at, late in lines)
    return max((late * 1000 for at, late in stalls if began <= at < ended), default=0.0)
