"""Rows that came to stay are looked at once for garbage; the garbage among them is found then."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from paytui.api.models import Account, AccountId
from paytui.cli.old_rows import MANY, left_alone
from paytui.store.store import Store


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    gc.unfreeze()


class Node:
    """Something that only a look for garbage finds to be some."""

    def __init__(self) -> None:
        self.itself = self


def fill(store: Store, first: int, count: int) -> None:
    ids = range(first, first + count)
    store.accounts.put([Account(AccountId(f"acc-{number}")) for number in ids])


def is_looked_at(row: object) -> bool:
    return any(row is thing for thing in gc.get_objects())


def test_many_rows_are_looked_at_once_and_a_few_more_again_and_again() -> None:
    store = Store()
    with left_alone(lambda: store.written):
        fill(store, 0, MANY)
        many = store.accounts.rows()[0]
        assert is_looked_at(many)
        gc.collect()
        assert not is_looked_at(many)
        fill(store, MANY, 10)
        gc.collect()
        few = store.accounts.get(AccountId(f"acc-{MANY}"))
        assert is_looked_at(few)
        fill(store, MANY + 10, MANY)
        gc.collect()
        assert not is_looked_at(few)


def test_what_is_garbage_by_then_goes() -> None:
    store = Store()
    with left_alone(lambda: store.written):
        fill(store, 0, MANY)
        node = Node()
        known = ref(node)
        del node
        gc.collect()
    assert known() is None


def test_afterwards_it_is_looked_for_as_before() -> None:
    store, before = Store(), (gc.get_threshold(), list(gc.callbacks))
    with left_alone(lambda: store.written):
        assert gc.get_threshold() != before[0]
        fill(store, 0, MANY)
    assert (gc.get_threshold(), list(gc.callbacks)) == before
    gc.collect()
    assert is_looked_at(store.accounts.rows()[0])
