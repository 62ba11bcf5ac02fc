"""A list as it is looked at, and the named ways to look at it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

from paytui.config.settings import View
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import Ledger
from paytui.tui.table.order import Sort

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


def view_of(wanted: str, ledger: Ledger[K, R]) -> View:
    """How a list is looked at now, under the filter `wanted`."""
    return View(
        filter=wanted.strip() or None,
        sort=tuple((sort.column.id, sort.descending) for sort in ledger.sorts),
        columns=tuple(column.id for column in ledger.columns),
    )


def is_looked_at_so(now: View, view: View) -> bool:
    """Whether all that a view says is so now."""
    return (
        (view.filter or "").strip() == (now.filter or "")
        and view.sort in (None, now.sort)
        and view.columns in (None, now.columns)
    )


def sorts_of(view: View, sortable: Sequence[Column[R]]) -> tuple[Sort[R], ...]:
    """What a view sorts by."""
    by_id = {column.id: column for column in sortable}
    named = ((by_id.get(name), descending) for name, descending in view.sort or ())
    return tuple(Sort(column, descending) for column, descending in named if column is not None)


def table_of(view: View) -> dict[str, object]:
    """A view as a configuration holds it."""
    table: dict[str, object] = {}
    if view.filter:
        table["filter"] = view.filter
    if view.sort:
        table["sort"] = [f"{'-' if descending else ''}{name}" for name, descending in view.sort]
    if view.columns:
        table["columns"] = list(view.columns)
    return table


def words_of(view: View) -> str:
    """A view in a few words: `status:held, by -created`."""
    sort = ", ".join(f"{'-' if descending else ''}{name}" for name, descending in view.sort or ())
    return ", ".join(filter(None, [view.filter, sort and f"by {sort}"]))
