"""The health of a feed after a round of reads."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from paytui.api.errors import (
    ApiError,
    AuthRefused,
    NotOffered,
    RateLimited,
    ServiceUnreachable,
    TokenLost,
)
from paytui.domain.models import Kind, Problem
from paytui.platform.clock import ServiceTime
from paytui.store.health import RETRIED, FailingList, Feed
from paytui.worker.sync.freshness import Part, total_told, whole_read_at

_CONCERN_ALL = (AuthRefused, NotOffered, RateLimited, ServiceUnreachable, TokenLost)

_NO_CACHE = 'Cache-Control = "no-cache" in the dialect\'s [headers] bypasses caches.'
_ITS_DIALECT = "paytui dialect check names the lines of a dialect that read on."


YOUNG = 30.0
"""Maximum age in seconds of a cached response that is not reported."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed read, and its meaning for other reads.

    Attributes:
        retry_after: seconds to wait, as told by the service or the token.
        offered: False if the service has no such list.
        concerns_all: True if other lists of the kind would fail likewise.
    """

    problem: Problem
    retry_after: float | None = None
    offered: bool = True
    concerns_all: bool = False


def failure_of(error: ApiError) -> Failure:
    """Return the failure for an error of the client."""
    return Failure(
        error.problem,
        error.retry_after,
        offered=not isinstance(error, NotOffered),
        concerns_all=isinstance(error, _CONCERN_ALL),
    )


def unexpected(attempted: str, error: BaseException) -> Failure:
    """Return the failure for a bug in paytui.

    It names only the type of the exception, whose message may contain secrets.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    what = f"unexpected {type(error).__name__} in paytui"
    return Failure(Problem(attempted, what, remedy=f"Please report it. {RETRIED}"), None)


def reading(kind: Kind) -> str:
    """Return the read as a verb phrase."""
    return f"read {kind.value.replace('_', ' ')}"


def feed_after(
    before: Feed,
    parts: Collection[Part],
    failures: list[Failure],
    upstream: Feed | None,
    service_time: ServiceTime,
    *,
    every: float,
) -> Feed:
    """Return the health of a feed after a round of reads.

    Args:
        before: its health until now.
        parts: its lists.
        failures: the failures of the round.
        upstream: the health of the parents' feed; this feed is no fresher than that.
        service_time: the service's clock.
        every: seconds after which all lists are read again.
    """
    offered = all(failure.offered for failure in failures)
    # A list that is not offered was not read: tracked objects are as old as before.
    read = _read_at(parts, upstream) if offered else None
    read_at = before.read_at if read is None else read
    problem = _problem(before.kind, parts, failures) if offered else None
    now = service_time.earliest()
    age = None if read_at is None else timedelta(seconds=service_time.clock.boot() - read_at)
    return Feed(
        before.kind,
        as_of=None if age is None else now - age,
        read_at=read_at,
        every=every,
        total=total_told(parts),
        offered=offered,
        tracked=0 if offered else before.tracked,
        problem=problem,
        failing_since=_since(before, problem, now),
        skipped=sum(part.skipped for part in parts),
        cut=any(part.is_cut or not part.complete for part in parts),
        cached=before.cached and not _is_read(parts, upstream),
        whole_at=_whole_at(parts),
        remark=_remark(parts),
        unsure=any(part.remark for part in parts),
        failing={**(upstream.failing if upstream else {}), **_failing(parts)},
        others_read_at=_others_read_at(parts, upstream),
    )


def feed_after_bug(before: Feed, failure: Failure, now: datetime) -> Feed:
    """Return the health of a feed after a bug outside its reads; its age does not change."""
    return replace(before, problem=failure.problem, failing_since=before.failing_since or now)


def feed_without(before: Feed, upstream: Feed) -> Feed:
    """Return the health of a feed while its parents are not known."""
    return replace(
        before,
        offered=upstream.offered,
        problem=upstream.problem,
        failing_since=upstream.failing_since,
    )


def _read_at(parts: Collection[Part], upstream: Feed | None) -> float | None:
    read_at = whole_read_at(parts)
    if read_at is None or upstream is None:
        return read_at
    return None if upstream.read_at is None else min(read_at, upstream.read_at)


def _others_read_at(parts: Collection[Part], upstream: Feed | None) -> float | None:
    others = [part for part in parts if part.trouble is None]
    if upstream is not None:
        upstream = replace(upstream, read_at=upstream.others_read_at)
    return _read_at(others, upstream) if others else None


def _failing(parts: Collection[Part]) -> dict[str, FailingList]:
    return {
        part.parent: FailingList(part.sent, part.trouble)
        for part in parts
        if part.parent is not None and part.trouble is not None
    }


def _whole_at(parts: Collection[Part]) -> float | None:
    if not any(part.is_partial for part in parts):
        return None
    return min((part.whole for part in parts if part.whole is not None), default=None)


def _is_read(parts: Collection[Part], upstream: Feed | None) -> bool:
    """Return True if all lists were read in this run."""
    return whole_read_at(parts) is not None and (upstream is None or not upstream.cached)


def _remark(parts: Collection[Part]) -> str:
    remarks = (
        each
        for part in parts
        for each in (part.loss, part.remark, _lag(part), part.freshness.no_changes)
    )
    return next(filter(None, remarks), "")


def _lag(part: Part) -> str:
    if not part.lag:
        return ""
    minutes = math.ceil(part.lag / 60)
    return f"new rows may show {minutes} min late; set [paging] order in the dialect"


def _problem(kind: Kind, parts: Collection[Part], failures: list[Failure]) -> Problem | None:
    if failures:
        return failures[0].problem
    if lost := sum(part.lost for part in parts):
        what = f"no longer listed though open, and not read by identifier: {lost}"
        return Problem(reading(kind), what, remedy=RETRIED)
    if cut := next((part.cut for part in parts if part.cut), ""):
        return Problem(reading(kind), f"the list was cut short: {cut}", remedy=_ITS_DIALECT)
    if any(not part.complete and part.total is None for part in parts):
        return Problem(reading(kind), "the list was cut short", remedy=RETRIED)
    if any(part.is_cut for part in parts):
        return Problem(reading(kind), "what changed was cut short", remedy=RETRIED)
    is_old = any(part.age > YOUNG for part in parts)
    old = Problem(reading(kind), "an old answer came from a cache", remedy=_NO_CACHE)
    return old if is_old else None


def _since(before: Feed, problem: Problem | None, now: datetime) -> datetime | None:
    if problem is None:
        return None
    return before.failing_since or now
