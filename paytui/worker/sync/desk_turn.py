"""The state of one kind at a desk: its lease, and what is to be published or taken in."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from math import inf

from paytui.domain.models import Record
from paytui.store.health import Feed
from paytui.store.shared_readings import Cursor, Publication, Reading, Standing
from paytui.worker.sync.ingest import Changed

FIRST_READ = 2.0  # Minimum seconds that a new reader has for its first read
MOST_ROWS = 2_000  # Rows in one publication; each seat reads by itself if more changed

NOTHING = Cursor(0, 0, has_health=False)


@dataclass(frozen=True, slots=True)
class Followed:
    """The publications of the reader since the last call.

    Attributes:
        feed: the health of the list with them.
        wait: seconds until the reader is late.
    """

    readings: tuple[Reading, ...]
    feed: Feed
    wait: float


@dataclass(slots=True)
class Turn:
    """One kind at the desk.

    Attributes:
        wake: ends the pause of the kind's poller.
        can_read: returns False while its poller reads nothing.
        standing: the lease; None while nobody is known to hold it.
        fence: that of the last known reader.

        learnt_at: boot time after which an own read must begin before its reader is followed.
        cursor: the last publication that was taken in, or that an own read makes superfluous.
        is_followed: an own read has made it complete.
        unreadable: the fence of a reader whose publications this seat cannot read.
        queue: publications that the poller has not taken in yet.
        health: that of the list, as the reader published it last; None before the first.
        lacks: lists that the last own read did not get as a whole; see `lacking`.
        differs: ids of rows that own reads have changed beside the reader, and it has not since.
        waits: another seat tries to read it, and this one reads nothing meanwhile.
        was_read_at, whole_at: boot times of the last own read, and of the last own full read.
        took: seconds of the last own read.

        free_at: boot time at which it was learnt that nobody reads it any more.
        may_try_at: boot time until which the lease is left to others, as this seat gave it up.
        is_read: the last own read succeeded, and is recent enough to publish.
        is_silent: the last one got no answer, or has none yet.
        late_at: boot time by which the next one must succeed under the lease; None: at any time.
        news: what own reads changed since the lease was asked for; None: it is not held.
        is_too_much: more changed than is published.
        number: that of the last own publication.
        told, told_at: the last health published, without times, and the time of its read.
        seen: the health from which it was last found what is to be published.
        unsent: a publication of which it is not known whether it arrived.

        asked: how often the reader had been asked at the last look.
        asked_after: the read after which this seat asked for another.
    """

    wake: Callable[[], None]
    can_read: Callable[[], bool]
    standing: Standing | None = None
    fence: int = 0
    learnt_at: float = 0.0
    cursor: Cursor = NOTHING
    is_followed: bool = False
    unreadable: int = 0
    queue: list[Publication] = field(default_factory=list)
    health: Feed | None = None
    lacks: Set[str | None] = frozenset()
    differs: set[str] = field(default_factory=set)
    waits: bool = False
    was_read_at: float = 0.0
    took: float = 0.0
    whole_at: float | None = None
    may_try_at: float = 0.0
    free_at: float = 0.0
    is_read: bool = False
    is_silent: bool = False
    late_at: float | None = None
    news: dict[str, Record | None] | None = None
    is_too_much: bool = False
    number: int = 0
    told: Feed | None = None
    told_at: float | None = None
    seen: Feed | None = None
    unsent: tuple[int, float, Reading] | None = None
    asked: int = 0
    asked_after: float | None = None

    @property
    def is_ours(self) -> bool:
        return self.standing is not None and self.standing.is_ours

    def collect(self, news: Changed) -> None:
        """Collect what an own read changed, while the lease is held or another seat reads."""
        if self.news is None and self.is_followed:
            self.differs.update(news)
        if self.news is None or self.is_too_much:
            return
        self.news |= news
        if len(self.news) > MOST_ROWS:
            self.news, self.is_too_much = {}, True

    def follow_anew(self, standing: Standing, now: float) -> None:
        """Follow this reader as soon as a read that begins from now on is complete."""
        self.fence, self.learnt_at, self.is_followed = standing.fence, now, False
        self.cursor = Cursor(standing.fence, standing.number, has_health=False)
        self.news = self.unsent = self.health = None
        self.queue.clear()
        self.differs.clear()

    def must_read(self, now: float) -> None:
        """Read at once, and hold the lease only if that succeeds soon."""
        if self.late_at is not None:
            self.late_at = min(self.late_at, now + max(FIRST_READ, 3 * self.took))
        self.wake()

    def begin(self, standing: Standing, now: float) -> None:
        """Be the reader from now on, with a first read to do unless the last own one is recent."""
        self.fence, self.is_followed = standing.fence, False
        if self.late_at is not None and (not self.is_read or now >= self.late_at):
            self.is_read, self.late_at = False, inf
            self.must_read(now)
        self.number, self.told, self.told_at, self.unsent, self.seen = 0, None, None, None, None
        self.asked = standing.asked
        self.queue.clear()


def lacking(feed: Feed) -> Set[str | None]:
    """Return the wallets or recipients whose list was not read; None: a list was cut short."""
    return feed.failing.keys() | ({None} if feed.cut else set())
