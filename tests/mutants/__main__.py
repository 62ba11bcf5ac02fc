"""Plant bugs and list those that no test notices: `python -m tests.mutants [WORD]...`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import click

from tests.mutants.bugs import ROOT, Bug, all_bugs
from tests.mutants.runner import judge_of


@click.command()
@click.argument("words", nargs=-1)
@click.option("--jobs", default=os.cpu_count() or 1, help="Processes.", show_default="one a core")
def main(words: tuple[str, ...], jobs: int) -> None:
    """Plant each bug whose name, place, test or file holds one of WORDS, or all bugs.

    Prints each bug that survives: its test does not fail, or fails without the bug too. Exits with
    1 where there is one. tests/mutants/bugs.py describes how a bug is written.
    """
    bugs = [bug for bug in all_bugs() if not words or any(word in _text(bug) for word in words)]
    jobs = max(1, min(jobs, len(bugs)))
    with ThreadPoolExecutor(jobs) as pool:
        survived = sum(pool.map(_survivors, (bugs[at::jobs] for at in range(jobs))))
    print(f"{len(bugs)} planted, {survived} survived")
    sys.exit(1 if survived or not bugs else 0)


def _text(bug: Bug) -> str:
    places = " ".join(change.where for change in bug.changes)
    return f"{bug.name} {places} {bug.red} {bug.source.relative_to(ROOT)}"


def _survivors(bugs: Sequence[Bug]) -> int:
    """Print the bugs that survive, and return how many they are."""
    survived = 0
    with judge_of(bugs) as judge:
        for bug in bugs:
            if objection := judge.objection(bug):
                survived += 1
                print(objection, end="\n\n", flush=True)
    return survived


if __name__ == "__main__":
    main()
