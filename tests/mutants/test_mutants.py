"""Tests must be able to fail: each planted bug turns its test red, which is green without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants import (
    planted_guards,
    planted_hostile,
    planted_lists,
    planted_looks,
    planted_money,
    planted_paging,
    planted_people,
    planted_reading,
    planted_safety,
    planted_screens,
    planted_start,
    planted_sync,
    planted_terminals,
)
from tests.mutants.apart import apart
from tests.mutants.mutant import Mutant
from tests.mutants.verdict import verdict

BY_SUBJECT = {
    "reading": planted_reading.MUTANTS,
    "paging": planted_paging.MUTANTS,
    "money": planted_money.MUTANTS,
    "safety": planted_safety.MUTANTS,
    "lists": planted_lists.MUTANTS,
    "people": planted_people.MUTANTS,
    "guards": planted_guards.MUTANTS,
    "screens": planted_screens.MUTANTS,
    "looks": planted_looks.MUTANTS,
    "start": planted_start.MUTANTS,
    "sync": planted_sync.MUTANTS,
    "hostile": planted_hostile.MUTANTS,
    "terminals": planted_terminals.MUTANTS,
}
MUTANTS = [mutant for mutants in BY_SUBJECT.values() for mutant in mutants]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: str(mutant.name))
def test_a_planted_bug_is_found(mutant: Mutant, tmp_path: Path) -> None:
    found = apart(verdict, [mutant.test], tmp_path / "run", mutant)
    assert found.met, f"{mutant.test} never imports {mutant.module}\n{found.said}"
    assert found.code == pytest.ExitCode.TESTS_FAILED, found.said
    assert found.red, found.said
    assert all(mutant.is_caught_by(red) for red in found.red), found.red


@pytest.mark.parametrize("subject", BY_SUBJECT)
def test_without_a_planted_bug_none_is_found(subject: str, tmp_path: Path) -> None:
    tests = {mutant.test for mutant in BY_SUBJECT[subject]}
    found = apart(verdict, sorted(tests), tmp_path / "run")
    assert found.code == pytest.ExitCode.OK, found.said
