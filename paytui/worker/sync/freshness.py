"""The state of a list since its last full read: order, newest change, open rows."""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterable, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

from paytui.api.page_cache import ListCache
from paytui.api.pages import Page
from paytui.domain.models import Problem, Recipient, Record, State

AGE_FACTOR = 0.1
"""What has not changed for so long is looked at again after this part of that time."""

SOONEST = 5.0
LATEST = 120.0
"""Seconds between two looks at what is open, at the least and at the most."""

LATEST_SETTLED = 1800.0
"""What is settled, and may change all the same (service.md §3, is not looked at by itself
where that would be after so many seconds: all of the list is read by then."""

FEW = 64
"""Entries of the queue that may be over, beside as many as there are rows to be looked at."""


@dataclass(slots=True)
class ListFreshness:
    """Grows with every row that comes in.

    Attributes:
        answers: how many it took to read all of the list.
        newest_first: whether all of it was listed by when its objects were made, the newest first.
        updated: when the newest change was made that any of its objects names.
        changed: the identifier of that object.
        made: when the newest of its objects was made.
        newest: the identifier of that object.
        short: times in a row that not all of the list came.
        is_odd: whether something does not fit what is known, so that all of it is to be read soon.
        by_id: whether single objects can be read; None until one was.
        cut_short: times in a row that not all of the changes came that were asked for.
        no_changes: why it is not asked for changes alone although its dialect says that it can be.
        unread: records of the newest read of changes that could not be read; None before the first.
        all_since: `updated` when asking for changes since then brought far more than changed.
        unlisted: what is open, and was not in the newest read of everything.
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
    _queue: list[tuple[float, str]] = field(default_factory=list)
    _unseen: dict[str, float] = field(default_factory=dict)

    def anew(self) -> ListFreshness:
        """Return the state for a full read from scratch."""
        return ListFreshness(
            self.answers,
            newest_first=True,
            short=self.short,
            cut_short=self.cut_short,
            no_changes=self.no_changes,
        )

    def restart_order(self) -> None:
        """It is read once more from its first page, and what is known stays so."""
        self._last = None

    def note(self, rows: Iterable[tuple[str, Record]], now: datetime, boot: float) -> None:
        """Take rows into account, in the order in which they were listed.

        Args:
            rows: with their identifiers.
            now: service time.
            boot: our boot time in seconds.
        """
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
        """Say when a row, as it was just seen, is to be looked at again."""
        self._unseen.pop(key, None)
        status: State | None = getattr(row, "status", None)
        if status is not None and status.final:
            self._due.pop(key, None)
            return
        wait = _wait(row, status, now)
        if wait >= LATEST_SETTLED:
            self._due.pop(key, None)
            return
        self._wait_for(key, boot + wait)

    def schedule_unlisted(
        self, rows: Iterable[tuple[str, Record]], before: ListFreshness, now: datetime, boot: float
    ) -> None:
        """Say of rows that a read of everything did not hold when they are to be looked at.

        Args:
            rows: with their identifiers.
            before: what was known when that read began; its looks stay due when they were.
            now: service time.
            boot: our boot time in seconds.
        """
        self.unlisted = set()
        for key, row in rows:
            due, unseen = before._due.get(key, boot), before._unseen.get(key)
            self.schedule(key, row, now, boot)
            if key in self._due:
                self.unlisted.add(key)
                self._wait_for(key, due)
                if unseen is not None:
                    self._unseen[key] = unseen

    def postpone(self, key: str, since: float, boot: float) -> None:
        """It is looked at again soon: a look that was due at `since` may bring nothing of it.

        Of what no list holds, the less often the longer nothing was seen of it.
        """
        self._unseen.setdefault(key, since)
        in_vain = boot - self._unseen[key] if key in self.unlisted else 0.0
        self._wait_for(key, boot + min(max(SOONEST, in_vain * AGE_FACTOR), LATEST))

    def note_seen(self, met: Container[str]) -> None:
        """These were just seen, as they were known."""
        for key in [key for key in self._unseen if key in met]:
            del self._unseen[key]

    def _wait_for(self, key: str, at: float) -> None:
        self._due[key] = at
        heapq.heappush(self._queue, (at, key))
        if len(self._queue) > 2 * len(self._due) + FEW:
            self._queue = [(at, key) for key, at in self._due.items()]
            heapq.heapify(self._queue)

    def next_due(self, boot: float) -> tuple[float, str] | None:
        """Since when what is to be looked at now, until it is judged or put off; said once."""
        while self._queue and self._queue[0][0] <= boot:
            at, key = heapq.heappop(self._queue)
            if self._due.get(key) == at:
                del self._due[key]
                return at, key
        return None

    @property
    def overdue_since(self) -> float:
        """The boot time at which the first look is due, or was and brought nothing; or infinity."""
        unseen = min(self._unseen.values(), default=float("inf"))
        while self._queue:
            at, key = self._queue[0]
            if self._due.get(key) == at:
                return min(at, unseen)
            heapq.heappop(self._queue)
        return unseen

    def due_unlisted(self, boot: float) -> list[tuple[float, str]]:
        """Return the unlisted rows that are due, and since when, the longest due first."""
        due = ((self._due.get(key, float("inf")), key) for key in self.unlisted)
        return sorted((at, key) for at, key in due if at <= boot)

    @property
    def overdue_unlisted(self) -> float:
        """Return `overdue_since` of unlisted rows alone."""
        looks = (looks.get(key) for looks in (self._due, self._unseen) for key in self.unlisted)
        return min((at for at in looks if at is not None), default=float("inf"))

    def due(self, boot: float) -> list[str]:
        """The identifiers of all that is to be looked at now."""
        return [key for key, at in self._due.items() if at <= boot]

    def forget(self, key: str) -> None:
        """There is nothing of this identifier to be looked at any more."""
        self._due.pop(key, None)
        self._unseen.pop(key, None)

    def has_open_but(self, met: Container[str]) -> bool:
        """Return True if anything in it is expected to change beside what was just met."""
        return any(key not in met for key in self._due)

    @property
    def open(self) -> Set[str]:
        """The identifiers of all that is expected to change."""
        return self._due.keys()

    def lost(self, boot: float) -> int:
        """Return how many unlisted rows should have been read by then and were not."""
        return sum(self._unseen.get(key, boot) < boot for key in self.unlisted)

    @property
    def has_open(self) -> bool:
        """Return True if anything in it is expected to change."""
        return bool(self._due)


def _wait(row: Record, status: State | None, now: datetime) -> float:
    """Seconds until a row is looked at again, the more the longer nothing has changed in it."""
    since = getattr(row, "updated_at", None) or getattr(row, "created_at", None)
    age = (now - since).total_seconds() if since else 0.0
    wait = max(SOONEST, age * AGE_FACTOR)
    is_settled = status is not None and status.settled
    return wait if is_settled else min(wait, LATEST)


# The parts that a table is read in: the whole list at once, or one list a wallet or recipient.


@dataclass(slots=True)
class Part:
    """One list of a kind, and how its newest read went.

    Attributes:
        parent: whose list it is; None for the one list of all.
        parent_row: the parent as it was when the list was last read.
        sent: boot time in seconds at which the newest whole read was sent; None before the first.
            Less `age`.
        age: seconds that the oldest of its answers lay in a cache.
        held: ids of the rows in the table that are this part's.
        missed: those of them that its newest whole read did not hold, and that may only have moved.
        total: how many the service says there are.
        complete: whether that is all of them.
        cut: why it is not, where more is known than that its total is not reached.
        remark: why it may be less, where nobody can know.
        skipped: records that could not be read.
        trouble: why the newest read failed; None where it did not.
        stale: whether it is to be read again, however young it is.
        doubts: how often that was said, so that a read which began before does not answer it.
        embedded: its rows came inside the parent's own record, and are as old as that.
        memory: what the answers of its newest reads came to.
        news: what answers to questions for what changed alone came to.
        freshness: what is known of it since all of it was read.
        is_partial: whether its newest read asked for less than all of it.
        is_cut: whether a read of less than all did not bring what it was to bring, so that some
            of it is older than that; until that came, or all of it did.
        overdue_since: the same at which something in it should have been looked at that was not
            since; what it holds is no younger than that. Infinity where there is no such thing.
        lost: open rows that all of it no longer holds, and that cannot be read by themselves.
        whole: boot time in seconds at which all of it was last read, less `whole_age`.
        whole_age: seconds that the oldest answer to that read lay in a cache.
        swept: boot time in seconds at which that was last done as if nothing of it were known.
        sweep_took: how many seconds that took.
        swept_size: how many rows it held then.
        looked: the same of its newest, where it is asked for changes alone.
        offset: the service's clock less our boot time, in seconds, before its newest read.
        prepends: whether a new row was seen to be listed first.
        loss: what there is to say of many rows that were gone at once.
        loss_at: service time at which that was believed; None before.
        lag: seconds by which a new row may be seen late; 0 where that is not worth a word.
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
        """Have it read again, as if nothing of it were known."""
        self.stale = True
        self.doubts += 1


def embedded_addresses(parent_row: Record | None) -> Page[Record] | None:
    """The payment addresses in a recipient's own record; None where it holds none.

    A recipient has at least one (service.md §2), so a record without any just does not tell.
    """
    if not isinstance(parent_row, Recipient) or not parent_row.payment_addresses:
        return None
    recipient_id, addresses = parent_row.recipient_id, parent_row.payment_addresses
    rows = tuple(replace(address, recipient_id=recipient_id) for address in addresses)
    return Page(rows, total=len(rows))


def whole_read_at(parts: Iterable[Part]) -> float | None:
    """Return the boot time of the oldest newest read, or of the oldest overdue look if earlier.

    None where a part was never read; infinity where all of them are as old as their parents.
    """
    oldest = float("inf")
    for part in parts:
        if part.sent is None:
            return None
        if not part.embedded:
            oldest = min(oldest, part.sent, part.overdue_since)
    return oldest


def total_told(parts: Iterable[Part]) -> int | None:
    """Return how many rows the service says there are in all parts, if it tells of each."""
    total = 0
    for part in parts:
        if part.total is None:
            return None
        total += part.total
    return total
