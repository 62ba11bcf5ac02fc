"""The freshness of a list between two full reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from paytui.domain.models import State
from paytui.worker.sync.freshness import ListFreshness
from tests.support.clock import NOON
from tests.tui.book import payment


def test_each_row_is_still_looked_at_when_it_is_due_and_once() -> None:
    freshness = ListFreshness()
    rows = [(f"pay-{n}", payment(n, "100", "processing")) for n in range(100)]
    for poll in range(50):
        freshness.note(rows, NOON, float(poll))
    assert freshness.due(49.0) == []
    assert sorted(key for _, key in freshness.due(1_000.0)) == sorted(key for key, _ in rows)


def test_the_look_that_is_owed_the_longest_is_told_until_it_was_made() -> None:
    """They are due after a tenth of the age: in 6, 12 and 18 s."""
    freshness = ListFreshness()
    for key, minutes in (("a", 2), ("b", 1), ("c", 3)):
        row = payment(1, "100", "processing", minutes_ago=minutes)
        freshness.schedule(key, row, NOON, 0.0)
    assert freshness.overdue_since() == 6.0
    assert freshness.due(12.0) == [(6.0, "b"), (12.0, "a")]
    freshness.forget("b")
    assert freshness.overdue_since() == 12.0
    over = replace(payment(1, "100"), status=State("completed", final=True))
    freshness.schedule("a", over, NOON, 15.0)
    assert freshness.overdue_since() == 18.0
    freshness.schedule("c", over, NOON, 15.0)
    assert freshness.overdue_since() == float("inf")


SEEN = payment(1, "100", "processing", minutes_ago=2)


@pytest.mark.parametrize(
    "see",
    [
        lambda freshness: freshness.schedule("a", SEEN, NOON, 40.0),
        lambda freshness: freshness.note_seen({"a"}),
        lambda freshness: freshness.forget("a"),
    ],
)
def test_a_look_that_brought_nothing_stays_owed_until_it_is_seen_or_is_no_more(
    see: Callable[[ListFreshness], None],
) -> None:
    freshness = ListFreshness()
    freshness.schedule("a", SEEN, NOON, 0.0)
    assert freshness.due(15.0) == [(12.0, "a")]
    freshness.postpone("a", 12.0, 15.0)
    assert freshness.due(30.0) == [(20.0, "a")]
    freshness.postpone("a", 20.0, 30.0)
    assert freshness.overdue_since() == 12.0
    see(freshness)
    assert freshness.overdue_since() > 30.0
