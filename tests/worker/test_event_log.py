"""The event log keeps the newest webhooks; a flood of forgeries displaces no real ones."""

from __future__ import annotations

import pytest

from paytui.api.wire.codec import Event
from paytui.domain.models import Kind
from paytui.store.screen_rows import EventRow, Trust
from paytui.store.store import Store
from paytui.store.table import TOMBSTONES
from paytui.worker.webhook_intake import Classification, EventLog
from tests.support.clock import NOON


class Book:
    """A log, and the store that it writes to."""

    def __init__(self) -> None:
        self.store = Store()
        self.log = EventLog(self.store)

    def hear(self, trust: Trust = Trust.VERIFIED, event_id: str = "evt-1") -> EventRow:
        event = None if trust is Trust.FORGED else Event(Kind.PAYMENTS, "pay-1", event_id)
        return self.log.add(Classification(trust, event), NOON, "")

    def kept(self, trust: Trust = Trust.VERIFIED) -> list[EventRow]:
        return [row for row in self.store.events.rows() if row.trust is trust]


@pytest.fixture
def book() -> Book:
    return Book()


def test_the_newest_eight_hundred_are_kept(book: Book) -> None:
    for number in range(1_000):
        book.hear(event_id=f"evt-{number}")
    assert {row.event_id for row in book.kept()} == {f"evt-{n}" for n in range(200, 1_000)}


def test_what_came_alike_one_after_the_other_is_one_line_that_counts(book: Book) -> None:
    for _ in range(5_000):
        book.hear(Trust.FORGED)
    assert [row.times for row in book.kept(Trust.FORGED)] == [5_000]
    for _ in range(3):
        book.hear(Trust.DUPLICATE)
    book.hear(Trust.DUPLICATE, "evt-2")
    assert [row.times for row in book.kept(Trust.DUPLICATE)] == [3, 1]


def test_each_that_is_heeded_has_its_own_line(book: Book) -> None:
    book.hear()
    book.hear()
    assert [row.times for row in book.kept()] == [1, 1]


def test_no_flood_of_others_washes_away_what_was_heeded(book: Book) -> None:
    book.hear()
    for number in range(3_000):
        book.hear(Trust.REPLAYED, f"evt-{number % 700}")
    assert len(book.kept()) == 1
    assert len(book.store.events) == 201


def test_what_is_forgotten_leaves_little_behind(book: Book) -> None:
    for number in range(10_000):
        book.hear(event_id=f"evt-{number}")
    changes = book.store.events.changes(0, limit=10_000)
    assert len(changes.rows) == 800
    assert len(changes.removed) <= 2 * TOMBSTONES


def test_what_an_event_caused_is_not_written_to_the_one_that_took_its_place(book: Book) -> None:
    first = book.hear()
    for _ in range(800):
        book.hear()
    book.log.caused(first, "released → completed")
    assert all(not row.caused for row in book.kept())
    newest = book.hear()
    book.log.caused(newest, "no change")
    assert [row.caused for row in book.kept() if row.caused] == ["no change"]
