"""Run days of work in minutes: `python -m tests.soak --days 7`."""

from __future__ import annotations

import sys

import click

from tests.soak.gauges import Sample, Samples
from tests.soak.report import head, is_fine, row, verdict
from tests.soak.run import live
from tests.soak.verdict import growths

ROW = 6.0
"""Hours of a row."""


class Rows:
    """Prints one as soon as its hours are over."""

    def __init__(self) -> None:
        self._samples = Samples()
        self._until = ROW

    def add(self, sample: Sample) -> None:
        """Add a sample."""
        self._samples.add(sample)
        if sample.hours >= self._until:
            self.end()

    def end(self) -> None:
        """Print what is left, too."""
        if samples := list(self._samples):
            print(row(samples), flush=True)
            self._until = samples[-1].hours // ROW * ROW + ROW
            self._samples = Samples()


@click.command()
@click.option("--days", default=7.0, help="Of virtual time.", show_default=True)
@click.option("--seed", default=1, help="Another one, another week.", show_default=True)
def main(days: float, seed: int) -> None:
    """Print a curve and a verdict; exit with 1 where something grows, drifts or is swallowed."""
    rows = Rows()
    print(head())
    curve = live(days * 24, seed, rows.add)
    rows.end()
    grown = list(growths(curve.samples))
    print(*verdict(grown, curve), sep="\n")
    sys.exit(not is_fine(grown, curve))


if __name__ == "__main__":
    main()
