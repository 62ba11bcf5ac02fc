"""The order of a list, judged by a comparison of two rows that is written by hand."""

from __future__ import annotations

from functools import cmp_to_key

from hypothesis import given
from hypothesis import strategies as st

from paytui.tui.format.cells import text_cell
from paytui.tui.table.columns import Column, Sort, in_order, sort_keys

Row = tuple[int | None, int | None]

COLUMNS: list[Column[Row]] = [
    Column(title="First", cell=lambda _: text_cell(""), key=lambda row: row[0], width=1),
    Column(title="Second", cell=lambda _: text_cell(""), key=lambda row: row[1], width=1),
]
SORTS = st.lists(st.builds(Sort, st.sampled_from(COLUMNS), st.booleans()), max_size=2)
VALUES = st.one_of(st.none(), st.integers(0, 3))
ROWS = st.dictionaries(st.integers(0, 60), st.tuples(VALUES, VALUES), max_size=30)


@given(ROWS, SORTS)
def test_rows_are_in_the_order_of_their_columns_then_of_arrival(
    rows: dict[int, Row], sorts: list[Sort[Row]]
) -> None:
    came = list(rows)

    def compare(one: int, other: int) -> int:
        for sort in sorts:
            a, b = (rows[key][COLUMNS.index(sort.column)] for key in (one, other))
            if a != b:
                is_less = a is None or (b is not None and a < b)
                return -1 if is_less is not sort.descending else 1
        is_first = came.index(one) < came.index(other)
        return -1 if is_first is not (bool(sorts) and sorts[0].descending) else 1

    keys = {key: sort_keys(row, sorts) for key, row in rows.items()}
    assert in_order(keys, sorts) == sorted(rows, key=cmp_to_key(compare))
