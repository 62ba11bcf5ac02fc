"""A short run of each target; `python -m tests.fuzz` makes a long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.target import fuzz
from tests.fuzz.targets import TARGETS

CASES = 150


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_only_what_is_promised_comes_of_what_anybody_writes(name: str, tmp_path: Path) -> None:
    tally = fuzz(TARGETS[name](tmp_path), CASES)
    assert tally.tried >= CASES * 0.9
    assert tally.accepted > 0
    assert tally.accepted < tally.tried
