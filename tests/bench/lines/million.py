"""The response to keys, whatever the size of the service."""

from __future__ import annotations

import random
from collections import defaultdict
from contextlib import ExitStack

from tests.bench.budget import Row, figure
from tests.bench.desk import Desk, Home
from tests.bench.payments_list import MOVES, STILL, open_payments
from tests.bench.plan import Plan
from tests.bench.presses import Press, Presser
from tests.bench.program import Program
from tests.bench.service.process import big_service
from tests.bench.stats import p95


def measure(plan: Plan) -> list[Row]:
    """Rounds of keys on the least book and on the biggest, in turn."""
    home, scales = Home(plan.folder / "million"), (min(plan.scales), max(plan.scales))
    found: dict[tuple[str, int], list[Press]] = defaultdict(list)
    presser = Presser(random.Random(1))  # noqa: S311 - a run repeats itself
    with ExitStack() as stack:
        desks = [(place, _desk(stack, home, place, scale)) for place, scale in enumerate(scales)]
        for _ in range(plan.of(6, 1)):
            for kind, keys in MOVES.items():
                for place, desk in desks:
                    found[kind, place] += presser.press_each(desk, keys)
    return [_row(kind, scales, found[kind, 0], found[kind, 1]) for kind in MOVES]


def _desk(stack: ExitStack, home: Home, place: int, scale: int) -> Program:
    service = stack.enter_context(big_service(scale, "--etags", "--updated-since"))
    desk = Desk(home, service, f"desk-{place}", STILL)
    program = stack.enter_context(desk.start())
    open_payments(desk, program, scale)
    return program


def _row(kind: str, scales: tuple[int, int], few: list[Press], many: list[Press]) -> Row:
    least, most = scales
    below, above = (p95([press.settled for press in presses]) for presses in (few, many))
    work, more = (p95([press.cpu for press in presses]) for presses in (few, many))
    made_of = f"{figure(above * 1000)} against {figure(below * 1000)} ms"
    made_of += f"; CPU {figure(more * 1000)} against {figure(work * 1000)} ms"
    ratio = above / below if least < most else None
    return Row(f"{kind} of {most:,} as of {least:,}, p95", 1.5, ratio, "×", made_of)
