"""Ingestion of lists: rows that were read go into the table, rows that are gone leave it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice
from typing import Any

from paytui.api.paging import Page
from paytui.api.resources import READS
from paytui.domain import models
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.store.table import SLICE
from paytui.worker.sync.freshness import Part
from paytui.worker.sync.shared import next_turn

MOST_GONE = 5  # Rows that may disappear from a list at once; more need a confirming read
WRITTEN_SOON = 0.02  # Seconds between looks at whether rows were written that leave memory
LOSS_TOLD = timedelta(hours=1)  # The time for which a larger loss is reported

Pages = AsyncGenerator[Page[models.Record], None]

Enough = Callable[[Page[models.Record], bool], bool]
"""Returns True to stop reading; takes the last page, and True if it changed anything."""


Changed = Mapping[str, models.Record | None]
"""Changed rows by id; None: the service has it no longer."""


@dataclass(frozen=True, slots=True)
class PartialRead:
    """The result of a partial read. It is `is_enough` if reading stopped early."""

    is_enough: bool
    is_complete: bool
    skipped: int


class ListIngest:
    """A writer of the lists of one kind into its `table`.

    Attributes:
        tell: called with what reads change, for a desk.
    """

    def __init__(self, kind: models.Kind, store: Store, time: ServiceTime) -> None:
        self.table = store.table(kind)
        self.tell: Callable[[Changed], None] | None = None
        self._store = store
        self._time = time
        self._parent_field = READS[kind].parameter
        self._retention = store.retention(kind)
        self._parents: dict[str, str | None] = {}
        self._foreign: set[str] = set()
        self._version = self.table.version

    def doubted(self, part: Part) -> set[str]:
        """Return ids of a part's rows that were written by others since the part was read.

        Such a row may be older than the list, and a page that the service reports as unchanged does
        not correct it.
        """
        self._note_foreign()
        return {key for key in self._foreign if self._is_in(part, key)}

    def settle(self, keys: Iterable[str]) -> None:
        """Trust these rows again after a full read of the list."""
        self._foreign.difference_update(keys)

    async def take(self, part: Part, pages: Pages) -> set[str]:
        """Read a part to its end, and return the identifiers of the rows read.

        Rows that a complete list no longer holds are removed. Nothing is removed if the list was
        truncated or has unreadable records. A second read must confirm the removal in three cases:
        the list took several responses, between which a row may have moved; it may be incomplete;
        or it lacks many rows at once. Rows of another parent, from a service that ignores the
        requested one, do not belong to the part. After an ApiError, rows that came before it stay.
        """
        if part.parent is None:
            part.held |= self.table.keys()
        seen: set[str] = set()
        read, answers, skipped, total, complete, cut, remark = 0, 0, 0, None, True, "", ""
        async for page in pages:
            if page.records:
                await self._next_turn(len(page.records))
            keys, left_out = self._put(part, page)
            seen |= keys
            await self._next_turn(len(page.records))
            came = len(page.records) + len(page.known)
            read += came - left_out
            answers += page.ends_answer and came > 0
            skipped += page.skipped
            total, complete, cut, remark = page.total, page.complete, page.cut, page.remark
        if read > len(seen):
            total = len(seen) if complete else None
        part.total, part.complete, part.cut, part.skipped = total, complete, cut, skipped
        part.remark = remark
        if complete and not skipped:
            missed = part.held - seen
            many = len(missed) > MOST_GONE
            lacks_many = many and len(missed & self.table.keys()) > MOST_GONE
            is_doubted = answers > 1 or remark or lacks_many
            gone = missed & part.missed if is_doubted else missed
            self._report_loss(part, missed, gone, lacks_many=lacks_many)
            await self.remove(gone)
            part.held -= gone  # in place, since a copy takes megabytes
            part.missed = missed - gone
            part.memory.end()
        return seen

    def _report_loss(
        self, part: Part, missed: set[str], gone: set[str], *, lacks_many: bool
    ) -> None:
        now = self._time.earliest()
        if not lacks_many:
            if part.loss_at is None or now - part.loss_at > LOSS_TOLD:
                part.loss = ""
        elif len(gone) > MOST_GONE:
            part.loss_at = now
            part.loss = f"{len(gone):,} gone at once at {now:%H:%M} UTC, by two reads"
        else:
            part.loss_at, part.loss = None, f"{len(missed):,} gone at once: read again"

    async def remove(self, keys: Iterable[str]) -> None:
        left = iter(keys)
        while chunk := list(islice(left, SLICE)):
            self._note_foreign()
            if self.tell is not None:
                self.tell(dict.fromkeys(chunk))
            self.table.remove(chunk)
            self._version = self.table.version
            self._forget(chunk)
            await self._next_turn(len(chunk))

    async def accept(self, rows: Sequence[models.Record], gone: Sequence[str]) -> None:
        """Take over what another seat of the desk has read.

        These rows count as foreign: responses that this seat has cached do not confirm them. A row
        that is newer here stays.
        """
        for start in range(0, len(rows), SLICE):
            chunk = [row for row in rows[start : start + SLICE] if not self._is_newer_here(row)]
            self.table.put(chunk if self._retention is None else self._retention.sift(chunk))
            await self._next_turn(len(chunk))
        for start in range(0, len(gone), SLICE):
            self.table.remove(gone[start : start + SLICE])
            await self._next_turn(SLICE)

    def _is_newer_here(self, row: models.Record) -> bool:
        changed = getattr(row, "updated_at", None)
        here = getattr(self.table.get(self.table.key(row)), "updated_at", None)
        return changed is not None and here is not None and here > changed

    async def add(self, part: Part, pages: Pages, enough: Enough) -> PartialRead:
        """Read the beginning of a part, and remove nothing, also after an ApiError."""
        skipped, is_complete = 0, True
        async with aclosing(pages):
            async for page in pages:
                version, held = self.table.version, len(part.held)
                self._put(part, page, tell_all=True)
                is_news = (self.table.version, len(part.held)) != (version, held)
                await self._next_turn(len(page.records))
                skipped, is_complete = skipped + page.skipped, page.complete
                if enough(page, is_news):
                    return PartialRead(True, is_complete, skipped)
        return PartialRead(False, is_complete, skipped)

    def put_one(self, part: Part, row: models.Record) -> None:
        row = self._with_parent(row, part.parent)
        self._write([row])
        now, boot = self._time.earliest(), self._time.clock.boot()
        part.freshness.schedule(self.table.key(row), row, now, boot)
        self._store.notify()

    def _put(
        self, part: Part, page: Page[models.Record], *, tell_all: bool = False
    ) -> tuple[set[str], int]:
        """Write a page; return the identifiers of rows kept, and the number of rows left out.

        With `tell_all` a desk is told of rows that memory does not take, too.
        """
        came: Sequence[models.Record] = page.records
        if part.parent is not None:
            came = [self._with_parent(row, part.parent) for row in came]
        rows = came if self._retention is None else self._retention.sift(came)
        if tell_all and len(rows) < len(came):
            self._tell_changed(came)
        self._write(rows)
        keyed = self._keyed(came, part)
        part.freshness.note(keyed, self._time.earliest(), self._time.clock.boot())
        keys = {key for key, _ in (keyed if rows is came else self._keyed(rows, part))}
        part.held |= keys
        known = part.held.intersection(page.known)
        left_out = len(came) - len(rows)
        if self._retention is not None and self._retention.since:
            left_out += len(page.known) - len(known)
        return keys | known, left_out

    def _keyed(self, rows: Sequence[models.Record], part: Part) -> list[tuple[str, models.Record]]:
        key = self.table.key
        if part.parent is None:
            return [(key(row), row) for row in rows]
        its = (None, part.parent)
        return [(key(row), row) for row in rows if getattr(row, self._parent_field) in its]

    def _tell_changed(self, rows: Iterable[models.Record]) -> None:
        if self.tell is not None:
            keyed = ((self.table.key(row), row) for row in rows)
            self.tell({key: row for key, row in keyed if self.table.get(key) != row})

    def _write(self, rows: Sequence[models.Record]) -> None:
        self._note_foreign()
        self._tell_changed(rows)
        self.table.put(rows)
        self._version = self.table.version
        if self._foreign:
            self._foreign.difference_update(map(self.table.key, rows))

    def _note_foreign(self) -> None:
        """Note rows that others changed since the last write from here."""
        while changes := self.table.changes(self._version):
            self._foreign.update(map(self.table.key, changes.rows))
            self._forget(changes.removed)
            self._version = changes.version

    def _forget(self, keys: Iterable[str]) -> None:
        for key in keys:
            self._foreign.discard(key)
            self._parents.pop(key, None)

    def _is_in(self, part: Part, key: str) -> bool:
        if part.parent is None or key in part.held:
            return True
        row = self.table.get(key)
        return row is not None and getattr(row, self._parent_field) == part.parent

    async def _next_turn(self, rows: int) -> None:
        await next_turn(self._store, self._time.clock, rows)
        retention = self._retention
        while retention is not None and retention.is_full:  # noqa: ASYNC110 - it knows no loop
            await asyncio.sleep(WRITTEN_SOON)

    def _with_parent(self, row: models.Record, parent: str | None) -> models.Record:
        """Return the row with the requested parent, if the service does not tell it.

        A row listed under several parents gets none: the service ignores the requested parent.
        """
        if parent is None or getattr(row, self._parent_field) is not None:
            return row
        key = self.table.key(row)
        if self._parents.setdefault(key, parent) != parent:
            self._parents[key] = None
        asked: dict[str, Any] = {self._parent_field: self._parents[key]}
        return replace(row, **asked)
