"""Stalls of the screen's event loop, as the loop itself measures them."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.bench.budget import Row, figure
from tests.bench.desk import BALANCE, HELLO_READY, Desk, Home
from tests.bench.lines.keys import SCALE, WORDS, find, sort, type_filter
from tests.bench.payments_list import MOVES, STILL, open_payments
from tests.bench.plan import Plan
from tests.bench.presses import Presser
from tests.bench.service.process import big_service

LONGEST_STALL = 30.0
"""Milliseconds."""


@dataclass(frozen=True, slots=True)
class Stall:
    """A time at which the loop was late.

    Attributes:
        at: the moment.
        late: milliseconds.
        waited: how many of them its thread waited for a processor that others had.
    """

    at: float
    late: float
    waited: float


Phases = dict[str, tuple[float, float]]
"""The begin and end of each phase."""


def measure(plan: Plan) -> list[Row]:
    """The floor and ours at once, so that what the machine does to one is seen at the other.

    From the first balance on: until then there is no screen that a key could be for.
    """
    home, scale = Home(plan.folder / "stalls"), plan.nearest(SCALE)
    own_log, floor_log = plan.folder / "own.log", plan.folder / "floor.log"
    presser = Presser(random.Random(1))  # noqa: S311 - a run repeats itself
    phases: Phases = {}
    with ExitStack() as stack:
        service = stack.enter_context(big_service(scale, "--etags", "--updated-since"))
        hello = stack.enter_context(home.hello(probed(floor_log, "hello")))
        hello.wait_for(HELLO_READY)
        desk = Desk(home, service, "desk", STILL)
        ours = stack.enter_context(desk.start(probed(own_log, "paytui")))
        began = ours.wait_for(BALANCE)
        open_payments(desk, ours, scale)
        phases["first sync"] = began, (began := perf_counter())
        for keys in MOVES.values():
            presser.press_each(ours, keys)
        phases["moves"] = began, (began := perf_counter())
        sort(presser, ours)
        phases["sort"] = began, (began := perf_counter())
        for word in WORDS[: plan.of(3, 1)]:
            type_filter(presser, ours, word)
        phases["filter"] = began, (began := perf_counter())
        find(presser, ours)
        phases["find"] = began, perf_counter()
    return list(stall_rows(scale, phases, own_log, floor_log))


def probed(log: Path, *program: str) -> tuple[str, ...]:
    """Return the command that starts a program with a probe of its event loop."""
    return (sys.executable, "-m", "tests.bench.probed", str(log), *program)


def stall_rows(scale: int, phases: Phases, own_log: Path, floor_log: Path) -> Iterator[Row]:
    own, floor = stalls(own_log.read_text()), stalls(floor_log.read_text())
    for phase, (began, ended) in phases.items():
        ours = [stall for stall in own if began <= stall.at < ended]
        others = [stall.late for stall in floor if began <= stall.at < ended]
        alone = max((stall.late - stall.waited for stall in ours), default=0.0)
        made_of = f"{figure(alone)} without waiting for a processor"
        made_of += f"; the floor meanwhile: {figure(max(others, default=0.0))} ms"
        longest = max((stall.late for stall in ours), default=0.0)
        what = f"Longest stall of the screen, {phase} of {scale:,}"
        yield Row(what, LONGEST_STALL, longest, "ms", made_of)


def stalls(log: str) -> list[Stall]:
    """Return the recorded stalls of a loop."""
    lines = (map(float, line.split()) for line in log.splitlines())
    return [Stall(at, late * 1000, waited * 1000) for at, late, waited in lines]
