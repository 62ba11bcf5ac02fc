"""Days of a desk in minutes: the real worker on the real sandbox, in virtual time."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.simulation.fates import Fate, Weather
from tests.simulation.loop import SimulationLoop
from tests.soak.books import Books
from tests.soak.countdown import Countdowns
from tests.soak.desk import Desk
from tests.soak.gauges import Sample, Samples, held
from tests.soak.grown import Grown
from tests.soak.host import HostClock
from tests.soak.line import Line
from tests.soak.mishaps import HOUR, MINUTE, Mishaps
from tests.soak.swallowed import Swallowed
from tests.soak.verdict import WARM
from tests.support.clock import ManualClock

BEGINS = datetime(2026, 3, 28, 21, 30, tzinfo=UTC)
"""Hours before London's clocks are put on."""

TICK = 2.5
"""Seconds between two looks at a countdown."""

SAMPLE_EVERY = 10 * MINUTE
INTENTS = 12
"""Confirmed in the first hour; from then on nothing is to be written into the outbox."""

GLANCES = 54
"""Looks at other rates in the first hour, by whose end as many sheets are there as are kept."""

_MEMORY = Path("/dev/shm")  # noqa: S108 - a file system that needs no disk, where there is one


@dataclass(frozen=True, slots=True)
class Curve:
    """The outcome of a run.

    Attributes:
        wrong: what must not be, in words.
        grown: of what there is more than after the first hour.
    """

    samples: tuple[Sample, ...]
    wrong: tuple[str, ...]
    grown: tuple[str, ...]


def live(hours: float, seed: int, tell: Callable[[Sample], None]) -> Curve:
    """Live through so many hours; `tell` is called with each sample."""
    folder = _MEMORY if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="paytui-soak-", dir=folder) as name, _in_london():
        clock, swallowed = ManualClock(BEGINS), Swallowed()
        loop = SimulationLoop(clock)
        try:
            with swallowed.listening(loop):
                run = Run(Path(name), clock, swallowed, seed)
                loop.run_until_complete(run.live(hours, tell))
        finally:
            loop.close()
        wrong = (*run.countdowns.wrong, *swallowed.told)
        return Curve(tuple(run.samples), wrong, tuple(run.grown.words()))


class Run:
    """A run.

    Attributes:
        samples: what was measured so far.
    """

    def __init__(self, folder: Path, clock: ManualClock, swallowed: Swallowed, seed: int) -> None:
        host = HostClock(clock)
        books = Books(folder / "bank.sqlite3", clock)
        weather = Weather(_rng(seed, "weather"), storm=0.0, drizzle=0.0, honours_keys=True)
        self._folder = folder
        self._clock = clock
        self._swallowed = swallowed
        self._line = Line(books, weather)
        self._books = books
        self._desk = Desk(host, self._line, folder, swallowed, _rng(seed, "desk"))
        self._mishaps = Mishaps(clock, host, self._line, books, _rng(seed, "mishaps"))
        self.countdowns = Countdowns(self._desk, books)
        self.grown = Grown()
        self.samples = Samples()
        self._began = clock.boot()

    async def live(self, hours: float, tell: Callable[[Sample], None]) -> None:
        """All of it."""
        async with self._desk.at_work(), _beside(*self._parts()):
            while self._hours < hours:
                await asyncio.sleep(SAMPLE_EVERY)
                self._measure(tell)
            self.grown.look()
        await self._line.quiet()

    def _parts(self) -> Iterator[Coroutine[object, object, None]]:
        yield self._mishaps.live()
        yield self._ask()
        yield self._glance()
        yield self._tick()

    @property
    def _hours(self) -> float:
        return (self._clock.boot() - self._began) / HOUR

    def _measure(self, tell: Callable[[Sample], None]) -> None:
        self._books.put_away()
        if self._hours > WARM and not self.grown.began:
            self.grown.look()
        self.countdowns.look_at_the_clock()
        sample = self._sample()
        self.samples.add(sample)
        tell(sample)

    def _sample(self) -> Sample:
        line = self._line
        return Sample(
            hours=self._hours,
            **asdict(held(self._folder)),
            rows=self._desk.rows(),
            requests=line.requests,
            sign_ins=line.sign_ins,
            trouble=line.requests - line.fates[Fate.FINE],
            off=self.countdowns.furthest(),
            swallowed=len(self._swallowed.told),
        )

    async def _ask(self) -> None:
        """Confirm intents of a trader, in the first hour."""
        for _ in range(INTENTS):
            await asyncio.sleep(WARM * HOUR / (INTENTS + 3))
            self._desk.pay()

    async def _glance(self) -> None:
        """Look at other rates as a trader does, in the first hour."""
        for _ in range(GLANCES):
            self._desk.look_at_other_rates()
            await asyncio.sleep(WARM * HOUR / (GLANCES + 3))

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            self.countdowns.look()


@asynccontextmanager
async def _beside(*parts: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """Let these run beside what is inside; a failure of theirs is one of the run."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled():
            task.result()


@contextmanager
def _in_london() -> Iterator[None]:
    """This machine is there, and its clocks are put on with the others."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Europe/London"
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()


def _rng(seed: int, purpose: str) -> random.Random:
    return random.Random(f"{seed} {purpose}")  # noqa: S311 - a seed repeats itself
