"""The retention of a growing list: the newest rows and all open ones stay in memory.

Rows without a time of creation stay too, since their order is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from paytui.domain.models import Kind, Record
from paytui.store.table import Table

GROWING = frozenset({Kind.PAYMENTS, Kind.TRADES, Kind.PAYINS})
"""Kinds whose lists grow each day."""

SLACK = 0.02
"""The fraction of surplus rows that is tolerated, so that rows go in batches."""

_NEVER = datetime.min.replace(tzinfo=UTC)


class Retention:
    """The retention of one table; used by the thread that writes it.

    Args:
        most: how many settled rows to keep.

    Attributes:
        reached: ids of older rows that are on screen; they stay meanwhile.
    """

    def __init__(self, table: Table[str, Record], most: int) -> None:
        self.reached: frozenset[str] = frozenset()
        self._table = table
        self._most = most
        self._horizon = _NEVER
        self._beyond: list[Record] = []
        self._needs: tuple[Callable[[Record], bool], ...] = ()
        self._in_vain: tuple[int, frozenset[str]] | None = None

    @property
    def in_force(self) -> bool:
        """Return True if any row was left out so far."""
        return self._horizon > _NEVER

    @property
    def since(self) -> datetime | None:
        """The time before which rows may be missing; None if all are held. For any thread."""
        return self._horizon if self.in_force else None

    def hold(self, is_needed: Callable[[Record], bool]) -> None:
        """Keep old rows for as long as `is_needed` returns True for them."""
        self._needs = (*self._needs, is_needed)

    def sift(self, rows: Iterable[Record]) -> list[Record]:
        """Return the rows that stay in memory; the others wait for `beyond`."""
        kept: list[Record] = []
        for row in rows:
            (kept if self._stays(row) else self._beyond).append(row)
        return kept

    def beyond(self) -> list[Record]:
        """Return the rows left out since the last call."""
        beyond, self._beyond = self._beyond, []
        return beyond

    def surplus(self) -> list[Record]:
        """Return the oldest rows of the table if it holds too many; `sift` then rejects them."""
        looked = self._table.version // (int(self._most * SLACK) + 1), self.reached
        if len(self._table) <= self._most * (1 + SLACK) or looked == self._in_vain:
            return []
        key, reached = self._table.key, self.reached
        rows = (row for row in self._table.rows() if key(row) not in reached)
        settled = [row for row in rows if _may_go(row) and not self._is_needed(row)]
        if len(settled) <= self._most:
            self._in_vain = looked
            return []
        settled.sort(key=_made, reverse=True)
        self._horizon = _made(settled[self._most - 1])
        return settled[self._most :]

    def _stays(self, row: Record) -> bool:
        if not _may_go(row) or _made(row) >= self._horizon:
            return True
        is_shown = self._table.get(self._table.key(row)) is not None
        return is_shown or self._is_needed(row)  # keep rows on screen up to date

    def _is_needed(self, row: Record) -> bool:
        return any(is_needed(row) for is_needed in self._needs)


def _made(row: Record) -> datetime:
    made: datetime | None = getattr(row, "created_at", None)
    return made or _NEVER


def _may_go(row: Record) -> bool:
    """Return True if a row is settled and its age is known."""
    status = getattr(row, "status", None)
    return status is not None and status.settled and _made(row) > _NEVER
