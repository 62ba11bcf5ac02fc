"""The rows of a growing table that stay in memory; the cache has the others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from paytui.domain import models
from paytui.store.table import Table

NEWEST = 5_000
"""Settled rows of a growing list that stay in memory: the list is read from the cache then."""

RECENT = timedelta(hours=30)
"""The age of rows that stay besides: guards and totals look at those of a day."""

WAITING = 1_000  # Rows that wait for the cache until no more are read

SLACK = 0.02  # The fraction of surplus rows that is tolerated, so that rows go in batches

_NEVER = datetime.min.replace(tzinfo=UTC)


class Retention:
    """The retention of one growing table; used by the thread that writes it.

    Open rows stay in memory, and rows without a time of creation, since their order is unknown. Of
    the settled rows the newest `most` stay, and those of the period `recent` before the newest. So
    do the rows `loaded`, which are on screen.

    Attributes:
        since: the time before which rows may be missing; None if all are held. For any thread.
        when_full: called if `beyond` should be emptied before more is read; None: nobody does.
    """

    def __init__(
        self, table: Table[str, models.Record], most: int, recent: timedelta = timedelta(0)
    ) -> None:
        self.loaded: frozenset[str] = frozenset()
        self.most = most
        self.when_full: Callable[[], None] | None = None
        self._table = table
        self._recent = recent
        self.since: datetime | None = None
        self._look_at = int(most * (1 + SLACK))
        self._beyond: list[models.Record] = []
        self._needs: tuple[Callable[[models.Record], bool], ...] = ()
        self._in_vain: tuple[int, frozenset[str]] | None = None

    def hold(self, is_needed: Callable[[models.Record], bool]) -> None:
        """Keep old rows for as long as `is_needed` returns True for them."""
        self._needs = (*self._needs, is_needed)

    def resume(self) -> None:
        """Begin with what a cache restored: rows older than these settled ones are left out."""
        self.since = min(map(_changed, filter(_may_go, self._table.rows())), default=None)

    @property
    def is_full(self) -> bool:
        return self.when_full is not None and len(self._beyond) >= WAITING

    def sift(self, rows: Iterable[models.Record]) -> list[models.Record]:
        """Return the rows that stay in memory; the others wait for `beyond`."""
        kept: list[models.Record] = []
        if self.since is None and len(self._table) > self._look_at:
            self._look_at = len(self._table) * 5 // 4
            if self.surplus() and self.when_full is not None:  # older rows are left out now
                self.when_full()
        for row in rows:
            is_old = self.since is not None and _may_go(row) and _changed(row) < self.since
            if is_old and not (self._is_needed(row) or self._table.get(self._table.key(row))):
                self._beyond.append(row)
            else:
                kept.append(row)  # a row on screen is kept up to date
        if self.when_full is not None and self.is_full:
            self.when_full()
        return kept

    def beyond(self) -> list[models.Record]:
        beyond, self._beyond = self._beyond, []
        return beyond

    def surplus(self) -> list[models.Record]:
        """Return the oldest rows of the table if it holds too many; `sift` then rejects them."""
        looked = self._table.version // (int(self.most * SLACK) + 1), self.loaded
        if len(self._table) <= self.most * (1 + SLACK) or looked == self._in_vain:
            return []
        key, loaded = self._table.key, self.loaded
        rows = (row for row in self._table.rows() if key(row) not in loaded)
        settled = sorted(filter(_may_go, rows), key=_changed, reverse=True)
        newest = max(map(_created, settled), default=_NEVER)
        recent = bisect_left(settled, self._recent, key=lambda row: newest - _changed(row))
        stay = max(self.most, recent)
        surplus = [row for row in settled[stay:] if not self._is_needed(row)]
        if surplus:
            self.since = _changed(settled[stay - 1])
        else:
            self._in_vain = looked
        return surplus

    def _is_needed(self, row: models.Record) -> bool:
        return any(is_needed(row) for is_needed in self._needs)


def _changed(row: models.Record) -> datetime:
    names = ("created_at", "updated_at", "exchanged_at", "credited_at")
    times: list[datetime | None] = [getattr(row, name, None) for name in names]
    return max((time for time in times if time is not None), default=_NEVER)


def _created(row: models.Record) -> datetime:
    """Return the time of creation: others may lie ahead, such as the value date of a pay-in."""
    created: datetime | None = getattr(row, "created_at", None)
    return created or _NEVER


def _may_go(row: models.Record) -> bool:
    """Return True if a row is settled and its age is known."""
    status = getattr(row, "status", None)
    made = getattr(row, "created_at", None)
    return status is not None and status.settled and made is not None
