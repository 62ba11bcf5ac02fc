"""The columns that a person wants to see of a list, in the order in which they are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from paytui.tui.widgets.columns import Column

R = TypeVar("R")

Columns = tuple[Column[R], ...]


def choose(columns: Columns[R], ids: Sequence[str]) -> tuple[Columns[R], Columns[R]]:
    """The columns of these ids, and all others.

    Of the chosen ones the last gives way first where the width is short; what a row cannot do
    without stays. An amount whose currency was not chosen shows it itself.
    """
    by_id = {column.id: column for column in columns}
    shown = tuple(
        replace(_complete(by_id[wanted], ids), gives_way=place if by_id[wanted].gives_way else 0)
        for place, wanted in enumerate(ids, 1)
    )
    return shown, tuple(column for column in columns if column.id not in ids)


def _complete(column: Column[R], ids: Sequence[str]) -> Column[R]:
    if column.alone is None or column.alone.without in ids:
        return column
    return replace(column, cell=column.alone.cell)
