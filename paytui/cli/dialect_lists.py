"""Checks of a dialect's assumptions about lists beside paging: changes since a time, and order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from paytui.api.dialect import Dialect
from paytui.api.dialect_survey import Sampler
from paytui.api.errors import NotOffered, Refused, ServiceFailed, Unreadable
from paytui.api.pages import is_full
from paytui.api.resources import READS
from paytui.api.wire.codec import Slice
from paytui.api.wire.decode import BadRecord, Reader, Readers, write_time
from paytui.cli.dialect_paging import Trial
from paytui.domain.exact_json import Json
from paytui.domain.models import Kind, Record

OVERLAP = timedelta(seconds=30)
"""Changes are asked for since this long before the newest."""

ORDERED = frozenset({Kind.PAYMENTS, Kind.TRADES, Kind.PAYINS})
"""Kinds whose first pages alone are read if new objects come first."""


class Assumptions:
    """A check of one list against the dialect.

    Args:
        sampler: asks the service. Its methods raise `ApiError`.
        kind: what is listed.
        parent: whose list it is, for a kind that is listed for each wallet or recipient.
    """

    def __init__(
        self, sampler: Sampler, dialect: Dialect, kind: Kind, parent: str | None = None
    ) -> None:
        self._sampler = sampler
        self._dialect = dialect
        self._kind = kind
        self._parent = parent
        self._reader: Reader[Record] = Readers(dialect).of(READS[kind].record)

    async def tried(self, first: Slice, *, goes_on: bool) -> Trial:
        """Compare two responses with what the dialect says of changes and order."""
        records = self._read(first.items)
        lines, is_sure = await self._changes(records)
        if goes_on or (first.total or 0) > len(first.items):
            order, contradicts = self._order(records)
            lines, is_sure = (*lines, *order), is_sure or contradicts
        return Trial(lines, is_sure=is_sure)

    async def _changes(self, records: Sequence[Record]) -> tuple[tuple[str, ...], bool]:
        operation = READS[self._kind].operation
        changes = {self._reader.identity(record): _changed(record) for record in records}
        dated = {key: time for key, time in changes.items() if time is not None}
        if operation not in self._dialect.tell_changes or not dated:
            return (), False
        newest = max(dated, key=lambda key: dated[key])
        since = dated[newest] - OVERLAP
        name = self._dialect.query["updated_since"]
        without = '    [query] updated_since = ""  # or leave the list out of [changes] lists'
        try:
            part = await self._sampler.listed(self._kind, self._parent, since=write_time(since))
        except (Refused, NotOffered, ServiceFailed, Unreadable) as error:
            return (f"  asked for {name}, it says: {error.problem.what}", without), True
        came = self._read(part.items)
        older = [record for record in came if (_changed(record) or since) < since]
        if 2 * len(older) > len(came):
            return (f"  {name} is ignored, which does no harm", without), False
        if newest in map(self._reader.identity, came) or is_full(part, self._dialect.paging):
            return (), False
        what = f"  asked for {name}={write_time(since)}, it leaves out a later change:"
        return (what, "  it treats the parameter as a filter, or lists no changes", without), True

    def _order(self, records: Sequence[Record]) -> tuple[tuple[str, ...], bool]:
        if self._kind not in ORDERED or (found := _order_of(records)) is None:
            return (), False
        told = self._dialect.paging.order
        words = {"newest_first": "newest first", "oldest_first": "oldest first", "none": "no order"}
        if told in ("none", found):
            return (), False
        line = f'    [paging] order = "{found}"'
        if told:
            return (f"  listed {words[found]}, not {words[told]}", line), told == "newest_first"
        if found == "newest_first":
            line += "  # if new objects are listed there too: see the manual"
        return (f"  listed {words[found]}, as far as it was looked at", line), False

    def _read(self, items: Iterable[Json]) -> list[Record]:
        read = self._reader.read_each(list(items))
        return [record for record in read if not isinstance(record, BadRecord)]


def _changed(record: Record) -> datetime | None:
    time: datetime | None = getattr(record, "updated_at", None)
    return time


def _order_of(records: Iterable[Record]) -> str | None:
    """Return the order of some records; None if it cannot be told."""
    made = [getattr(record, "created_at", None) for record in records]
    times = [time for time in made if time is not None]
    if len(times) < len(made) or len(set(times)) <= 1:
        return None
    pairs = list(pairwise(times))
    if all(one >= other for one, other in pairs):
        return "newest_first"
    return "oldest_first" if all(one <= other for one, other in pairs) else "none"
