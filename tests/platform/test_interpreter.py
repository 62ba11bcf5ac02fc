"""Long-lived rows are scanned once by the garbage collector; their garbage is found."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from paytui.domain.models import Account, AccountId
from paytui.platform.interpreter import gc_freeze_policy
from paytui.store.store import Store

ROW = Account(AccountId("acc-1"))

MANY = 50_000
"""Rows: enough for what is in use to be left alone."""


class Book:
    """The number of rows that came or changed so far."""

    def __init__(self) -> None:
        self.changes = 0

    def __call__(self) -> int:
        return self.changes


@pytest.fixture
def book() -> Book:
    return Book()


class Node:
    """Something that only a look for garbage finds to be some."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def is_looked_at(row: object) -> bool:
    return any(row is thing for thing in gc.get_objects())


@pytest.mark.slow
def test_what_is_in_use_when_many_rows_came_is_not_looked_at_again(book: Book) -> None:
    with gc_freeze_policy(book):
        book.changes += MANY
        assert is_looked_at(ROW)
        gc.collect()
        assert not is_looked_at(ROW)


@pytest.mark.slow
def test_while_few_rows_come_all_is_looked_at_again(book: Book) -> None:
    with gc_freeze_policy(book):
        book.changes += 1_000
        gc.collect()
        assert is_looked_at(ROW)


@pytest.mark.slow
def test_rows_that_were_there_before_do_not_count(book: Book) -> None:
    book.changes = MANY
    with gc_freeze_policy(book):
        gc.collect()
        assert is_looked_at(ROW)


@pytest.mark.slow
def test_what_came_after_many_is_looked_at_until_as_many_come_again(book: Book) -> None:
    with gc_freeze_policy(book):
        book.changes += MANY
        gc.collect()
        later = [Node() for _ in range(30_000)]
        gc.collect()
        assert is_looked_at(later)
        book.changes += MANY
        gc.collect()
        assert not is_looked_at(later)


def test_where_little_is_in_use_rows_that_change_leave_nothing_alone(book: Book) -> None:
    gc.freeze()  # as after the start
    with gc_freeze_policy(book):
        row = Account(AccountId("acc-2"))
        book.changes += MANY
        gc.collect()
        assert is_looked_at(row)


@pytest.mark.slow
def test_a_dialog_that_was_open_at_a_look_is_garbage_once_it_is_closed(book: Book) -> None:
    """It is some thousand objects, and what screens show is more: a day of them is gigabytes."""
    with gc_freeze_policy(book):
        dialog = [Node() for _ in range(100_000)]
        gc.collect()
        known = ref(dialog[0])
        del dialog
        gc.collect()
    assert known() is None


@pytest.mark.slow
def test_all_is_looked_at_sooner_while_much_comes_to_stay_than_while_nothing_does(
    book: Book,
) -> None:
    with gc_freeze_policy(book):
        gc.collect()
        gc.collect()
        calm = gc.get_threshold()[2]
        rows = [Node() for _ in range(20_000)]
        gc.collect()
        assert gc.get_threshold()[2] < calm
        del rows


def test_a_look_at_what_is_new_alone_leaves_nothing_alone(book: Book) -> None:
    with gc_freeze_policy(book):
        book.changes += MANY
        gc.collect(0)
        gc.collect(1)
        assert is_looked_at(ROW)


def test_what_is_garbage_by_then_goes(book: Book) -> None:
    with gc_freeze_policy(book):
        book.changes += MANY
        node = Node()
        known = ref(node)
        del node
        gc.collect()
    assert known() is None


def test_afterwards_it_is_looked_for_as_before(book: Book) -> None:
    before = gc.get_threshold()
    with gc_freeze_policy(book):
        assert gc.get_threshold() != before
    assert gc.get_threshold() == before
    book.changes += MANY
    gc.collect()
    assert is_looked_at(ROW)


def test_a_store_counts_what_came_and_what_changed() -> None:
    store = Store()
    store.accounts.put([ROW, Account(AccountId("acc-2"))])
    store.accounts.put([Account(AccountId("acc-2"), email="ap@acme.example"), ROW])
    assert store.changes == 3
