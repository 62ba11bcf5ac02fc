"""A patch of Rich: spacing combining marks take a cell, as in most terminals.

Rich 14 measures them as zero cells, and so cuts an Indic name to about half of what xterm, VTE,
PuTTY and tmux draw. `output.pin_cell_width` copes with other terminals.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rich import cells
from rich._unicode_data import load

_BESIDE = "Mc"
"""Spacing combining marks (Unicode, general category)."""


def patch_rich_cell_widths() -> None:
    """Make Rich, and so Textual, measure these marks as one cell."""
    if vars(cells)["load_cell_table"] is not _table:
        vars(cells)["load_cell_table"] = _table
        cells.get_character_cell_size.cache_clear()
        cells.cached_cell_len.cache_clear()


@lru_cache
def _table(unicode_version: str = "auto") -> cells.CellTable:
    table = load(unicode_version)
    return table._replace(widths=tuple(_with_cells(table)))


def _with_cells(table: cells.CellTable) -> Iterator[tuple[int, int, int]]:
    """Yield the ranges without the marks: a character in no range takes one cell."""
    for start, end, width in table.widths:
        if width:
            yield start, end, width
            continue
        begin = start
        for code in (*filter(_stands_beside, range(start, end + 1)), end + 1):
            if begin < code:
                yield begin, code - 1, width
            begin = code + 1


def _stands_beside(code: int) -> bool:
    return unicodedata.category(chr(code)) == _BESIDE
