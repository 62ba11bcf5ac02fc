"""Memory for each payment."""

from __future__ import annotations

from contextlib import ExitStack

from tests.bench.bare_sync import PAGE_SIZE
from tests.bench.budget import Row
from tests.bench.desk import BALANCE, Desk, Home
from tests.bench.payments_list import LONGEST_SYNC, STILL, open_payments
from tests.bench.plan import Plan
from tests.bench.process import pss_bytes
from tests.bench.program import Program
from tests.bench.service.process import big_service, counted
from tests.support.deadline import eventually

FEW, MANY = 100, 100_000
"""Payments."""

CALM_DOWN = 5.0
"""Seconds in which what came last is put away."""


def measure(plan: Plan) -> list[Row]:
    """A dashboard on few payments, then one on many; in each they are kept, and then listed."""
    home, few, many = Home(plan.folder / "memory"), plan.nearest(FEW), plan.nearest(MANY)
    before, after = _memory(home, few, "few"), _memory(home, many, "many")
    kept, listed = (each(b - a, many - few) for a, b in zip(before, after, strict=True))
    return [
        Row(f"Memory of a payment kept, of {many:,}", 1000, kept, "B"),
        Row(f"Memory of one that is listed too, of {many:,}", 1000, listed, "B"),
    ]


def each(growth: int, more: int) -> float | None:
    """Return the bytes of one payment; None where the books do not differ by enough to tell."""
    return growth / more if more > 0 and growth > 0 else None


def _memory(home: Home, scale: int, name: str) -> tuple[int, int]:
    """Bytes, when all payments were read, and when all were listed."""
    with ExitStack() as stack:
        service = stack.enter_context(big_service(scale, "--etags", "--updated-since"))
        desk = Desk(home, service, name, STILL)
        program = stack.enter_context(desk.start())
        program.wait_for(BALANCE)
        eventually(lambda: _pages_read(service.base_url) * PAGE_SIZE >= scale, LONGEST_SYNC, 0.5)
        kept = _settled(program)
        open_payments(desk, program, scale)
        return kept, _settled(program)


def _pages_read(base_url: str) -> int:
    return counted(base_url).requests.get("/v2/payments", 0)


def _settled(program: Program) -> int:
    program.watch(CALM_DOWN)
    return pss_bytes(program.process.pid)
