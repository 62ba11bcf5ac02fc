"""Try many cases, and print the results.

    python -m tests.fuzz [--cases 100000] [--only NAME…] [--seed 0] [--counted]

The first case that breaks a promise ends it, with that case made as small as can be.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tests.fuzz.target import fuzz
from tests.fuzz.targets import TARGETS


@click.command()
@click.option("--cases", default=100_000, help="Cases of each reader.")
@click.option("--only", multiple=True, type=click.Choice(list(TARGETS)))
@click.option("--counted", is_flag=True, help="Count calls, which takes time.")
@click.option("--seed", default=0, help="Seed of the cases.")
def main(cases: int, only: tuple[str, ...], seed: int, *, counted: bool) -> None:
    """Try damaged and hostile input on every reader; exit with 1 at the first that crashes."""
    print(f"{'':10} {'cases':>8} {'accepted':>9} {'most calls':>11} {'slowest':>9} {'took':>8}")
    with TemporaryDirectory() as folder:
        for name in only or TARGETS:
            tally = fuzz(TARGETS[name](Path(folder)), cases, seed, counted=counted)
            print(
                f"{name:10} {tally.tried:8,} {tally.accepted:9,} {tally.most_calls:11,}"
                f" {tally.slowest * 1000:6.0f} ms {tally.seconds:6.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
