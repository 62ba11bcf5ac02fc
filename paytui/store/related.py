"""The rows of a list that belong to one object."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import nlargest

from paytui.domain.models import Kind, Record
from paytui.store.names import belongs_to
from paytui.store.store import GROWING, Store

Owner = tuple[Kind, str]
"""The kind and the identifier of an object."""

LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Related:
    """The rows of a kind that belong to an object, and their number.

    Attributes:
        newest: of kinds that grow the newest, newest first; of others as they arrived.
        total: number of all of them.
        is_whole: all rows of the list were counted, not only those in memory.
    """

    newest: tuple[Record, ...]
    total: int
    is_whole: bool


def created(row: Record) -> datetime:
    """Return the time of creation; without one a row is older than any other."""
    at: datetime | None = getattr(row, "created_at", None)
    return at or LONG_AGO


def related_in_memory(store: Store, owner: Owner, kind: Kind, most: int) -> Related:
    rows = list(filter(belongs_to(store, *owner, kind), store.table(kind).rows()))
    newest = nlargest(most, rows, key=created) if kind in GROWING else rows[:most]
    return Related(tuple(newest), len(rows), is_whole=not store.left_out(kind))
