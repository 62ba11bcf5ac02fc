"""The way from the key that confirms a payout to its acceptance is short."""

from __future__ import annotations

from pathlib import Path

from tests.bench.confirm_walk import MOST_CALLS, MOST_MODULES, measure


def test_a_confirmed_payout_passes_few_calls_and_few_modules(tmp_path: Path) -> None:
    found = measure(tmp_path)
    assert 0 < len(found["way"]) <= MOST_CALLS
    assert 0 < len(found["to_accepted"]) <= MOST_MODULES, sorted(found["to_accepted"])
