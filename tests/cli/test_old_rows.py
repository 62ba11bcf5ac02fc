"""Rows that came to stay are looked at once for garbage; the garbage among them is found then."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from paytui.api.models import Account, AccountId
from paytui.cli.old_rows import LONG, left_alone

ROW = Account(AccountId("acc-1"))


class Spent:
    """Each look takes as long as it is told."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._now = 5000.0

    def __call__(self) -> float:
        self._now += self.seconds
        return self._now


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


def test_what_a_long_look_finds_in_use_is_not_looked_at_again() -> None:
    with left_alone(Spent(2 * LONG)):
        assert is_looked_at(ROW)
        gc.collect()
        assert not is_looked_at(ROW)


def test_after_a_short_look_all_is_looked_at_again() -> None:
    with left_alone(Spent(LONG / 2)):
        gc.collect()
        assert is_looked_at(ROW)


def test_a_look_at_what_is_new_alone_leaves_nothing_alone() -> None:
    with left_alone(Spent(2 * LONG)):
        gc.collect(0)
        gc.collect(1)
        assert is_looked_at(ROW)


def test_what_is_garbage_by_then_goes() -> None:
    with left_alone(Spent(2 * LONG)):
        node = Node()
        known = ref(node)
        del node
        gc.collect()
    assert known() is None


def test_afterwards_it_is_looked_for_as_before() -> None:
    before = gc.get_threshold()
    with left_alone(Spent(2 * LONG)):
        assert gc.get_threshold() != before
    assert gc.get_threshold() == before
    gc.collect()
    assert is_looked_at(ROW)
