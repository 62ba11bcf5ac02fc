"""The state of a list between its reads: order, newest change, open rows, failures."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain

from paytui.api.paging import ListCache, Page
from paytui.domain.models import Kind, Problem, Recipient, Record, State

HEADED = frozenset({Kind.PAYMENTS, Kind.TRADES, Kind.PAYINS})
"""Kinds of which final rows do not change. A wallet may change at any age."""

AGE_FACTOR = 0.1  # A row is read again after this fraction of the time since its last change

SOONEST = 5.0
LATEST = 120.0  # Minimum and maximum seconds between two reads of an open row

LATEST_SETTLED = 1800.0
"""Seconds after which a settled row, which may still change (service.md §3), is not read by itself:
the whole list is read by then."""


@dataclass(slots=True)
class ListFreshness:
    """The knowledge about a list that grows with every row read.

    Attributes:
        answers: number of responses of a full read.
        newest_first: True if the list is sorted by time of creation, newest first.
        updated, changed: the newest time of change, and the identifier of that row.
        made, newest: the newest time of creation, and the identifier of that row.
        short, cut_short: consecutive incomplete reads of the list, and of changes.
        is_odd: True if something is inconsistent, so that a full read is due soon.
        by_id: True if single objects can be read; None until one was.
        no_changes: the reason for not reading changes alone although the dialect allows it.
        unread: unreadable records in the newest read of changes; None before the first.
        all_since: the value of `updated` for which a read of changes returned far too much.
        unlisted: open rows that the last full read did not return.
    """

    answers: int = 0
    newest_first: bool = False
    updated: datetime | None = None
    changed: str = ""
    made: datetime | None = None
    newest: str = ""
    short: int = 0
    cut_short: int = 0
    is_odd: bool = False
    by_id: bool | None = None
    no_changes: str = ""
    unread: int | None = None
    all_since: datetime | None = None
    unlisted: set[str] = field(default_factory=set)
    _last: datetime | None = None
    _due: dict[str, float] = field(default_factory=dict)
    _unseen: dict[str, float] = field(default_factory=dict)

    def anew(self) -> ListFreshness:
        return ListFreshness(
            self.answers,
            newest_first=True,
            short=self.short,
            cut_short=self.cut_short,
            no_changes=self.no_changes,
        )

    def restart_order(self) -> None:
        """Prepare for another read from the first page."""
        self._last = None

    def note(self, rows: Iterable[tuple[str, Record]], now: datetime, boot: float) -> None:
        """Take rows into account, in the order of the list, at a service and a boot time."""
        for key, row in rows:
            made: datetime | None = getattr(row, "created_at", None)
            changed: datetime | None = getattr(row, "updated_at", None)
            if made is None or (self._last is not None and made > self._last):
                self.newest_first = False
            self._last = made
            if made is not None and (self.made is None or made > self.made):
                self.made, self.newest = made, key
            if changed is not None and (self.updated is None or changed > self.updated):
                self.updated, self.changed = changed, key
            self.schedule(key, row, now, boot)

    def schedule(self, key: str, row: Record, now: datetime, boot: float) -> None:
        """Schedule the next read of a row that was just seen."""
        self._unseen.pop(key, None)
        status: State | None = getattr(row, "status", None)
        if status is not None and status.final:
            self._due.pop(key, None)
            return
        wait = _wait(row, status, now)
        if wait >= LATEST_SETTLED:
            self._due.pop(key, None)
            return
        self._due[key] = boot + wait

    def schedule_unlisted(
        self, rows: Iterable[tuple[str, Record]], before: ListFreshness, now: datetime, boot: float
    ) -> None:
        """Schedule reads of rows that the last full read did not return.

        `before` is the state when that read began; its due times are kept.
        """
        self.unlisted = set()
        for key, row in rows:
            due, unseen = before._due.get(key, boot), before._unseen.get(key)
            self.schedule(key, row, now, boot)
            if key in self._due:
                self.unlisted.add(key)
                self._due[key] = due
                if unseen is not None:
                    self._unseen[key] = unseen

    def postpone(self, key: str, since: float, boot: float) -> None:
        """Schedule another read soon, since a read that was due at `since` may fail.

        An unlisted row is read less often the longer it was not seen.
        """
        self._unseen.setdefault(key, since)
        in_vain = boot - self._unseen[key] if key in self.unlisted else 0.0
        self._due[key] = boot + min(max(SOONEST, in_vain * AGE_FACTOR), LATEST)

    def note_seen(self, met: Container[str]) -> None:
        for key in [key for key in self._unseen if key in met]:
            del self._unseen[key]

    def due(self, boot: float, among: Container[str] | None = None) -> list[tuple[float, str]]:
        """Return the overdue rows as `(due_since, id)`, the longest due first."""
        due = [(at, key) for key, at in self._due.items() if at <= boot]
        return sorted(one for one in due if among is None or one[1] in among)

    def overdue_since(self, among: Container[str] | None = None) -> float:
        """Return the boot time of the oldest due or failed read of a row, or infinity."""
        looks = chain(self._due.items(), self._unseen.items())
        return min((at for key, at in looks if among is None or key in among), default=float("inf"))

    def forget(self, key: str) -> None:
        self._due.pop(key, None)
        self._unseen.pop(key, None)

    @property
    def open(self) -> Set[str]:
        """Return the identifiers of all rows that are expected to change."""
        return self._due.keys()

    def lost(self, boot: float) -> int:
        """Return how many unlisted rows should have been read by then and were not."""
        return sum(self._unseen.get(key, boot) < boot for key in self.unlisted)


def _wait(row: Record, status: State | None, now: datetime) -> float:
    """Return the seconds until the next read of a row, more if its last change is long ago."""
    since = getattr(row, "updated_at", None) or getattr(row, "created_at", None)
    age = (now - since).total_seconds() if since else 0.0
    wait = max(SOONEST, age * AGE_FACTOR)
    is_settled = status is not None and status.settled
    return wait if is_settled else min(wait, LATEST)


@dataclass(slots=True)
class Part:
    """One list of a kind, and the state of its reads: that of all, or of one wallet or recipient.

    Times are boot times in seconds, less the age of a response that lay in a cache.

    Attributes:
        parent_row: the parent at the time of the last read.
        sent: time of the newest read; None before the first.
        age: seconds that its oldest response lay in a cache.
        missed: ids of `held` that the newest full read did not return, and that may have moved.
        complete, cut, remark, skipped: see `pages.Page`.
        stale: True if a full read is requested.
        doubts: number of such requests, so that a read that began before does not answer one.
        embedded: True if the rows came with the parent's record, and have its age.
        memory, news: cached responses of reads of the list, and of changes.
        is_partial: True if the newest read requested less than the whole list.
        is_cut: True if a partial read was incomplete and no complete read has followed.
        overdue_since: time of the oldest due read of a row that did not happen; no row is fresher
            than that. Infinity if there is none.
        lost: open rows that are no longer listed and cannot be read by identifier.
        whole, whole_age: time of the last full read, and the age of its oldest response.
        swept, sweep_took, swept_size: time of the last full read without caches, its duration and
            its rows.
        looked: time of the last read of the newest rows, for a list that is read by changes.
        offset: the service's clock less boot time, in seconds, before the newest read.
        prepends: True if a new row was seen at the start of the list.
        loss, loss_at: message about many rows that disappeared at once, and the service time at
            which that was confirmed.
        lag: seconds by which new rows may be late; 0 if that is short.
    """

    parent: str | None = None
    parent_row: Record | None = None
    sent: float | None = None
    age: float = 0.0
    held: set[str] = field(default_factory=set)
    missed: set[str] = field(default_factory=set)
    total: int | None = None
    complete: bool = True
    cut: str = ""
    remark: str = ""
    skipped: int = 0
    trouble: Problem | None = None
    stale: bool = False
    doubts: int = 0
    embedded: bool = False
    memory: ListCache = field(default_factory=ListCache)
    news: ListCache = field(default_factory=ListCache)
    freshness: ListFreshness = field(default_factory=ListFreshness)
    is_partial: bool = False
    is_cut: bool = False
    overdue_since: float = float("inf")
    lost: int = 0
    whole: float | None = None
    whole_age: float = 0.0
    swept: float | None = None
    sweep_took: float = 0.0
    swept_size: int = 0
    looked: float = 0.0
    offset: float = float("-inf")
    prepends: bool = False
    loss: str = ""
    loss_at: datetime | None = None
    lag: float = 0.0

    def doubt(self) -> None:
        """Request a full read, as if nothing were known."""
        self.stale = True
        self.doubts += 1


def embedded_addresses(parent_row: Record | None) -> Page[Record] | None:
    """Return the payment addresses in a recipient's own record; None if it holds none.

    A recipient has at least one (service.md §2), so an empty record does not tell.
    """
    if not isinstance(parent_row, Recipient) or not parent_row.payment_addresses:
        return None
    recipient_id, addresses = parent_row.recipient_id, parent_row.payment_addresses
    rows = tuple(replace(address, recipient_id=recipient_id) for address in addresses)
    return Page(rows, total=len(rows))


def whole_read_at(parts: Iterable[Part]) -> float | None:
    """Return the boot time of the oldest newest read, or of the oldest overdue look if earlier.

    None if a part was never read; infinity if all parts are embedded in their parents.
    """
    oldest = float("inf")
    for part in parts:
        if part.sent is None:
            return None
        if not part.embedded:
            oldest = min(oldest, part.sent, part.overdue_since)
    return oldest


def total_told(parts: Collection[Part]) -> int | None:
    totals = [part.total for part in parts if part.total is not None]
    return sum(totals) if len(totals) == len(parts) else None
