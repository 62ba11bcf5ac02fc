"""The health of each list, of the link to the service and of the worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from operator import attrgetter

from paytui.domain.models import Kind, Problem

RETRIED = "paytui retries automatically."
"""The remedy in a worker that keeps running; commands that read once replace it."""


@dataclass(frozen=True, slots=True)
class FailingList:
    """A list or object whose newest read failed, where a kind is read in several parts.

    `read_at` is the boot time in seconds of its last complete read; None if this run had none.
    """

    read_at: float | None
    problem: Problem


@dataclass(frozen=True, slots=True)
class Feed:
    """The health of one table.

    Attributes:
        as_of: service time of the last complete read that succeeded: nothing shown is older.
        read_at: boot time in seconds of the same moment, for ages that survive clock jumps.
        every: seconds between complete reads while all goes well.
        total: the number of objects according to the service, if it tells; screens show "N of M".
        offered: False if the service has no such list.
        tracked: how many known identifiers are read one by one instead.
        unread: how many of those cannot be read and are shown as they were created.
        problem: why the newest read failed; None if it succeeded.
        failing_since: service time of the first failure since the last success.
        skipped: how many records of the newest read could not be parsed.
        cut: the newest read was truncated.
        whole_at: boot time in seconds of the last complete read, if the newest one asked for less,
            for example for changes alone. Removals are only known as of then.
        remark: how and why it is read in another way than the dialect describes, or why it may be
            incomplete.
        unsure: it may be incomplete.
        cached: no complete read yet: rows are as an earlier run knew them at `as_of`.
        failing: failing parts by wallet, recipient or tracked identifier, where the kind is read
            in parts.
        others_read_at: `read_at` without the failing parts; None if another part was never read.
    """

    kind: Kind
    as_of: datetime | None = None
    read_at: float | None = None
    every: float = 0.0
    total: int | None = None
    offered: bool = True
    tracked: int = 0
    unread: int = 0
    problem: Problem | None = None
    failing_since: datetime | None = None
    skipped: int = 0
    cut: bool = False
    cached: bool = False
    whole_at: float | None = None
    remark: str = ""
    unsure: bool = False
    failing: Mapping[str, FailingList] = field(default_factory=dict)
    others_read_at: float | None = None

    @property
    def was_read(self) -> bool:
        """Return True if this run has read all of it."""
        return self.as_of is not None and not self.cached

    @property
    def ok(self) -> bool:
        return self.was_read and self.problem is None

    def lacks(self, held: int) -> str:
        """Return what is missing beside the `held` objects; empty if nothing is known to be.

        A list that was read completely and is late lacks nothing.
        """
        if self.skipped:
            return f"{self.skipped} records could not be read."
        if self.total is not None and self.total > held:
            return f"Only {held} of {self.total} were listed."
        if self.cut:
            return "The list was cut short."
        is_read = self.offered or self.tracked > self.unread
        return "Not read." if is_read and self.as_of is None else ""

    @property
    def standing(self) -> str:
        """Return its state in a word or two, without text from outside."""
        if self.problem is not None:
            return "failed"
        if self.unread and not self.was_read:
            return "cannot be read"
        if not self.offered:
            return "not offered"
        if self.cached:
            return "cached"
        return "read" if self.was_read else "not read yet"

    def same_health(self, other: Feed) -> bool:
        """Return True if both have the same health, whatever their age."""
        return _HEALTH(self) == _HEALTH(other)


_HEALTH = attrgetter(
    "ok",
    "cached",
    "remark",
    "problem",
    "offered",
    "tracked",
    "unread",
    "total",
    "skipped",
    "cut",
    "unsure",
)


class LinkState(StrEnum):
    CONNECTING = "connecting"
    UP = "up"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"  # `/auth` answered 400 or 401; it is retried only on request
    STOPPED = "stopped"  # The poller ended by a bug; nothing is refreshed any more


@dataclass(frozen=True, slots=True)
class Link:
    """The state of the connection and of the one token.

    Attributes:
        since: service time at which this state began.
        superseded: another program keeps invalidating our token by requesting its own.
        unshared: why the token is not shared with other processes although it should be.
        host_news: changes of the service's host since it was last used.
        services: the services that the token lists, in the service's words; shown, not verified.
        missing_services: services that are not among the listed ones, by canonical name.
    """

    state: LinkState = LinkState.CONNECTING
    since: datetime | None = None
    problem: Problem | None = None
    superseded: bool = False
    unshared: str | None = None
    host_news: str = ""
    services: tuple[str, ...] = ()
    missing_services: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Latency:
    """The latency of one sort of requests (`read`) in the last minutes; percentiles in seconds."""

    work: str
    count: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerMetrics:
    """Counters since the worker's start, and rates of the last minutes.

    Attributes:
        at: boot time in seconds.
        requests: requests that ended; `unanswered` of them without a response.
        sent, received: bytes of heads and bodies, before TLS.
        sign_ins: tokens obtained from the service.
        back_offs: failed reads that lengthened the delay of the next one.
        wake_ups: how often screens were woken.
    """

    at: float
    running: float
    requests: int
    unanswered: int
    sent: int
    received: int
    sign_ins: int
    back_offs: int
    too_many: int
    waiting: int
    wake_ups: int
    requests_a_minute: float
    bytes_a_minute: float
    latencies: tuple[Latency, ...]
