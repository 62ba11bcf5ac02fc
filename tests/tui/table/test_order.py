"""The order of a list always equals that of a full sort."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paytui.tui.table.order import FILTER_SLICE, LATE, SOON, IncrementalFilter, SortedIndex

IDS = st.integers(0, 60).map("{:04}".format)
STEP = st.tuples(
    st.dictionaries(IDS, st.one_of(st.none(), st.integers(0, 5)), max_size=50),
    st.sets(IDS, max_size=20),
)


@given(st.lists(STEP, max_size=8), st.booleans())
def test_any_history_of_changes_ends_in_the_order_of_the_keys(
    steps: list[tuple[dict[str, int | None], set[str]]], descending: bool
) -> None:
    ordering: SortedIndex[str] = SortedIndex(descending=descending)
    expected: dict[str, int | None] = {}
    for changed, removed in steps:
        gone = removed - changed.keys()
        ordering.update(changed, (), gone)
        expected = {key: value for key, value in expected.items() if key not in gone} | changed
    shown = [ordering[position] for position in range(len(ordering))]
    assert sorted(shown) == sorted(expected)
    ranks = [-1 if expected[key] is None else expected[key] for key in shown]
    assert ranks == sorted(ranks, key=lambda rank: rank or 0, reverse=descending)
    assert [ordering.position(key) for key in shown] == list(range(len(shown)))
    assert ordering.position("never seen") is None


def test_equal_keys_stay_in_the_order_in_which_they_came() -> None:
    ordering: SortedIndex[str] = SortedIndex()
    ordering.update({"b": 1, "a": 1}, (), set())
    ordering.update({"c": 1, "b": 1}, (), set())
    assert [ordering[position] for position in range(3)] == ["b", "a", "c"]


@pytest.mark.slow
@given(st.lists(STEP, max_size=4), st.lists(STEP, max_size=4), st.booleans())
def test_an_order_that_is_turned_is_as_if_it_had_always_been_so(
    before: list[tuple[dict[str, int | None], set[str]]],
    after: list[tuple[dict[str, int | None], set[str]]],
    descending: bool,
) -> None:
    turned: SortedIndex[str] = SortedIndex(descending=not descending)
    always: SortedIndex[str] = SortedIndex(descending=descending)
    for changed, removed in before:
        for ordering in (turned, always):
            ordering.update(changed, (), removed - changed.keys())
    turned.reverse()
    for changed, removed in after:
        for ordering in (turned, always):
            ordering.update(changed, (), removed - changed.keys())
    assert shown(turned) == shown(always)


MANY = [f"{number:04}" for number in range(5 * FILTER_SLICE)]


def shown(ordering: SortedIndex[str]) -> list[str]:
    return [ordering[position] for position in range(len(ordering))]


HEIGHT = 20
DISTURBED = st.lists(st.tuples(st.integers(0, 5), STEP), max_size=4)


def looked_through(ordering: SortedIndex[str], filtering: IncrementalFilter[str]) -> None:
    while not filtering.over:
        filtering.step()
    ordering.show_found()


@given(st.sets(st.sampled_from(MANY)), DISTURBED, st.booleans(), st.none() | st.sampled_from(MANY))
def test_what_is_shown_is_what_is_kept_whatever_changes_while_it_is_looked_for(
    kept: set[str],
    disturbed: list[tuple[int, tuple[dict[str, int | None], set[str]]]],
    descending: bool,
    cursor: str | None,
) -> None:
    ordering: SortedIndex[str] = SortedIndex(descending=descending)
    expected: dict[str, int | None] = {key: int(key) % 7 for key in MANY}
    ordering.update(expected, (), set())
    filtering = ordering.filter(kept.intersection, cursor, HEIGHT)
    for after in range(6):
        for when, (changed, removed) in disturbed:
            if when == after:
                gone = removed - changed.keys()
                ordering.update(changed, changed.keys() - kept, gone)
                expected = {key: rank for key, rank in expected.items() if key not in gone}
                expected |= changed
        found = {entry[2] for entry in filtering.found}
        if not filtering.over:
            filtering.step()
            ordering.show_found()
            assert set(shown(ordering)) >= expected.keys() & found & kept
    looked_through(ordering, filtering)
    assert sorted(shown(ordering)) == sorted(expected.keys() & kept)
    ranks = [-1 if (rank := expected[key]) is None else rank for key in shown(ordering)]
    assert ranks == sorted(ranks, reverse=descending)
    assert [ordering.position(key) for key in shown(ordering)] == list(range(len(ordering)))


@given(
    st.lists(st.tuples(st.integers(0, 6), st.sets(st.sampled_from(MANY))), min_size=1, max_size=4),
    st.none() | st.tuples(st.integers(0, 6), STEP),
    st.booleans(),
    st.sampled_from(MANY),
)
def test_what_is_narrowed_before_all_was_looked_through_is_what_the_last_one_keeps(
    typed: list[tuple[int, set[str]]],
    disturbed: tuple[int, tuple[dict[str, int | None], set[str]]] | None,
    descending: bool,
    cursor: str,
) -> None:
    ordering: SortedIndex[str] = SortedIndex(descending=descending)
    expected: dict[str, int | None] = {key: int(key) % 7 for key in MANY}
    ordering.update(expected, (), set())
    kept, narrower = set(MANY) | {f"{number:04}" for number in range(61)}, False
    for looks, without in typed:
        kept -= without
        filtering = ordering.filter(kept.intersection, cursor, HEIGHT, narrower=narrower)
        narrower = True
        for look in range(looks):
            if disturbed is not None and disturbed[0] == look:
                changed, removed = disturbed[1]
                ordering.update(changed, changed.keys() - kept, removed - changed.keys())
                gone = removed - changed.keys()
                expected = {key: rank for key, rank in expected.items() if key not in gone}
                expected |= changed
                disturbed = None
            if not filtering.over and filtering.step():
                ordering.show_found()
        if filtering.over:
            ordering.show_found()
    looked_through(ordering, filtering)
    assert sorted(shown(ordering)) == sorted(expected.keys() & kept)
    ranks = [-1 if (rank := expected[key]) is None else rank for key in shown(ordering)]
    assert ranks == sorted(ranks, reverse=descending)


def test_what_fills_the_view_is_found_first_from_the_top_down() -> None:
    ordering: SortedIndex[str] = SortedIndex(descending=True)
    ordering.update({key: key for key in MANY}, (), set())
    filtering = ordering.filter(
        lambda keys: [key for key in keys if key.endswith("7")], None, HEIGHT
    )
    assert filtering.step()
    assert len(ordering) == len(MANY), "what was shown is shown until there is something better"
    ordering.show_found()
    first = sorted((key for key in MANY[-FILTER_SLICE:] if key.endswith("7")), reverse=True)
    assert shown(ordering) == first


def test_what_stands_next_to_the_cursor_is_found_first() -> None:
    ordering: SortedIndex[str] = SortedIndex()
    ordering.update({key: key for key in MANY}, (), set())
    middle = 5 * FILTER_SLICE // 2
    filtering = ordering.filter(
        lambda keys: [key for key in keys if key.endswith("7")], MANY[middle], HEIGHT
    )
    assert [filtering.step(), filtering.step()] == [False, True]
    ordering.show_found()
    around = MANY[middle - FILTER_SLICE : middle + FILTER_SLICE]
    assert shown(ordering) == [key for key in around if key.endswith("7")]
    assert filtering.centre == next(key for key in MANY[middle:] if key.endswith("7"))


def test_what_is_rarely_found_is_shown_before_all_was_looked_through() -> None:
    every = [f"{number:05}" for number in range(3 * SOON * FILTER_SLICE)]
    ordering: SortedIndex[str] = SortedIndex()
    ordering.update({key: key for key in every}, (), set())
    rare = {every[1], every[2 * SOON * FILTER_SLICE + 1]}
    filtering = ordering.filter(rare.intersection, None, HEIGHT)
    shows = []
    while not filtering.over:
        if filtering.step():
            ordering.show_found()
            shows.append(shown(ordering))
    assert shows == [[every[1]], sorted(rare)]


def test_an_order_is_let_go_of_little_by_little() -> None:
    ordering: SortedIndex[str] = SortedIndex()
    every = {f"{number:05}": number for number in range(2 * LATE + 1)}
    ordering.update(every, list(every)[:5], set())
    assert [ordering.release(), ordering.release(), ordering.release()] == [True, True, False]
    assert (len(ordering), ordering.position("00007")) == (0, None)
