"""Hours of work at a desk leave nothing behind."""

from __future__ import annotations

import gc

from click.testing import CliRunner

from tests.soak.__main__ import main

FOUR_HOURS = "0.17"
"""In days. The first is warm-up; the lid is closed in the third."""

FLAT = 0


def test_hours_of_a_desk_leave_nothing_behind() -> None:
    gc.freeze()  # other tests' objects are not part of what is measured
    done = CliRunner().invoke(main, ["--days", FOUR_HOURS])
    assert done.exit_code == FLAT, done.output
