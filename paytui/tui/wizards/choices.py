"""The list of what a step offers, and of what it does not, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.cells import cell_len

from paytui.tui import keys
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import Ledger
from paytui.tui.theme.themes import Cell, Tone
from paytui.tui.wizards.step import Option


class Choices(Ledger[str, Option], inherit_bindings=False):
    """Options in the order in which the machine gives them.

    Args:
        chosen: called with the one that is chosen, offered or not.
        cut: called with the one under the cursor where a part of it finds no room, else with None.
    """

    BINDINGS = keys.CHOICES

    def __init__(
        self, chosen: Callable[[Option], object], cut: Callable[[Option | None], object]
    ) -> None:
        super().__init__(COLUMNS, lambda option: option.key, opened=chosen)
        self._cut = cut

    def replace(self, rows: Iterable[Option]) -> None:
        """Show exactly these, in no more columns than say something."""
        options = tuple(rows)
        columns = _needed(options)
        if columns != self.columns:
            self.show_columns(columns, ())
        super().replace(options)

    def settle_cursor(self) -> None:
        """Show where the cursor has gone, and tell whether all of its option is seen."""
        super().settle_cursor()
        option = self.selected
        self._cut(option if option is not None and self._is_cut(option) else None)

    def _is_cut(self, option: Option) -> bool:
        room = {place.index: place.width for place in self._places}
        return bool(room) and any(
            cell_len(column.cell(option).text) > room.get(index, 0)
            for index, column in enumerate(self.columns)
        )


def _needed(options: tuple[Option, ...]) -> tuple[Column[Option], ...]:
    """The columns in which anything stands; the first one always."""
    return tuple(
        column
        for column in COLUMNS
        if column is COLUMNS[0] or any(column.cell(option).text for option in options)
    )


def _tone(option: Option, offered: Tone) -> Tone:
    return Tone.FAINT if option.why_not else offered


COLUMNS: tuple[Column[Option], ...] = (
    Column(
        title="Choice",
        cell=lambda option: Cell(option.name, _tone(option, Tone.INK)),
        width=16,
        grows=True,
        most=44,
    ),
    Column(
        title="Holds",
        cell=lambda option: Cell(option.amount, _tone(option, Tone.INK)),
        width=5,
        whole=True,
        right=True,
    ),
    Column(
        title="Not offered",
        cell=lambda option: Cell(option.why_not, Tone.CLOSING),
        width=11,
        grows=True,
        most=60,
    ),
    Column(
        title="About",
        cell=lambda option: Cell(option.facts, _tone(option, Tone.MUTED)),
        width=14,
        grows=True,
        most=60,
        gives_way=1,
    ),
)
"""The first ones have what they need before the later ones grow; what it is about gives way."""
