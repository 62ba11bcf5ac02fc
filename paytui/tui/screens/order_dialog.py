"""By what a list is sorted: its columns to choose from, one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from paytui.tui import keys
from paytui.tui.screens.dialog import Dialog
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import Ledger
from paytui.tui.table.order import Sort, with_next, without
from paytui.tui.theme.themes import Cell, Tone

R = TypeVar("R")

MOST = 14
"""Columns on view at once; there may be more to scroll through."""


@dataclass(frozen=True, slots=True)
class Place(Generic[R]):
    """One column, and where it stands in the order: `1 ▲`; blank where it does not."""

    column: Column[R]
    mark: str


class OrderDialog(Dialog[None], Generic[R]):
    """Sorts the list below it at each key, so that one sees what comes of it."""

    BINDINGS: ClassVar[list[BindingType]] = keys.ORDER

    def __init__(
        self,
        sortable: Sequence[Column[R]],
        sorts: Sequence[Sort[R]],
        sort_by: Callable[[Sequence[Sort[R]]], None],
    ) -> None:
        super().__init__()
        self._sortable = sortable
        self._sorts = tuple(sorts)
        self._sort_by = sort_by
        self._list: Ledger[str, Place[R]] = Ledger(
            _columns(), lambda place: place.column.title, opened=lambda _: self.action_add()
        )

    def compose(self) -> ComposeResult:
        """The list in a box."""
        box = Vertical(self._list, classes="box")
        box.border_title = "Sort by"
        box.border_subtitle = "space adds or turns, backspace takes out, esc goes back"
        yield box

    def on_mount(self) -> None:
        """Fill the list."""
        self._list.styles.height = min(MOST, len(self._sortable)) + 1
        self._show()

    def action_add(self) -> None:
        """Sort by this column as well, after all others; turn it if it is one of them."""
        if (place := self._list.selected) is not None:
            self._change(with_next(self._sorts, place.column))

    def action_remove(self) -> None:
        """No longer sort by this column."""
        if (place := self._list.selected) is not None:
            self._change(without(self._sorts, place.column))

    def _change(self, sorts: tuple[Sort[R], ...]) -> None:
        self._sorts = sorts
        self._sort_by(sorts)
        self._show()

    def _show(self) -> None:
        marks = {
            sort.column.title: f"{rank} {sort.sign}" for rank, sort in enumerate(self._sorts, 1)
        }
        places = (Place(column, marks.get(column.title, "")) for column in self._sortable)
        self._list.replace(places)


def _columns() -> tuple[Column[Place[R]], ...]:
    return (
        Column(title="Order", cell=lambda place: Cell(place.mark, Tone.ACCENT), width=6),
        Column(title="Column", cell=lambda place: Cell(place.column.title), width=20, grows=True),
    )
