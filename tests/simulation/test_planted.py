"""The simulation must be able to fail: it finds each planted bug within 200 seeds."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.mutants.apart import apart
from tests.mutants.bug import Bug
from tests.simulation.planted import BUGS

SEEDS = "200"
A_SEED_FAILED = 1


def simulated(bug: Bug) -> tuple[int, str]:
    """Live through seeds with the bug in this process; the exit code and what was printed."""
    bug.plant()
    from tests.simulation.__main__ import main

    done = CliRunner().invoke(main, ["--seeds", SEEDS, "--jobs", "1"])
    return done.exit_code, done.output


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: str(bug.name))
def test_a_planted_bug_is_found(bug: Bug) -> None:
    code, said = apart(simulated, bug)
    assert code == A_SEED_FAILED, said
    assert "again: python -m tests.simulation --seeds 1 --first" in said
