"""Tests must be able to fail: each planted bug turns its test red."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.mutant import TESTS_FAILED, Mutant
from tests.mutants.planted import MUTANTS


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: str(mutant.name))
def test_a_planted_bug_is_found(mutant: Mutant, tmp_path: Path) -> None:
    mutant.plant(tmp_path)
    result = mutant.run(tmp_path)
    assert result.returncode == TESTS_FAILED, result.stdout + result.stderr
