"""One seed, from an empty outbox to the verdict."""

from __future__ import annotations

import asyncio
import random
import tempfile
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.simulation.days import Days
from tests.simulation.disk import Disk
from tests.simulation.fates import Weather
from tests.simulation.loop import SimulationLoop
from tests.simulation.post_log import PostLog
from tests.simulation.scenario import drawn
from tests.simulation.service import Service
from tests.simulation.site import Site
from tests.simulation.trace import Trace
from tests.simulation.world import world
from tests.support.clock import ManualClock, WrongClock

_MEMORY = Path("/dev/shm")  # noqa: S108 - a file system that needs no disk, where there is one


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals of a seed.

    Attributes:
        hours: of virtual time.
        standings: how intents ended, as traders saw it.
    """

    hours: float
    intents: int
    faults: Counter[str]
    standings: Counter[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a seed.

    Attributes:
        wrong: what must not be, in words; empty where all is well.
        lines: what happened.
        digest: tells this run from one in which anything at all happened otherwise.
    """

    seed: int
    wrong: tuple[str, ...]
    lines: tuple[str, ...]
    digest: str
    totals: Totals


def run_seed(seed: int) -> Outcome:
    """Live through a seed and judge it."""
    folder = _MEMORY if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="paytui-", dir=folder) as name:
        return _run_in(Path(name), seed)


def _run_in(folder: Path, seed: int) -> Outcome:
    clock = ManualClock(world().now)
    site = _site(seed, clock, folder)
    days = Days(site)
    loop = SimulationLoop(clock)
    loop.set_exception_handler(lambda _loop, told: days.wrong.append(f"in the loop: {told}"))
    try:
        loop.run_until_complete(days.live())
    except Exception:  # noqa: BLE001 - whatever it is, it is the seed's, and is told with its trace
        days.wrong.append(traceback.format_exc())
    finally:
        _end(loop)
    trace = site.trace
    totals = Totals(trace.elapsed / 3600, len(days.desk.asked), trace.faults, days.standings())
    return Outcome(seed, tuple(days.wrong), tuple(trace.lines), trace.digest, totals)


def _end(loop: SimulationLoop) -> None:
    """Close a loop; what a failed run has left goes with it."""
    for task in asyncio.all_tasks(loop):
        task.cancel()
        loop.run_until_complete(asyncio.wait([task]))
    loop.close()


def _site(seed: int, clock: ManualClock, folder: Path) -> Site:
    scenario = drawn(random.Random(f"{seed} scenario"))  # noqa: S311 - a seed repeats itself
    trace = Trace(clock)
    trace.say(f"seed {seed}: {scenario}")
    host = WrongClock(clock)
    weather = Weather(
        random.Random(f"{seed} weather"),  # noqa: S311 - a seed repeats itself
        storm=scenario.storm,
        drizzle=scenario.drizzle,
        honours_keys=scenario.honours_keys,
    )
    return Site(
        seed=seed,
        scenario=scenario,
        world=world(),
        clock=clock,
        host=host,
        disk=Disk(folder, random.Random(f"{seed} disk")),  # noqa: S311 - a seed repeats itself
        service=Service(scenario, world(), clock),
        weather=weather,
        log=PostLog(),
        trace=trace,
    )
