"""The newest rows and all open ones stay; visible rows stay true whatever their age."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from threading import Lock

from paytui.domain.models import Payment, Record, State
from paytui.store.rows_in_memory import Retention
from paytui.store.table import Table
from tests.support.clock import NOON
from tests.tui.book import payment

DONE = State("completed", final=True)


def done(minutes_ago: int) -> Payment:
    return replace(payment(minutes_ago, "1", minutes_ago=minutes_ago), status=DONE)


def under_way(minutes_ago: int) -> Payment:
    return payment(minutes_ago, "1", "processing", minutes_ago=minutes_ago)


class Book:
    """A table of payments, of which three stay."""

    def __init__(self, recent: timedelta = timedelta(0)) -> None:
        self.table = Table[str, Record](_key, Lock())
        self.retention = Retention(self.table, 3, recent)

    def take(self, *rows: Payment) -> set[str]:
        """Rows come in; what is too much goes. What is left."""
        self.table.put(self.retention.sift(rows))
        self.table.remove([_key(row) for row in self.retention.surplus()])
        return self.table.keys()


def _key(row: Record) -> str:
    assert isinstance(row, Payment)
    return row.payment_transaction_id


def test_of_what_is_settled_the_newest_stay() -> None:
    book = Book()
    assert book.take(*map(done, (5, 1, 4, 2, 3))) == {"pay-1", "pay-2", "pay-3"}
    assert book.take(done(0)) == {"pay-0", "pay-1", "pay-2"}


def test_all_of_a_recent_period_stay() -> None:
    book = Book(recent=timedelta(minutes=5))
    assert book.take(*map(done, range(9))) == {f"pay-{minutes}" for minutes in range(5)}
    assert book.take(replace(done(70), updated_at=NOON)) >= {"pay-70"}, "it failed just now"


def test_a_payment_that_was_released_is_settled() -> None:
    """It is the only state of a payment that service.md names: a service may stop there."""
    book = Book()
    released = [replace(done(number), status=State("released")) for number in (1, 2, 3, 4, 5)]
    assert book.take(*released) == {"pay-1", "pay-2", "pay-3"}


def test_nothing_goes_and_nothing_is_in_force_while_there_are_few() -> None:
    book = Book()
    assert book.take(*map(done, (1, 2, 3))) == {"pay-1", "pay-2", "pay-3"}
    assert book.retention.since is None


def test_what_is_open_stays_and_takes_nobodys_place() -> None:
    book = Book()
    rows = (*map(done, (1, 2, 3, 4)), *map(under_way, (50, 60)))
    assert book.take(*rows) == {"pay-1", "pay-2", "pay-3", "pay-50", "pay-60"}
    assert "pay-70" in book.take(under_way(70))


def test_what_comes_and_is_older_is_left_to_the_cache() -> None:
    book = Book()
    book.take(*map(done, (1, 2, 3, 4)))
    assert "pay-9" not in book.take(done(9))
    assert [_key(row) for row in book.retention.beyond()] == ["pay-9"]
    assert book.retention.beyond() == []


def test_one_that_is_shown_is_shown_as_it_ends_however_old_it_is() -> None:
    book = Book()
    book.take(*map(done, (1, 2, 3, 4)), under_way(50))
    book.table.put(book.retention.sift([done(50)]))
    row = book.table.get("pay-50")
    assert isinstance(row, Payment)
    assert row.status == DONE


def test_what_does_not_tell_when_it_was_made_stays() -> None:
    book = Book()
    undated = [replace(done(number), created_at=None) for number in (50, 60)]
    book.take(*map(done, (1, 2, 3, 4)), undated[0])
    assert book.take(undated[1]) == {"pay-1", "pay-2", "pay-3", "pay-50", "pay-60"}


def test_of_many_that_may_not_go_none_is_looked_at_again_before_more_has_changed() -> None:
    looks: list[str] = []
    book = Book()

    def is_needed(row: Record) -> bool:
        looks.append(_key(row))
        return True

    book.retention.hold(is_needed)
    book.take(*map(done, (1, 2, 3, 4)))
    looked = len(looks)
    book.take()
    assert 0 < looked == len(looks)
    book.take(done(5))
    assert len(looks) > looked


def test_what_somebody_looks_at_stays_for_as_long() -> None:
    book = Book()
    book.take(*map(done, (1, 2, 3, 4)))
    book.retention.loaded = frozenset({"pay-9"})
    book.table.recall([done(9)])
    assert book.take(done(0)) == {"pay-0", "pay-1", "pay-2", "pay-9"}
    book.retention.loaded = frozenset()
    assert book.take() == {"pay-0", "pay-1", "pay-2"}
