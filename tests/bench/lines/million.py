"""The dashboard on the biggest book, compared with the least: keys, stalls, memory and start."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median
from time import perf_counter

from tests.bench.budget import Row, figure
from tests.bench.desk import BALANCE, HELLO_READY, Desk, Home
from tests.bench.lines.keys import find, sort, type_filter, words
from tests.bench.lines.memory import settled_bytes
from tests.bench.lines.stalls import Phases, probed, stall_rows
from tests.bench.payments_list import MOVES, STILL, open_payments
from tests.bench.plan import Plan
from tests.bench.presses import Press, Presser
from tests.bench.program import Program
from tests.bench.service.process import big_service
from tests.bench.stats import median_ratio, p95

Presses = dict[str, list[Press]]

FIRST_SCREENFUL = 8.0
ROUNDS = 15  # Rounds of moves: in fewer, the 95th percentile is one of the three slowest keys
MEGABYTE = 2**20


def measure(plan: Plan) -> list[Row]:
    """Rounds of keys on the floor, on the least book and on the biggest, in turn; then starts."""
    home, (least, most) = Home(plan.folder / "million"), (min(plan.scales), max(plan.scales))
    few, many = defaultdict[str, list[Press]](list), defaultdict[str, list[Press]](list)
    own_log, floor_log = plan.folder / "million.log", plan.folder / "million-floor.log"
    presser = Presser(random.Random(1))  # noqa: S311 - a run repeats itself
    phases: Phases = {}
    with ExitStack() as stack:
        hello = stack.enter_context(home.hello(probed(floor_log, "hello")))
        hello.wait_for(HELLO_READY)
        service = stack.enter_context(big_service(least, "--etags", "--updated-since"))
        small_desk = Desk(home, service, "small", STILL)
        # Probed as the big one, since a probe takes time from each key.
        small_log = plan.folder / "million-small.log"
        small = stack.enter_context(small_desk.start(probed(small_log, "paytui")))
        open_payments(small_desk, small, least)
        service = stack.enter_context(big_service(most, "--etags", "--updated-since"))
        big_desk = Desk(home, service, "big", STILL)
        with big_desk.start(probed(own_log, "paytui")) as big:
            began = big.wait_for(BALANCE)
            open_payments(big_desk, big, most)
            phases["first sync"] = began, (began := perf_counter())
            growth = settled_bytes(big) - settled_bytes(small)
            for _ in range(plan.of(ROUNDS, 1)):
                for kind, keys in MOVES.items():
                    few[kind] += presser.press_each(small, keys)
                    many[kind] += presser.press_each(big, keys)
            phases["moves"] = began, (began := perf_counter())
            for word in words(plan):
                few["floor"] += presser.press_each(hello, "ab" * 9)
                many["Sort"] += sort(presser, big)
                many["Filter letter"] += type_filter(presser, big, word)
            phases["sort and filter"] = began, (began := perf_counter())
            find(presser, big)
            phases["find"] = began, perf_counter()
        floor, ours = _starts(home, big_desk, plan.of(5, 1))
    made_of = f"{figure(median(ours))} against {figure(median(floor))} s"
    grown = growth / MEGABYTE if growth > 0 else None
    return [
        *(_move(kind, (least, most), few[kind], many[kind]) for kind in MOVES),
        *_first_screenfuls(few["floor"], many, most),
        *stall_rows(most, phases, own_log, floor_log),
        Row(f"Memory with {most:,} payments over {least:,}", 25, grown, "MB"),
        Row(f"First paint, {most:,} cached", 1.3, median_ratio(floor, ours), "×", made_of),
    ]


def _starts(home: Home, desk: Desk, rounds: int) -> tuple[list[float], list[float]]:
    """Return the seconds to the first paint of the floor and of a dashboard with a cache."""

    def paint(program: Program, wanted: str) -> float:
        with program:
            return program.wait_for(wanted) - program.started

    floor, ours = [], []
    for _ in range(rounds):
        floor.append(paint(home.hello(), HELLO_READY))
        ours.append(paint(desk.start(), BALANCE))
    return floor, ours


def _move(kind: str, scales: tuple[int, int], few: list[Press], many: list[Press]) -> Row:
    least, most = scales
    below, above = (p95([press.settled for press in presses]) for presses in (few, many))
    work, more = (p95([press.cpu for press in presses]) for presses in (few, many))
    made_of = f"{figure(above * 1000)} against {figure(below * 1000)} ms"
    made_of += f"; CPU {figure(more * 1000)} against {figure(work * 1000)} ms"
    ratio = above / below if least < most else None
    return Row(f"{kind} of {most:,} as of {least:,}, p95", 1.3, ratio, "×", made_of)


def _first_screenfuls(hello: list[Press], found: Presses, scale: int) -> Iterator[Row]:
    floor, least = p95([press.settled for press in hello]), p95([press.cpu for press in hello])
    for kind in ("Sort", "Filter letter"):
        ours = p95([press.wanted or press.settled for press in found[kind]])
        work = p95([press.cpu for press in found[kind]])
        made_of = f"{figure(ours * 1000)} against {figure(floor * 1000)} ms"
        made_of += f"; CPU {figure(work * 1000)} against {figure(least * 1000)} ms"
        what = f"{kind} of {scale:,}, first screenful, p95"
        yield Row(what, FIRST_SCREENFUL, ours / floor, "×", made_of)
