"""Each planted bug is found by the test that it names."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import pytest

from tests.mutants.bugs import Bug, all_bugs
from tests.mutants.runner import Judge, judge_of

ONE_IN = {"ground": 1, "outbox": 1, "sandbox": 1, "desk": 2, "worker": 2, "planted": 20}
"""The share of the bugs of a file that is planted here; `python -m tests.mutants` plants all. Bugs
about money and about the truth of what is shown come more often than the others; those that only
hours of a simulated desk show, `planted.bugs`, seldom."""

OTHERS = 6
"""The share of all other bugs, and of the tests that are run without a bug, too."""

BUGS = all_bugs()
SLICE = [bug for bug in BUGS if crc32(bug.name.encode()) % ONE_IN.get(bug.source.stem, OTHERS) == 0]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    # All tests pass without a bug in this run; a few show that they also do so in a fork.
    with judge_of(SLICE, OTHERS) as judge:
        yield judge


@pytest.mark.slow
@pytest.mark.parametrize("bug", SLICE, ids=lambda bug: str(bug.name))
def test_a_planted_bug_is_found(bug: Bug, judge: Judge) -> None:
    objection = judge.objection(bug)
    assert not objection, objection


def test_each_bug_has_a_name_of_its_own_and_code_and_a_test_that_are_there() -> None:
    assert len({bug.name for bug in BUGS}) == len(BUGS)
    wrong = [objection for bug in BUGS if (objection := bug.objection())]
    assert not wrong, "\n".join(wrong)
