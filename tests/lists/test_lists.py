"""A short run of random queries; `python -m tests.lists` makes a long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lists.cases import A_BOOK, run

BOOKS = 12


@pytest.mark.parametrize("seed", range(BOOKS))
def test_a_list_holds_the_rows_of_its_query_in_their_order(seed: int, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    assert run(tmp_path, seed) > A_BOOK / 10
