"""Repeated reads of a list: in full, or as little as shows all changes.

A list that fits in one response is always read in full. For a longer list there are two kinds of
partial reads. If the dialect allows it, only changes are requested. Else, if the list is sorted
newest first, its first pages are read until one brings no news, and open rows further down are read
by identifier. The next full read finds what these miss, such as rows that are gone. Open rows that
even a full read lacks, because the list was truncated, are read by identifier too.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from paytui.api.client import Client
from paytui.api.errors import ApiError, NotFound, NotOffered, NotSeen, Refused
from paytui.api.paging import ListCache, Page
from paytui.domain.models import Kind, Record
from paytui.platform.clock import ServiceTime
from paytui.worker.sync.freshness import HEADED, ListFreshness, Part
from paytui.worker.sync.ingest import Enough, ListIngest, PartialRead

SWEEP = 1800.0
"""Seconds between full reads without caches, in case a service wrongly reports no change."""

SWEEP_SOON = 120.0  # The same for a list with an inconsistency

SWEEP_BLIND = 300.0
"""The same for a list with open rows that cannot be read by identifier or may be gone."""

UNPROVEN = 90.0
"""Seconds between full reads of a list if nothing proves that partial reads show new rows.
With the waits between reads that makes two minutes."""

LAG = 120.0  # Seconds by which new rows may be late without a remark
SWEEP_FACTOR = 20.0  # Minimum seconds between full reads, in multiples of the duration of one
OVERLAP = timedelta(seconds=30)  # A change may become visible so much later than a newer one

CLOCK_OVERLAP = timedelta(seconds=120)
"""The same if only the service's clock is known, not the newest change."""

MOST_BY_ID = 8  # Maximum number of objects read by identifier in one read of a list

SHORT_READS = 3
"""Consecutive incomplete reads, of the list or of changes, after which another way is tried."""

HEAD_INTERVAL = 300.0  # Seconds between reads of the first pages of a list that is read by changes

MOST_AGAIN = 200
"""Maximum number of unchanged records in each read of changes, as after a bulk change."""

LONG_OVERDUE = 60.0
"""Seconds by which single reads may be late before a full read, if that takes fewer requests."""

LEFT_OUT = "read in full: the list of changes is incomplete"

JUDGED_FROM = 100  # Minimum number of records that show that a service ignores `updatedSince`


class ListReader:
    def __init__(self, kind: Kind, client: Client, ingest: ListIngest, time: ServiceTime) -> None:
        self._kind = kind
        self._client = client
        self._ingest = ingest
        self._table = ingest.table
        self._time = time

    async def read(self, part: Part) -> None:
        """Bring the rows of a part up to date. Raises ApiError."""
        freshness = part.freshness
        part.age = 0.0
        if part.stale:
            freshness.no_changes = ""
        # Odd if the service's clock was set back.
        freshness.is_odd |= self._offset() < part.offset - OVERLAP.total_seconds()
        part.offset = self._offset()
        if self._is_to_be_swept(part):
            await self._sweep(part)
        elif self._is_to_be_read_whole(part):
            await self._whole(part)
        elif self._tells_changes(freshness):
            await self._changes(part)
            await self._check_unreported(part)
            await self._confirm(part)
        elif self._is_headed(freshness) and not self._is_behind(part):
            await self._head(part)
            await self._confirm(part)
        else:
            await self._whole(part)
        # New rows may be late by this time; a short one counts as 0.
        is_late = part.freshness.answers > 1 and not self._shows_new(part)
        wait = self._unproven_wait(part) if is_late else 0.0
        part.lag = wait if wait > LAG else 0.0

    def _is_headed(self, freshness: ListFreshness) -> bool:
        """Return True if new rows are expected on the first pages."""
        may_be = self._client.lists_newest_first is not False
        return may_be and freshness.newest_first and self._kind in HEADED

    # Full reads

    def _is_to_be_swept(self, part: Part) -> bool:
        if part.stale or part.swept is None:
            return True
        freshness, wait = part.freshness, SWEEP
        grew = len(part.held) > part.swept_size and self._kind in HEADED
        have_left = grew and freshness.short > 0  # old rows may have, of an incomplete list
        if freshness.is_odd:
            wait = SWEEP_SOON
        elif freshness.open and (freshness.by_id is False or have_left):
            wait = SWEEP_BLIND
        return self._boot() - part.swept >= max(wait, SWEEP_FACTOR * part.sweep_took)

    def _is_to_be_read_whole(self, part: Part) -> bool:
        freshness = part.freshness
        if freshness.answers <= 1 or 0 < freshness.short < SHORT_READS or part.whole is None:
            return True
        told = OVERLAP.total_seconds() if self._tells_changes(freshness) else 0.0
        if part.whole_age > told:
            return True  # changes while the response lay in a cache are not reported again
        waited = self._boot() - part.whole
        return not self._shows_new(part) and waited >= self._unproven_wait(part)

    def _unproven_wait(self, part: Part) -> float:
        return max(UNPROVEN, SWEEP_FACTOR * part.sweep_took)

    def _shows_new(self, part: Part) -> bool:
        """Return True if a partial read is known to show new rows.

        For changes: each response must contain the newest known change. For newest first: the total
        reveals a row elsewhere, the dialect says so, or a new row was seen to come first.
        """
        freshness = part.freshness
        if self._tells_changes(freshness):
            return freshness.updated is not None
        if not self._is_headed(freshness):
            return True
        is_told = bool(self._client.lists_newest_first) or part.total is not None
        return is_told or part.prepends

    async def _sweep(self, part: Part) -> None:
        """Read the whole list without caches, as if nothing were known."""
        began, before = self._boot(), part.freshness
        part.freshness = before.anew()
        part.news = ListCache()
        part.memory.begin(trusted=False)
        try:
            seen = await self._take(part)
        except BaseException:
            part.freshness = before  # keeps the reason for the read, and the open rows
            raise
        part.swept, part.sweep_took = began, self._boot() - began
        part.swept_size = len(part.held)
        part.prepends &= part.freshness.newest_first
        await self._recheck_missing(part, part.held - seen, before, seen)

    async def _whole(self, part: Part) -> None:
        """Read the whole list; the service need not send unchanged pages."""
        doubted, freshness = self._ingest.doubted(part), part.freshness
        part.memory.begin(trusted=not doubted)
        seen = await self._take(part)
        await self._recheck_missing(part, (freshness.open | doubted) - seen, freshness, seen)

    async def _take(self, part: Part) -> set[str]:
        freshness, began = part.freshness, self._boot()
        doubted = self._ingest.doubted(part)
        freshness.restart_order()
        pages = self._client.pages(self._kind, part.parent, part.memory)
        seen = await self._ingest.take(part, pages)
        freshness.answers = part.memory.met
        freshness.short = 0 if part.complete else freshness.short + 1
        part.age = part.whole_age = part.memory.age
        part.whole, part.is_partial, part.is_cut = began - part.whole_age, False, False
        self._ingest.settle(doubted)
        return seen

    async def _recheck_missing(
        self, part: Part, missed: Iterable[str], before: ListFreshness, seen: Container[str]
    ) -> None:
        """Read open rows that a full read did not return by identifier.

        A failed read is repeated soon; it does not cause another full read.
        """
        if self._kind not in HEADED:
            return
        rows = ((key, self._table.get(key)) for key in missed)
        left_out = [(key, row) for key, row in rows if row is not None]
        part.freshness.schedule_unlisted(left_out, before, self._time.earliest(), self._boot())
        self._postpone_seen(part, seen)
        with suppress(ApiError):
            await self._read_open(part, seen)

    def _postpone_seen(self, part: Part, seen: Container[str]) -> None:
        """Reschedule single reads of rows that the list has just returned."""
        freshness, now = part.freshness, self._time.earliest()
        for _, key in freshness.due(self._boot()):
            if (row := self._table.get(key)) is None:
                freshness.forget(key)
            elif key in seen:
                freshness.schedule(key, row, now, self._boot())

    # Reads of changes

    def _tells_changes(self, freshness: ListFreshness) -> bool:
        knows_when = freshness.updated is not None or self._time.known
        return self._client.tells_changes(self._kind) and not freshness.no_changes and knows_when

    async def _changes(self, part: Part) -> None:
        freshness, since, version = part.freshness, self._since(part), self._table.version
        updated, changed = freshness.updated, freshness.changed
        met: set[str] = set()
        if since != part.news.since:
            part.news = ListCache(since)
        came = 0

        def is_ignored(page: Page[Record], _: bool) -> bool:
            nonlocal came
            came += len(page.records) + len(page.known)
            met.update(map(self._table.key, page.records), page.known)
            return _is_older(page, since)

        try:
            read = await self._read_until(part, part.news, is_ignored)
        except Refused as error:
            freshness.no_changes = f"read in pages: the list of changes fails: {error.problem.what}"
            return await self._sweep(part)
        part.age = part.news.age
        if read.is_enough:
            freshness.no_changes = "read in pages: the list of changes holds everything"
            return await self._sweep(part)
        part.is_partial = True
        if read.skipped:
            freshness.updated = updated  # request the unreadable record again
        self._note_unread(part, read.skipped, came)
        if not self._is_all(part, read):
            return await self._cut_short(part, read)
        if updated is not None and since <= updated and changed not in met and not read.skipped:
            return await self._contradicted(part, updated, changed)
        part.is_cut, freshness.cut_short = False, 0
        if came > MOST_AGAIN and self._table.version == version and not read.skipped:
            freshness.all_since = freshness.updated
        return None

    async def _read_until(self, part: Part, cache: ListCache, enough: Enough) -> PartialRead:
        cache.begin(trusted=not self._ingest.doubted(part))
        part.freshness.restart_order()
        pages = self._client.pages(self._kind, part.parent, cache)
        return await self._ingest.add(part, pages, enough)

    async def _contradicted(self, part: Part, updated: datetime, changed: str) -> None:
        """Read the whole list, since the read of changes lacks a known one.

        If the row is still listed unchanged, changes are not requested any more.
        """
        part.freshness.no_changes = LEFT_OUT
        await self._sweep(part)
        if (part.freshness.updated, part.freshness.changed) != (updated, changed):
            part.freshness.no_changes = ""

    def _note_unread(self, part: Part, unread: int, came: int) -> None:
        """Request a full read if other records are unreadable, or too many come with them."""
        before = part.freshness.unread
        is_other = unread > part.skipped if before is None else unread != before
        part.freshness.is_odd |= is_other or (unread > 0 and came > MOST_AGAIN)
        part.freshness.unread = unread

    async def _cut_short(self, part: Part, read: PartialRead) -> None:
        """Note an incomplete read of changes; after several, stop requesting changes."""
        part.is_cut = not read.is_complete
        part.freshness.cut_short += part.is_cut
        if part.freshness.cut_short >= SHORT_READS:
            part.freshness.no_changes = "read in pages: the list of changes is incomplete"
            await self._sweep(part)

    def _is_all(self, part: Part, read: PartialRead) -> bool:
        """Return True if a read was complete; if not, the list is read in full soon."""
        is_all = read.is_complete and read.skipped <= part.skipped
        part.skipped = max(part.skipped, read.skipped)
        part.freshness.is_odd |= not is_all
        return is_all

    async def _check_unreported(self, part: Part) -> None:
        """Check rows of which the service may not report changes.

        The first pages show rows that became visible late or are gone. Unlisted rows are read by
        identifier when due; a failed read is repeated soon.
        """
        freshness = part.freshness
        is_due = self._boot() - max(part.swept or 0.0, part.looked) >= HEAD_INTERVAL
        if is_due and self._is_headed(freshness):
            part.looked = self._boot()
            await self._head(part)
        else:
            with suppress(ApiError):
                await self._read_due(part, (), freshness.due(self._boot(), freshness.unlisted))
        # Changes of listed rows were reported.
        self._note_looks(part, freshness.unlisted)

    def _since(self, part: Part) -> datetime:
        """Return the time since which to request changes: the newest known change.

        If that is later than the newest read, the service's clock was set back or its timestamps
        are wrong; then the time of that read counts.
        """
        freshness = part.freshness
        assert part.sent is not None
        by_clock = self._time.earliest() - timedelta(seconds=self._boot() - part.sent)
        if freshness.updated is None or freshness.all_since == freshness.updated:
            return (by_clock - CLOCK_OVERLAP).replace(microsecond=0)
        return (min(freshness.updated, by_clock) - OVERLAP).replace(microsecond=0)

    # First pages, and open rows

    async def _head(self, part: Part) -> None:
        held, total, newest = len(part.held), part.total, part.freshness.newest
        met: set[str] = set()
        first = ""

        def is_known(page: Page[Record], is_news: bool) -> bool:
            nonlocal first
            if not met and page.records and not page.known:
                first = self._table.key(page.records[0])
            met.update(map(self._table.key, page.records), page.known)
            part.total = page.total
            return bool(met) and not is_news

        try:
            read = await self._read_until(part, part.memory, is_known)
        except ApiError:
            if met:  # The rows that came are known now, but not the changes behind them.
                part.is_cut = part.freshness.is_odd = True
            raise
        part.is_partial = True
        part.age = max(part.age, part.memory.age)
        part.is_cut |= not (self._is_all(part, read) or read.is_complete)
        if newest not in met and read.is_complete and not read.skipped:
            part.freshness.newest_first, part.freshness.is_odd = False, True
        part.prepends |= first == part.freshness.newest != newest
        if None not in (total, part.total):
            part.freshness.is_odd |= part.total != (total or 0) + len(part.held) - held
        await self._read_open(part, met)

    async def _read_open(self, part: Part, met: Container[str]) -> None:
        freshness = part.freshness
        try:
            await self._read_due(part, met, freshness.due(self._boot()))
        finally:
            self._note_overdue(part, met)

    async def _read_due(
        self, part: Part, met: Container[str], dues: Iterable[tuple[float, str]]
    ) -> None:
        freshness, left, was_blind = part.freshness, MOST_BY_ID, part.freshness.by_id is False
        for since, key in dues:
            if not left:
                return
            is_listed = key not in freshness.unlisted
            if (row := self._table.get(key)) is None:
                freshness.forget(key)
            elif key in met or (is_listed and freshness.by_id is False):
                freshness.schedule(key, row, self._time.earliest(), self._boot())
            else:
                # It stays open, and as old as it is, if the read fails.
                freshness.postpone(key, since, self._boot())
                if not was_blind:
                    await self._by_id(part, key)
                    left -= 1

    def _note_overdue(self, part: Part, met: Container[str]) -> None:
        freshness = part.freshness
        freshness.note_seen(met)
        self._note_looks(part)
        expects_changes = any(key not in met for key in freshness.open)
        if freshness.by_id is False and part.whole is not None and expects_changes:
            part.overdue_since = min(part.overdue_since, part.whole)  # not read since

    def _note_looks(self, part: Part, among: Container[str] | None = None) -> None:
        part.overdue_since = part.freshness.overdue_since(among)
        part.lost = part.freshness.lost(self._boot() - LONG_OVERDUE)

    def _is_behind(self, part: Part) -> bool:
        """Return True if reads of open rows are so late that a full read is better."""
        now, freshness = self._boot(), part.freshness
        if now - part.overdue_since < LONG_OVERDUE or part.whole is None:
            return False
        is_less = freshness.by_id is False or len(freshness.due(now)) > freshness.answers
        return is_less and now - part.whole >= SWEEP_FACTOR * part.sweep_took

    async def _confirm(self, part: Part) -> None:
        """Read rows that others wrote, and that the list has not returned since, by identifier."""
        doubted = sorted(self._ingest.doubted(part))
        for key in doubted[:MOST_BY_ID]:
            if part.freshness.by_id is not False:
                await self._by_id(part, key)
        part.freshness.is_odd |= bool(self._ingest.doubted(part))

    async def _by_id(self, part: Part, key: str) -> None:
        freshness, memory = part.freshness, ListCache()
        try:
            row = await self._client.get(self._kind, key, memory)
        except (NotFound, NotOffered, NotSeen):
            # It is gone, or there is no such read; unknown until one read succeeds.
            freshness.is_odd |= freshness.by_id is True and key not in freshness.unlisted
            freshness.by_id = bool(freshness.by_id)
            return
        if self._table.key(row) != key:
            freshness.is_odd = True
            return
        freshness.by_id = True
        part.age = max(part.age, memory.age)
        self._ingest.put_one(part, row)

    def _boot(self) -> float:
        return self._time.clock.boot()

    def _offset(self) -> float:
        """Return the service's clock less boot time, in seconds."""
        return self._time.earliest().timestamp() - self._boot()


def _is_older(page: Page[Record], since: datetime) -> bool:
    """Return True if most of a page changed before the time asked for."""
    if len(page.records) < JUDGED_FROM:
        return False
    times: list[datetime | None] = [getattr(row, "updated_at", None) for row in page.records]
    return 2 * sum(time is None or time < since for time in times) > len(times)
