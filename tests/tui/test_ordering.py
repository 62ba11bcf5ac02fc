"""The order of a list: always what sorting everything anew would give."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from paytui.tui.widgets.ordering import Ordering

IDS = st.integers(0, 60).map(str)
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
        ordering.update(changed, gone)
        expected = {key: value for key, value in expected.items() if key not in gone} | changed
    shown = [ordering[position] for position in range(len(ordering))]
    assert sorted(shown) == sorted(expected)
    ranks = [-1 if expected[key] is None else expected[key] for key in shown]
    assert ranks == sorted(ranks, key=lambda rank: rank or 0, reverse=descending)
    assert [ordering.position(key) for key in shown] == list(range(len(shown)))
    assert ordering.position("never seen") is None


def test_equal_keys_stay_in_the_order_in_which_they_came() -> None:
    ordering: Ordering[str] = Ordering()
    ordering.update({"b": 1, "a": 1}, set())
    ordering.update({"c": 1, "b": 1}, set())
    assert [ordering[position] for position in range(3)] == ["b", "a", "c"]
