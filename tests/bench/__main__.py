"""Measure the performance budgets, and print the table.

    python -m tests.bench [--only NAME…] [--scale 100,10000,100000,1000000] [--quick]

Each ratio is to a floor that was measured in turn with it, so that a busy machine slows both.
"""

from __future__ import annotations

import compileall
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import click

import paytui
from tests.bench.budget import Row, table
from tests.bench.lines import idle, keys, memory, million, polls, rates, stalls, start, sync
from tests.bench.plan import Plan

SWITCH_INTERVAL = 0.0005
"""So that the thread that stamps what comes waits for no parsing."""

MEASUREMENTS: dict[str, Callable[[Plan], list[Row]]] = {
    "start": start.measure,
    "sync": sync.measure,
    "polls": polls.measure,
    "keys": keys.measure,
    "stalls": stalls.measure,
    "million": million.measure,
    "idle": idle.measure,
    "rates": rates.measure,
    "memory": memory.measure,
}


def _scales(_: click.Context, __: click.Parameter, value: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value} is no list of numbers, as 100,10000.") from None


@click.command(help=__doc__)
@click.option("--only", multiple=True, type=click.Choice(list(MEASUREMENTS)))
@click.option("--scale", "scales", default="100,10000,100000,1000000", callback=_scales)
@click.option("--quick", is_flag=True, help="Only show that it works.")
def main(*, only: tuple[str, ...], scales: tuple[int, ...], quick: bool) -> None:
    """Print a table of all that is chosen."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    compileall.compile_dir(Path(paytui.__file__).parent, quiet=1)  # as an installation does
    rows: list[Row] = []
    with TemporaryDirectory(prefix="paytui-bench-") as folder:
        for name in only or MEASUREMENTS:
            print(f"{name} …", file=sys.stderr)
            rows += MEASUREMENTS[name](Plan(Path(folder), scales, quick))
    one, five, fifteen = os.getloadavg()
    print(f"{os.cpu_count()} cores, load {one:.1f} {five:.1f} {fifteen:.1f}\n\n{table(rows)}")


if __name__ == "__main__":
    main()
