"""Queries of a list in the cache, and the windows of rows that are read of it."""

from __future__ import annotations

from dataclasses import dataclass

from paytui.domain.models import Kind, Record
from paytui.store.names import Owner


@dataclass(frozen=True, slots=True)
class SortBy:
    """One column to sort by: a field, the name of a referenced object, `PAYEE` or `OWNER`.

    `source_wallet_id` sorts by the identifier, `source_wallet` by the name.
    """

    column: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The rows of a list.

    Rows without a value come first, those with equal values in order of their arrival. If the first
    column is descending, all of this is reversed.

    Attributes:
        filter: in the filter language; a blank one matches all rows.
        owner: the kind and identifier of the object that rows belong to; None: any.
    """

    kind: Kind
    order: tuple[SortBy, ...] = ()
    filter: str = ""
    owner: Owner | None = None


@dataclass(frozen=True, slots=True)
class Anchor:
    """The row around which a window is read.

    Attributes:
        key: its identifier; None, or if the list does not hold it: the row at `position`.
        position: counted from 0; beyond the last row that row is meant.
    """

    key: str | None = None
    position: int = 0


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive rows of a query.

    Attributes:
        first: the position of the first of them in the list.
        total: number of rows in the list.
        version: that of the file.
        condition: the reader's, of the rows at the time of their filter; while it and the version
            are the same, positions and total are.
        is_placed: False if `first` is not known yet; the position of the anchor was taken as given.
        is_whole: False if `total` is not known yet, but the first rows are.
    """

    rows: tuple[Record, ...]
    first: int
    total: int
    version: int
    condition: object = None
    is_placed: bool = True
    is_whole: bool = True


class Interrupted(Exception):
    """The end of a read by `interrupt()`."""
