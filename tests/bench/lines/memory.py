"""Memory for many payments."""

from __future__ import annotations

from contextlib import ExitStack

from tests.bench.budget import Row
from tests.bench.desk import Desk, Home
from tests.bench.payments_list import STILL, open_payments
from tests.bench.plan import Plan
from tests.bench.process import pss_bytes
from tests.bench.program import Program
from tests.bench.service.process import big_service

FEW, MANY = 100, 100_000
"""Payments."""

CALM_DOWN = 5.0
"""Seconds in which what came last is put away."""


def measure(plan: Plan) -> list[Row]:
    """A dashboard on few payments, then one on many, when all of them were read and listed."""
    home, few, many = Home(plan.folder / "memory"), plan.nearest(FEW), plan.nearest(MANY)
    growth = _memory(home, many, "many") - _memory(home, few, "few")
    what = f"Memory with {many:,} payments over {few:,}"
    return [Row(what, 15, growth / 2**20 if growth > 0 else None, "MB")]


def _memory(home: Home, scale: int, name: str) -> int:
    with ExitStack() as stack:
        service = stack.enter_context(big_service(scale, "--etags", "--updated-since"))
        desk = Desk(home, service, name, STILL)
        program = stack.enter_context(desk.start())
        open_payments(desk, program, scale)
        return settled_bytes(program)


def settled_bytes(program: Program) -> int:
    """Return the memory of a program that was left alone for a while."""
    program.watch(CALM_DOWN)
    return pss_bytes(program.process.pid)
