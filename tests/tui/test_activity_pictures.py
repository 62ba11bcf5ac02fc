"""Activity, an intent in doubt and the questions of a decision, as pictures."""

from __future__ import annotations

import pytest

from tests.support.seeded import SeededBook
from tests.tui.busy_book import busy_book
from tests.tui.dashboard import Dashboard, settings_of
from tests.tui.pictures import SIZES, Compare, pictured

VIEWS: dict[str, tuple[str, ...]] = {
    "activity": ("8",),
    "intent_in_doubt": ("8", "enter"),
    "decision": ("8", "d"),
    "what_it_became": ("8", "d", "enter"),
    "repeat": ("8", "d", "down", "down", "enter"),
}


@pytest.fixture(scope="module")
def book() -> SeededBook:
    return busy_book()


@pytest.mark.slow
@pictured("view", VIEWS, wide=("activity",))
def test_activity_looks_as_it_did(
    snap_compare: Compare, book: SeededBook, view: str, size: str
) -> None:
    app = Dashboard(book.store, book.clock, book.time, settings_of(live=True)).app()
    assert snap_compare(app, press=VIEWS[view], terminal_size=SIZES[size])
