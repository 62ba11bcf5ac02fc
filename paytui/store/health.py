"""The health of each list, and of the link to the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from paytui.domain.models import Kind, Problem


@dataclass(frozen=True, slots=True)
class FailingList:
    """One of the lists, or of the single objects, that a kind is read in; its newest read failed.

    Attributes:
        read_at: our boot time in seconds of its last whole read; None where this run has had none.
        problem: why the newest read failed.
    """

    read_at: float | None
    problem: Problem


@dataclass(frozen=True, slots=True)
class Feed:
    """The health of one table.

    Attributes:
        as_of: service time of the last whole read that succeeded: nothing shown is older.
        read_at: our boot time in seconds of the same moment, for ages that survive clock jumps.
        every: seconds after which it is read whole again while all goes well.
        total: how many the service says there are, where it says so; more than held: "N of M".
        offered: False where the service has no such list.
        tracked: how many known identifiers are read one by one instead.
        unread: how many of those have no read, and are shown as they were created.
        problem: why the newest read failed; None when it did not.
        failing_since: service time of the first failure since the last success.
        skipped: records of the newest read that could not be read at all.
        cut: whether the newest read did not bring all of it.
        whole_at: our boot time in seconds of the last read of all of it, where the newest asked for
            less, such as for what changed alone: what is gone or was not told is as old as that.
        remark: how it is read otherwise than its dialect says that it can be, and why, or else why
            it may be less than all.
        unsure: whether it may be that.
        cached: nothing was read whole yet: it is as another run knew it at `as_of`.
        failing: where it is read in one list a wallet or recipient: whose newest read failed, or
            that of the wallet or recipient itself; where identifiers are tracked, of which of them.
        others_read_at: what `read_at` would be without those; None where another was never read.
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
        """Return True if the newest read succeeded."""
        return self.was_read and self.problem is None

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
        return self._health == other._health

    @property
    def _health(self) -> tuple[object, ...]:
        told = (
            self.problem,
            self.offered,
            self.tracked,
            self.unread,
            self.total,
            self.skipped,
            self.cut,
            self.unsure,
        )
        return (self.ok, self.cached, self.remark, *told)


class LinkState(StrEnum):
    """The state of the link to the service."""

    CONNECTING = "connecting"
    UP = "up"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    """`/auth` said 400 or 401: nothing is tried again before somebody asks for it."""
    STOPPED = "stopped"
    """A mistake of ours ended what reads: nothing is refreshed any more."""


@dataclass(frozen=True, slots=True)
class Link:
    """The state of the connection and of the one token.

    Attributes:
        since: service time at which this state began.
        problem: what is wrong, where something is.
        superseded: another program keeps killing our token by asking for its own.
        unshared: why the token is not shared with other processes although it was to be.
        host_news: what has changed of the service's host since it was last used.
        services: what the token lists that we may use, in the service's words; shown, not verified.
        missing_services: services that it leaves out although it lists some, by canonical name.
    """

    state: LinkState = LinkState.CONNECTING
    since: datetime | None = None
    problem: Problem | None = None
    superseded: bool = False
    unshared: str | None = None
    host_news: str = ""
    services: tuple[str, ...] = ()
    missing_services: frozenset[str] = frozenset()


# How the worker itself is doing: what it asks for, how long that takes, what it waits for.


@dataclass(frozen=True, slots=True)
class Latency:
    """How long exchanges of one sort took in the last minutes.

    Attributes:
        work: what they were for: `read`.
        count: how many there were.
        p50, p95: seconds that a half, and nineteen of twenty, took at the most.
    """

    work: str
    count: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerMetrics:
    """Sums since the worker's start, and what was so in the last minutes.

    Attributes:
        at: boot time in seconds.
        running: seconds since the start.
        requests: exchanges with the service that ended; `unanswered` of them without an answer.
        sent, received: bytes of heads and bodies, as they are before TLS.
        sign_ins: tokens that were got from the service.
        back_offs: reads after whose failure the next one waits longer.
        too_many: answers that said that we ask too often (429).
        waiting: reads that wait for others to end, now.
        wake_ups: how often screens were told that something changed.
        requests_a_minute, bytes_a_minute: in the last minutes.
        latencies: of the last minutes, by sort.
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
