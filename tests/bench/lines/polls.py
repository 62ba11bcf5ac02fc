"""The cost of a poll of a large book that has not changed."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from tests.bench.budget import Row
from tests.bench.desk import Desk, Home
from tests.bench.lines.sync import SCALE, run
from tests.bench.plan import Plan
from tests.bench.service.process import big_service

HELPS = {"ETag": ("--etags",), "updatedSince": ("--updated-since",), "neither": ()}
"""Features of a service that make a poll cheap."""

OTHERS = ("wallets", "trades", "payins", "accounts", "recipients")
PAYMENTS_ALONE = "\n".join(
    ["[polling]", "payments = '1s'", *(f"{kind} = '24h'" for kind in OTHERS)]
)


def measure(plan: Plan) -> list[Row]:
    """A poll on each kind of service, in the middle of a few."""
    home, scale = Home(plan.folder / "polls"), plan.nearest(SCALE)
    rows: list[Row] = []
    for name, options in HELPS.items():
        with big_service(scale, *options) as service:
            desk = Desk(home, service, name, PAYMENTS_ALONE)
            polls = run("own_sync", desk.config, str(plan.of(5, 1)))["polls"]
        middle = {what: median(poll[what] for poll in polls) for what in polls[0]}
        rows += _rows(f"Poll of {scale:,} unchanged, {name}", middle, helped=bool(options))
    return rows


def _rows(what: str, poll: dict[str, float], *, helped: bool) -> Iterator[Row]:
    yield Row(f"{what}: requests", 10 if helped else 16, poll["requests"], "")
    if helped:
        yield Row(f"{what}: bytes", 10, poll["bytes"] / 1000, "KB")
        yield Row(f"{what}: CPU", 30, poll["cpu"] * 1000, "ms")
