"""The simulation must be able to fail: it finds each planted bug within 200 seeds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants.mutant import Bug
from tests.simulation.planted import BUGS

SEEDS = "200"
A_SEED_FAILED = 1


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: str(bug.name))
def test_a_planted_bug_is_found(bug: Bug, tmp_path: Path) -> None:
    bug.plant(tmp_path)
    command = [sys.executable, "-m", "tests.simulation", "--seeds", SEEDS, "--jobs", "1"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == A_SEED_FAILED, result.stdout + result.stderr
    assert "again: python -m tests.simulation --seeds 1 --first" in result.stdout, result.stderr
