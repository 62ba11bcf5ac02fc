"""The cost of a countdown: the Rates screen with a sheet of ten pairs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from time import perf_counter

from tests.bench.budget import Row
from tests.bench.desk import BALANCE, Desk, Home
from tests.bench.plan import Plan
from tests.bench.program import NotSeen, Paint, Program

PAIRS = (
    *("AUD/USD", "USD/AUD", "EUR/AUD", "AUD/EUR", "GBP/AUD"),
    *("AUD/JPY", "EUR/USD", "GBP/USD", "USD/JPY", "NZD/USD"),
)
LIFETIME, LAST = 150, 30
"""Seconds that a sheet lives (service.md §8), and those in which each counts."""

SHEET = re.compile(r"^ until (\S+)", re.MULTILINE)


def measure(plan: Plan) -> list[Row]:
    """From one sheet to the next."""
    home = Home(plan.folder / "rates")
    options = ("--sheet-lifetime", str(plan.of(LIFETIME, 3)))
    with home.paytui.sandbox("--scale", "20", "--speed", "0", *options) as service:
        desk = Desk(home, service, "desk", f"[rates]\nwatch = {list(PAIRS)}\n")
        with desk.start() as program:
            program.wait_for(BALANCE)
            program.press("4")
            program.wait_for(SHEET.pattern)
            started = _life(program)[-1].at
            paints = _life(program)
    end = paints[-1].at
    seconds = end - started
    last = [paint for paint in paints[:-1] if paint.at >= end - LAST]
    return [
        _row("average", 60, paints, seconds),
        _row(f"last {LAST} s", 160, last, min(LAST, seconds)),
    ]


def _life(program: Program) -> list[Paint]:
    """Return the output up to and including the appearance of another sheet.

    Between two sheets there may be none, when the service is slow.
    """
    sheet, paints = SHEET.findall(program.screen.text), list[Paint]()
    while SHEET.findall(program.screen.text) in (sheet, []):
        paint = program.next(perf_counter() + LIFETIME)
        if paint is None:
            raise NotSeen(f"no other sheet on:\n{program.screen.text}")
        paints.append(paint)
    return paints


def _row(when: str, most: float, paints: Sequence[Paint], seconds: float) -> Row:
    sent = sum(paint.size for paint in paints)
    made_of = f"{sent:,} bytes in {seconds:.0f} s"
    return Row(f"Rates of {len(PAIRS)} pairs, {when}", most, sent / seconds, "B/s", made_of)
