"""The order of a list always equals that of a full sort."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from paytui.tui.table.order import SortedIndex

IDS = st.integers(0, 60).map("{:04}".format)
KEYS = st.dictionaries(IDS, st.one_of(st.none(), st.integers(0, 5)), max_size=50)
STEP = st.tuples(KEYS, st.sets(IDS, max_size=20), st.sets(IDS, max_size=20))


def shown(ordering: SortedIndex[str]) -> list[str]:
    return [ordering[position] for position in range(len(ordering))]


def in_order(
    keys: dict[str, int | None], came: list[str], hidden: set[str], *, descending: bool
) -> list[str]:
    """The order by hand: those without a key first, then by key, then as they came."""
    ranks = {key: (rank is not None, rank or 0, came.index(key)) for key, rank in keys.items()}
    return sorted(keys.keys() - hidden, key=ranks.__getitem__, reverse=descending)


@given(st.lists(STEP, max_size=8), STEP, st.booleans())
def test_any_history_of_changes_and_filters_and_sorts_ends_in_the_order_of_the_keys(
    steps: list[tuple[dict[str, int | None], set[str], set[str]]],
    last: tuple[dict[str, int | None], set[str], set[str]],
    descending: bool,
) -> None:
    ordering: SortedIndex[str] = SortedIndex(descending=descending)
    keys: dict[str, int | None] = {}
    came: list[str] = []
    hidden: set[str] = set()
    for changed, others, unwanted in steps:
        gone = others - changed.keys()
        ordering.update(changed, changed.keys() & unwanted, gone)
        came = [key for key in came if key not in gone]
        came += [key for key in changed if key not in came]
        keys = {key: rank for key, rank in keys.items() if key not in gone} | changed
        hidden = (hidden - changed.keys() - gone) | (changed.keys() & unwanted)
        assert shown(ordering) == in_order(keys, came, hidden, descending=descending)
    other, wanted, _ = last
    keys = {key: other.get(key) for key in keys}
    ordering.sort(keys, descending=not descending)
    assert shown(ordering) == in_order(keys, came, hidden, descending=not descending)
    ordering.show(wanted & keys.keys())
    found = shown(ordering)
    assert found == in_order(keys, came, keys.keys() - wanted, descending=not descending)
    assert [ordering.position(key) for key in found] == list(range(len(found)))
    assert {ordering.position(key) for key in keys.keys() - wanted} <= {None}
    assert ordering.position("never seen") is None
