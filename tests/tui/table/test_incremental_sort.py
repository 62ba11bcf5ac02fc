"""A long list in a new order: the visible rows are right first."""

from __future__ import annotations

import random

import pytest

from paytui.tui.table.incremental_sort import SORT_SLICE, CursorWindow, IncrementalSort
from paytui.tui.table.order import LATE

HEIGHT = 20
COUNT = 4 * SORT_SLICE + 7


def sorting(
    values: list[int | None],
    hidden: set[int],
    cursor: int | None,
    *,
    descending: bool,
) -> IncrementalSort[int, int | None]:
    """Return a sort of the numbers from 0 on, each by its value."""
    return IncrementalSort(
        dict(enumerate(values)),
        lambda rows: rows,
        set(range(len(values))) - hidden if hidden else None,
        descending=descending,
        cursor=cursor,
        reach=HEIGHT,
    )


def in_order(values: list[int | None], hidden: set[int], *, descending: bool) -> list[int]:
    """Missing values first, equal ones as they came; all of it turned where it descends."""
    shown = [at for at in range(len(values)) if at not in hidden]
    ranks = [-1 if value is None else value for value in values]
    ordered = sorted(shown, key=ranks.__getitem__)
    return ordered[::-1] if descending else ordered


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("filtered", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_the_window_and_the_end_are_what_sorting_everything_gives(
    seed: int, filtered: bool, descending: bool
) -> None:
    draw = random.Random(seed).randrange  # noqa: S311 - a test repeats itself
    values = [None if draw(50) == 0 else draw(200) for _ in range(COUNT)]
    hidden = {at for at in range(COUNT) if filtered and draw(3) == 0}
    shown = in_order(values, hidden, descending=descending)
    cursor = shown[draw(len(shown))]
    made = sorting(values, hidden, cursor, descending=descending)
    while made.window is None:
        assert made.ordering is None
        made.step()
    assert len(made.window) == len(shown)
    place = made.window.position(cursor)
    assert place == shown.index(cursor)
    for at in range(max(0, place - HEIGHT + 1), min(len(shown), place + HEIGHT)):
        assert made.window[at] == shown[at]
    while made.ordering is None:
        made.step()
    assert [made.ordering[at] for at in range(len(made.ordering))] == shown


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_one_that_is_turned_meanwhile_gives_what_it_would_have_given_from_the_beginning(
    seed: int, descending: bool
) -> None:
    draw = random.Random(seed).randrange  # noqa: S311 - a test repeats itself
    values = [None if draw(50) == 0 else draw(200) for _ in range(COUNT)]
    expected = in_order(values, set(), descending=descending)
    cursor = draw(COUNT)
    made = sorting(list(values), set(), cursor, descending=not descending)
    for _ in range(draw(2 * COUNT // SORT_SLICE)):
        made.step()
    made.reverse()
    while made.window is None:
        made.step()
    place = made.window.position(cursor)
    assert place == expected.index(cursor)
    for at in range(max(0, place - HEIGHT + 1), min(COUNT, place + HEIGHT)):
        assert made.window[at] == expected[at]
    while made.ordering is None:
        made.step()
    assert [made.ordering[at] for at in range(COUNT)] == expected


def test_what_stands_before_a_window_is_not_in_it() -> None:
    window = CursorWindow(["b", "c"], 1, 4)
    assert window[1] == "b"
    with pytest.raises(IndexError):
        window[0]


def test_of_no_rows_there_is_an_order_as_well() -> None:
    made = sorting([], set(), None, descending=False)
    while made.ordering is None:
        made.step()
    assert made.ordering is not None
    assert len(made.ordering) == 0


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("count", [5, LATE + 500])
def test_what_changes_afterwards_stands_where_sorting_everything_puts_it(
    count: int, descending: bool
) -> None:
    draw = random.Random(count).randrange  # noqa: S311 - a test repeats itself
    values = [None if draw(50) == 0 else draw(200) for _ in range(COUNT)]
    made = sorting(list(values), set(), 0, descending=descending)
    while made.ordering is None:
        made.step()
    changed = {draw(COUNT): draw(200) for _ in range(count)}
    fresh = {COUNT + at: draw(200) for at in range(count)}
    made.ordering.update({**changed, **fresh}, (), set())
    values += fresh.values()
    for at, value in changed.items():
        values[at] = value
    expected = in_order(values, set(), descending=descending)
    assert [made.ordering[at] for at in range(len(made.ordering))] == expected
