"""The cells of the rows on view: made once for as long as nothing of those changes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from paytui.tui.widgets.columns import Column
from paytui.tui.widgets.ledger_line import Cells

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class CellsOnView(Generic[K, R]):
    """Knows the cells of one view, and of the one before it."""

    def __init__(self) -> None:
        self._known: dict[K, Cells] = {}
        self._seen: dict[K, Cells] = {}

    def move(self) -> None:
        """What is asked for next is the next view."""
        self._known, self._seen = self._seen, {}

    def forget(self) -> None:
        """What any row shows may have changed."""
        self._seen = {}

    def of(self, key: K, row: R, columns: Sequence[Column[R]]) -> Cells:
        """A row's cells, one for each column."""
        cells = self._known.get(key)
        if cells is None:
            cells = tuple(column.cell(row) for column in columns)
        self._seen[key] = cells
        return cells
