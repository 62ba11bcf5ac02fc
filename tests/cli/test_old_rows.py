"""Rows that came to stay are looked at once for garbage; the garbage among them is found then."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from paytui.api.models import Account, AccountId
from paytui.cli.old_rows import left_alone

ROW = Account(AccountId("acc-1"))

FEW = 10
"""Objects; there always are more."""


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


def test_what_a_look_at_many_finds_in_use_is_not_looked_at_again() -> None:
    with left_alone(FEW):
        assert is_looked_at(ROW)
        gc.collect()
        assert not is_looked_at(ROW)


def test_while_there_is_little_all_is_looked_at_again() -> None:
    with left_alone(many=10_000_000):
        gc.collect()
        assert is_looked_at(ROW)


def test_a_dialog_that_was_open_at_a_look_is_garbage_once_it_is_closed() -> None:
    """A dialog is some thousand objects: were each left alone, a day of them would be gigabytes."""
    with left_alone():
        gc.collect()
        gc.freeze()  # as after the start
        dialog = [Node() for _ in range(5_000)]
        gc.collect()
        known = ref(dialog[0])
        del dialog
        gc.collect()
    assert known() is None


def test_all_is_looked_at_sooner_while_much_comes_to_stay_than_while_nothing_does() -> None:
    with left_alone(many=10_000_000):
        gc.collect()
        gc.collect()
        calm = gc.get_threshold()[2]
        rows = [Node() for _ in range(20_000)]
        gc.collect()
        assert gc.get_threshold()[2] < calm
        del rows


def test_a_look_at_what_is_new_alone_leaves_nothing_alone() -> None:
    with left_alone(FEW):
        gc.collect(0)
        gc.collect(1)
        assert is_looked_at(ROW)


def test_what_is_garbage_by_then_goes() -> None:
    with left_alone(FEW):
        node = Node()
        known = ref(node)
        del node
        gc.collect()
    assert known() is None


def test_afterwards_it_is_looked_for_as_before() -> None:
    before = gc.get_threshold()
    with left_alone(FEW):
        assert gc.get_threshold() != before
    assert gc.get_threshold() == before
    gc.collect()
    assert is_looked_at(ROW)
