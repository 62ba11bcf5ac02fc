"""Bytes and CPU time while no key is pressed and nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from time import sleep

from tests.bench.budget import Row, figure
from tests.bench.desk import HELLO_READY, Desk, Home
from tests.bench.payments_list import STILL, open_payments
from tests.bench.plan import Plan
from tests.bench.process import cpu_seconds
from tests.bench.program import Program
from tests.bench.service.process import big_service

SCALE = 10_000


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a program since its start: painted bytes and seconds of CPU time."""

    bytes: int
    cpu: float

    def since(self, earlier: Cost) -> Cost:
        """Return the cost after an earlier measurement."""
        return Cost(self.bytes - earlier.bytes, self.cpu - earlier.cpu)


def measure(plan: Plan) -> list[Row]:
    """The floor, and ours with its clock and without, all in the same minutes."""
    home, scale = Home(plan.folder / "idle"), plan.nearest(SCALE)
    seconds = plan.of(120, 2)
    with ExitStack() as stack:
        service = stack.enter_context(big_service(scale, "--etags", "--updated-since"))
        hello = stack.enter_context(home.hello())
        desks = [Desk(home, service, "ticking"), Desk(home, service, "still", STILL)]
        ticking, still = (stack.enter_context(desk.start()) for desk in desks)
        hello.wait_for(HELLO_READY)
        for desk, program in zip(desks, (ticking, still), strict=True):
            open_payments(desk, program, scale)
        before = [_cost(program) for program in (hello, ticking, still)]
        sleep(seconds)
        after = [_cost(program) for program in (hello, ticking, still)]
    floor, ours, silent = (b.since(a) for a, b in zip(before, after, strict=True))
    return list(_rows(floor, ours, silent, seconds, f"{scale:,} payments"))


def _cost(program: Program) -> Cost:
    return Cost(program.bytes, cpu_seconds(program.process.pid))


def _rows(hello: Cost, ticking: Cost, still: Cost, seconds: float, book: str) -> Iterator[Row]:
    yield Row("Idle, the clock alone", 20, ticking.bytes / seconds, "B/s")
    yield Row("Idle, no clock", 0, still.bytes / seconds, "B/s")
    floor = f"the floor: {figure(hello.cpu / seconds * 100)}%"
    yield Row(f"Idle CPU, polling {book}", 0.6, ticking.cpu / seconds * 100, "%", floor)
    ratio = ticking.cpu / hello.cpu if hello.cpu else None  # it may have had no turn
    yield Row(f"Idle CPU, polling {book}", 3, ratio, "×", floor)
