"""Rows that a figure depends on; here the even numbers in a table of numbers."""

from __future__ import annotations

from threading import Lock

import pytest

from paytui.store.table import SLICE, Subset, Table

Named = tuple[str, int]


@pytest.fixture
def table() -> Table[str, Named]:
    return Table(lambda row: row[0], Lock())


@pytest.fixture
def even(table: Table[str, Named]) -> Subset[str, Named]:
    return Subset(table, lambda row: row[1] % 2 == 0)


def test_it_holds_what_is_wanted_and_nothing_else(
    table: Table[str, Named], even: Subset[str, Named]
) -> None:
    table.put([("a", 1), ("b", 2), ("c", 4)])
    even.take_in()
    assert list(even.rows()) == [("b", 2), ("c", 4)]


def test_a_row_comes_and_goes_as_it_changes(
    table: Table[str, Named], even: Subset[str, Named]
) -> None:
    table.put([("a", 1), ("b", 2)])
    even.take_in()
    table.put([("a", 6), ("b", 3)])
    even.take_in()
    assert list(even.rows()) == [("a", 6)]
    table.remove(["a"])
    even.take_in()
    assert list(even.rows()) == []


def test_its_version_changes_with_its_rows_alone(
    table: Table[str, Named], even: Subset[str, Named]
) -> None:
    table.put([("a", 2)])
    even.take_in()
    before = even.version
    table.put([("b", 1), ("c", 3)])
    table.remove(["c"])
    even.take_in()
    assert even.version == before
    table.put([("a", 4)])
    even.take_in()
    assert even.version != before


def test_it_takes_in_a_slice_at_a_time(table: Table[str, Named], even: Subset[str, Named]) -> None:
    table.put((str(number), 2 * number) for number in range(SLICE + 1))
    assert even.take_in()
    assert len(even.rows()) == SLICE
    assert not even.take_in()
    assert len(even.rows()) == SLICE + 1


def test_nothing_is_asked_for_where_nothing_changed(
    table: Table[str, Named], even: Subset[str, Named]
) -> None:
    table.put([("a", 2)])
    even.take_in()
    assert not even.take_in()
    assert list(even.rows()) == [("a", 2)]


def test_a_change_has_just_the_row_that_changed_judged(table: Table[str, Named]) -> None:
    judged: list[str] = []

    def wanted(row: Named) -> bool:
        judged.append(row[0])
        return False

    subset = Subset(table, wanted)
    table.put((str(number), number) for number in range(SLICE))
    subset.take_in()
    judged.clear()
    table.put([("7", 100)])
    subset.take_in()
    assert judged == ["7"]
