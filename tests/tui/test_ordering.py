"""The order of a list: always what sorting everything anew would give."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from paytui.tui.widgets.ordering import SLICE, Ordering

IDS = st.integers(0, 60).map("{:04}".format)
STEP = st.tuples(
    st.dictionaries(IDS, st.one_of(st.none(), st.integers(0, 5)), max_size=50),
    st.sets(IDS, max_size=20),
)


@given(st.lists(STEP, max_size=8), st.booleans())
def test_any_history_of_changes_ends_in_the_order_of_the_keys(
    steps: list[tuple[dict[str, int | None], set[str]]], descending: bool
) -> None:
    ordering: Ordering[str] = Ordering(descending=descending)
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
    ordering: Ordering[str] = Ordering()
    ordering.update({"b": 1, "a": 1}, (), set())
    ordering.update({"c": 1, "b": 1}, (), set())
    assert [ordering[position] for position in range(3)] == ["b", "a", "c"]


MANY = [f"{number:04}" for number in range(5 * SLICE)]


def shown(ordering: Ordering[str]) -> list[str]:
    return [ordering[position] for position in range(len(ordering))]


@given(
    st.sets(st.sampled_from(MANY)),
    st.lists(st.tuples(st.integers(0, 5), STEP), max_size=4),
    st.booleans(),
)
def test_what_is_shown_is_what_is_kept_whatever_changes_while_it_is_looked_for(
    kept: set[str],
    disturbed: list[tuple[int, tuple[dict[str, int | None], set[str]]]],
    descending: bool,
) -> None:
    ordering: Ordering[str] = Ordering(descending=descending)
    expected: dict[str, int | None] = {key: int(key) % 7 for key in MANY}
    ordering.update(expected, (), set())
    found: list[str] = []
    for after, part in enumerate(ordering.sift(kept.intersection)):
        found += part
        for when, (changed, removed) in disturbed:
            if when == after:
                gone = removed - changed.keys()
                ordering.update(changed, changed.keys() - kept, gone)
                expected = {key: rank for key, rank in expected.items() if key not in gone}
                expected |= changed
                ordering.show_found()
                assert set(shown(ordering)) >= expected.keys() & set(found) & kept
    assert sorted(shown(ordering)) == sorted(expected.keys() & kept)
    ranks = [-1 if (rank := expected[key]) is None else rank for key in shown(ordering)]
    assert ranks == sorted(ranks, reverse=descending)
    assert [ordering.position(key) for key in shown(ordering)] == list(range(len(ordering)))


def test_rows_are_found_from_the_top_down() -> None:
    ordering: Ordering[str] = Ordering(descending=True)
    ordering.update({key: key for key in MANY}, (), set())
    first = next(ordering.sift(lambda keys: [key for key in keys if key.endswith("7")]))
    assert first == sorted((key for key in MANY[-SLICE:] if key.endswith("7")), reverse=True)
    assert len(ordering) == len(MANY), "what was shown is shown until there is something better"
    ordering.show_found()
    assert shown(ordering) == first
