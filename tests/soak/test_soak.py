"""Hours of a desk leave nothing behind; and a soak would notice what does."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.mutants.apart import apart
from tests.mutants.bug import Bug
from tests.soak.planted import BUGS

FOUR_HOURS = "0.17"
"""In days. The first is warm-up; the lid is closed in the third."""

SOON = "0.1"
"""In days: as soon as a planted bug is noticed, a while after the lid was closed."""

FLAT, NOT_FLAT = 0, 1


def soaked(days: str, bug: Bug | None = None) -> tuple[int, str]:
    """Live through days in this process, with a bug or none; the exit code and what was said."""
    if bug is not None:
        bug.plant()
    from tests.soak.__main__ import main

    done = CliRunner().invoke(main, ["--days", days])
    return done.exit_code, done.output


def test_hours_of_a_desk_leave_nothing_behind() -> None:
    code, said = apart(soaked, FOUR_HOURS)
    assert code == FLAT, said


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: str(bug.name))
def test_a_planted_bug_is_noticed(bug: Bug) -> None:
    code, said = apart(soaked, SOON, bug)
    assert code == NOT_FLAT, said
    assert "NOT FLAT" in said or "WRONG" in said, said
