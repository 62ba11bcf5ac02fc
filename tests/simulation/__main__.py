"""Run seeds: `python -m tests.simulation --seeds 1000 [--first S]`."""

from __future__ import annotations

import os
import sys

import click

from tests.simulation.report import failure, summary
from tests.simulation.seeds import outcomes


@click.command()
@click.option("--seeds", default=100, help="How many.", show_default=True)
@click.option("--first", default=0, help="The first of them.", show_default=True)
@click.option("--jobs", default=os.cpu_count() or 1, help="Processes.", show_default="one a core")
@click.option("--trace", is_flag=True, help="Print what happened in each.")
def main(seeds: int, first: int, jobs: int, trace: bool) -> None:
    """Live through seeds and judge each; the first that fails ends it, with exit code 1."""
    done = []
    for outcome in outcomes(range(first, first + seeds), jobs):
        done.append(outcome.totals)
        if trace:
            print(*outcome.lines, f"digest {outcome.digest}", sep="\n")
        if outcome.wrong:
            print(failure(outcome), summary(done), sep="\n\n")
            sys.exit(1)
    print(summary(done))


if __name__ == "__main__":
    main()
