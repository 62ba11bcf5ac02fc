"""A patch of Rich: spacing combining marks take a cell, as in most terminals.

Written for Rich 15; `tests/test_private_parts.py` fails if it changes.
Rich measures them as zero cells, and so cuts an Indic name to about half of what xterm, VTE, PuTTY
and tmux draw. `output.pin_cell_width` copes with other terminals.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from unicodedata import category

from rich import cells

_BESIDE = "Mc"  # Spacing combining marks (Unicode, general category)

_load = vars(cells)["load_cell_table"]


def patch_rich_cell_widths() -> None:
    """Make Rich, and so Textual, measure these marks as one cell."""
    if vars(cells)["load_cell_table"] is not _table:
        vars(cells)["load_cell_table"] = _table
        cells.get_character_cell_size.cache_clear()
        cells.cached_cell_len.cache_clear()


@lru_cache
def _table(unicode_version: str = "auto") -> cells.CellTable:
    table: cells.CellTable = _load(unicode_version)
    return table._replace(widths=tuple(_with_cells(table)))


def _with_cells(table: cells.CellTable) -> Iterator[tuple[int, int, int]]:
    """Yield the ranges without the marks: a character in no range takes one cell."""
    for start, end, width in table.widths:
        if width:
            yield start, end, width
            continue
        begin = start
        marks = filter(lambda code: category(chr(code)) == _BESIDE, range(start, end + 1))
        for code in (*marks, end + 1):
            if begin < code:
                yield begin, code - 1, width
            begin = code + 1
