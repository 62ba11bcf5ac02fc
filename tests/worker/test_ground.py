"""What is known of a list between two reads of all of it."""

from __future__ import annotations

from datetime import timedelta

from paytui.worker.ground import Ground
from tests.support.clock import NOON
from tests.tui.book import payment


def test_rows_that_are_read_again_and_again_leave_nothing_behind() -> None:
    """A list of one answer is read whole each time: nobody takes from the queue."""
    ground = Ground()
    rows = [(f"pay-{n}", payment(n, "100", "processing")) for n in range(100)]
    for poll in range(360):
        ground.note(rows, NOON + timedelta(seconds=5 * poll), 5.0 * poll)
    assert len(ground._queue) <= 2 * len(rows) + 100


def test_each_row_is_still_looked_at_when_it_is_due_and_once() -> None:
    ground = Ground()
    rows = [(f"pay-{n}", payment(n, "100", "processing")) for n in range(100)]
    for poll in range(50):
        ground.note(rows, NOON, float(poll))
    assert ground.next_due(49.0) is None
    due = [ground.next_due(1_000.0) for _ in range(101)]
    assert sorted(key for key in due if key) == sorted(key for key, _ in rows)
    assert due[-1] is None
