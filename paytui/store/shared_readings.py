"""Messages between the seats of a desk about their reads of the service.

Of each kind one seat is the *reader*: it holds the lease, reads the service, and publishes what
changed. All times here are boot times of this host, in seconds, unless something else is said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import inf
from typing import Protocol

from paytui.domain.models import Kind, ProblemError, Record
from paytui.store.health import Feed


class NotShared(ProblemError):
    """A desk that cannot be used now; `problem` says why."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Changes of a kind since the reader's last publication.

    Attributes:
        feed: the health of the list if it changed; its times are boot times of the reader's host.
        gone: ids of rows that the service has no longer.
        is_too_much: more changed than is published, so that each seat reads by itself.
    """

    feed: Feed | None = None
    rows: tuple[Record, ...] = ()
    gone: tuple[str, ...] = ()
    is_too_much: bool = False

    def __bool__(self) -> bool:
        """Return True unless nothing has changed."""
        return self != Reading()


@dataclass(frozen=True, slots=True)
class Publication:
    """A reading as another seat gets it; None: it was sealed with another secret, or altered.

    Attributes:
        number: counts the publications under one fence.
        read_at: nothing in it is older.
    """

    number: int
    read_at: float
    reading: Reading | None


@dataclass(frozen=True, slots=True)
class Standing:
    """The lease of a kind.

    Attributes:
        fence: grows with each new reader.
        number: number of the newest publication.
        read_at: time of the reader's last read; None before the first, and if there was none before
            the lease was given up, while nobody takes it.
        asked: counts the requests of other seats to read soon.
        unanswered: the leases in a row that have ended because no answer came.
    """

    fence: int
    is_ours: bool
    number: int
    read_at: float | None
    asked: int
    unanswered: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last publication that this seat has taken in; without health it needs the newest one."""

    fence: int
    number: int
    has_health: bool


@dataclass(frozen=True, slots=True)
class Look:
    """An answer of the desk.

    Attributes:
        standings: the leases that somebody has held.
        free: kinds whose lease has ended.
        ends_in: seconds until another seat's lease ends, unless that seat prolongs it.
        news: new publications of the kinds that were asked for, in their order.
    """

    standings: Mapping[Kind, Standing] = field(default_factory=dict)
    free: frozenset[Kind] = frozenset()
    ends_in: float = inf
    news: Mapping[Kind, tuple[Publication, ...]] = field(default_factory=dict)


class Exchange(Protocol):
    """A desk by which seats exchange readings. All methods raise NotShared."""

    def listen(self, hint: Callable[[], object]) -> None:
        """Call `hint`, in any thread, when there may be news."""

    async def look(
        self,
        wants: Collection[Kind],
        cursors: Mapping[Kind, Cursor],
        reads: Mapping[Kind, tuple[int, float]],
    ) -> Look:
        """Prolong this seat's leases, take the free ones that it wants, and return what is new.

        `reads` are fences and times of reads that changed nothing.
        """

    async def publish(
        self, kind: Kind, fence: int, number: int, read_at: float, reading: Reading
    ) -> bool:
        """Publish a reading. A number that was published is not published twice.

        Return False if another seat has become the reader.
        """

    async def ask(self, kind: Kind) -> None:
        """Ask the reader of a kind to read it soon."""

    async def release(self, kinds: Mapping[Kind, bool]) -> None:
        """Give up leases, for other seats to take: at once if the kind was read under it.

        Each kind is mapped to True if no answer came.
        """


def timeless(feed: Feed) -> Feed:
    """Return a feed without the times that move with each read, to compare it with the next."""
    others = None if feed.others_read_at == feed.read_at else feed.others_read_at
    return replace(feed, as_of=None, read_at=None, others_read_at=others)


def as_read_at(feed: Feed, read_at: float, as_of: datetime) -> Feed:
    """Return another host's feed with this host's boot times: it was read at `read_at`."""
    if feed.read_at is None:
        return feed
    shift = read_at - feed.read_at

    def here(boot: float | None) -> float | None:
        return None if boot is None else boot + shift

    failing = {
        parent: replace(one, read_at=here(one.read_at)) for parent, one in feed.failing.items()
    }
    return replace(
        feed,
        read_at=read_at,
        as_of=as_of,
        whole_at=here(feed.whole_at),
        others_read_at=here(feed.others_read_at),
        failing=failing,
    )
