"""The printed report of seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.simulation.run import Outcome, Totals


def failure(outcome: Outcome) -> str:
    """A seed that failed: why, what happened, and how to see it again."""
    return "\n".join(
        (
            *outcome.lines,
            "",
            f"seed {outcome.seed} failed:",
            *(f"  {words}" for words in outcome.wrong),
            f"again: python -m tests.simulation --seeds 1 --first {outcome.seed}",
        )
    )


def summary(totals: Sequence[Totals]) -> str:
    """Return the totals of all seeds."""
    faults, standings = Counter[str](), Counter[str]()
    for total in totals:
        faults += total.faults
        standings += total.standings
    return "\n".join(
        (
            f"{'seeds':37}{len(totals):>10,}",
            f"{'simulated hours':37}{sum(total.hours for total in totals):>10,.0f}",
            f"{'intents':37}{sum(total.intents for total in totals):>10,}",
            *_listed("faults", faults),
            *_listed("outcomes", standings),
        )
    )


def _listed(title: str, counts: Counter[str]) -> list[str]:
    lines = [f"{title:37}{sum(counts.values()):>10,}"]
    return lines + [f"  {name:36}{count:>9,}" for name, count in counts.most_common()]
