"""Long-lived rows are scanned once by the garbage collector; their garbage is found."""

from __future__ import annotations

import gc
import sys
from weakref import ref

import pytest

from paytui.domain.models import Account, AccountId
from paytui.platform.interpreter import gc_freeze_policy
from paytui.store.store import Store

ROW = Account(AccountId("acc-1"))

MANY = 50_000
"""Rows: enough for what is in use to be left alone."""


class Book:
    """The number of rows that came or changed so far, and a clock of what a look takes."""

    def __init__(self) -> None:
        self.changes = 0
        self.look = 0.020
        self._ticks = 0

    def __call__(self) -> int:
        return self.changes

    def cpu_time(self) -> float:
        """Tell a time that is later by one look at each call."""
        self._ticks += 1
        return self._ticks * self.look


@pytest.fixture
def book() -> Book:
    return Book()


class Node:
    """Something that only a look for garbage finds to be some."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _new_objects_alone() -> None:
    """To look at all that other tests left takes a while."""
    gc.freeze()


def is_looked_at(row: object) -> bool:
    return any(row is thing for thing in gc.get_objects())


def test_what_is_in_use_when_many_rows_came_is_not_looked_at_again(book: Book) -> None:
    with gc_freeze_policy(book, book.cpu_time):
        rows = [Node()]
        book.changes += MANY
        assert is_looked_at(rows)
        gc.collect()
        assert not is_looked_at(rows)


def test_while_few_rows_come_all_is_looked_at_again(book: Book) -> None:
    with gc_freeze_policy(book, book.cpu_time):
        rows = [Node()]
        book.changes += 1_000
        gc.collect()
        assert is_looked_at(rows)


def test_rows_that_were_there_before_do_not_count(book: Book) -> None:
    book.changes = MANY
    with gc_freeze_policy(book, book.cpu_time):
        rows = [Node()]
        gc.collect()
        assert is_looked_at(rows)


def test_what_came_after_many_is_looked_at_until_as_many_come_again(book: Book) -> None:
    with gc_freeze_policy(book, book.cpu_time):
        book.changes += MANY
        rows = [Node()]
        gc.collect()
        assert not is_looked_at(rows)
        later = [Node()]
        gc.collect()
        assert is_looked_at(later)
        book.changes += MANY
        gc.collect()
        assert not is_looked_at(later)


def test_while_a_look_is_short_rows_that_change_leave_nothing_alone(book: Book) -> None:
    book.look = 0.003
    with gc_freeze_policy(book, book.cpu_time):
        row = Account(AccountId("acc-2"))
        book.changes += MANY
        gc.collect()
        assert is_looked_at(row)


def test_a_dialog_that_was_open_at_a_look_is_garbage_once_it_is_closed(book: Book) -> None:
    """It is some thousand objects, and what screens show is more: a day of them is gigabytes."""
    with gc_freeze_policy(book, book.cpu_time):
        dialog = Node()
        gc.collect()
        known = ref(dialog)
        del dialog
        gc.collect()
    assert known() is None


def test_all_is_looked_at_sooner_while_much_comes_to_stay_than_while_nothing_does(
    book: Book,
) -> None:
    with gc_freeze_policy(book, book.cpu_time):
        gc.collect()
        gc.collect()
        calm = gc.get_threshold()[2]
        book.changes += 1_000
        gc.collect()
        assert gc.get_threshold()[2] < calm


def test_a_look_at_what_is_new_alone_leaves_nothing_alone(book: Book) -> None:
    row = Account(AccountId("acc-2"))
    with gc_freeze_policy(book, book.cpu_time):
        book.changes += MANY
        gc.collect(0)
        gc.collect(1)
        assert is_looked_at(row)


def test_what_is_garbage_by_then_goes(book: Book) -> None:
    with gc_freeze_policy(book, book.cpu_time):
        book.changes += MANY
        node = Node()
        known = ref(node)
        del node
        gc.collect()
    assert known() is None


def test_a_look_refers_to_nothing_that_another_thread_builds(book: Book) -> None:
    """A tuple that is referred to while it is built fails with `SystemError`."""
    referred: list[str] = []
    watching = True

    def audit(event: str, _: object) -> None:
        if watching and event in ("gc.get_objects", "gc.get_referrers"):
            referred.append(event)

    sys.addaudithook(audit)  # It cannot be removed.
    with gc_freeze_policy(book, book.cpu_time):
        gc.collect()
    watching = False
    assert not referred


def test_afterwards_it_is_looked_for_as_before(book: Book) -> None:
    before, row = gc.get_threshold(), Account(AccountId("acc-2"))
    with gc_freeze_policy(book, book.cpu_time):
        assert gc.get_threshold() != before
    assert gc.get_threshold() == before
    book.changes += MANY
    gc.collect()
    assert is_looked_at(row)


def test_a_store_counts_what_came_and_what_changed() -> None:
    store = Store()
    store.accounts.put([ROW, Account(AccountId("acc-2"))])
    store.accounts.put([Account(AccountId("acc-2"), email="ap@acme.example"), ROW])
    assert store.changes == 3
